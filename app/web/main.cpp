// The page's program: the words that its link says, to the app.
#include <sys/stat.h>

#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/console.hpp"
#include "app/links/link.hpp"
#include "app/run/own_program.hpp"
#include "app/session/system_theme.hpp"
#include "app/web/browser.hpp"
#include "app/web/files.hpp"
#include "app/web/page.hpp"
#include "app/words/medium.hpp"

namespace {
/// "barrierscope: there is ..." without the program's name, which a page has not.
std::string without_name(std::string said) {
  constexpr std::string_view name = "barrierscope: ";
  if (said.starts_with(name)) said.erase(0, name.size());
  said.erase(said.find_last_not_of('\n') + 1);
  return said;
}
}  // namespace

int main(int argc, char** argv) {
  using namespace bscope;
  speak_in_page();
  umask(022);  // emscripten begins with 0777: unreadable files
  std::error_code ignored;
  std::filesystem::create_directories(downloads, ignored);
  compiles_programs = page_compiles();
  if (page_prefers_light()) system_theme = ThemeName::light;
  runs_programs = programs_in_page = page_runs_programs();
  // they run in the page's worker, where they can touch nothing of the user's
  if (runs_programs) allow_programs_in(std::filesystem::current_path());
  Window window;
  window.open = [](const WindowOptions& o) { return open_page(o); };
  // The page opens even if its address is wrong: it tries the whole link, then the known keys, then no link.
  std::vector<std::vector<std::string>> tries{{argv + 1, argv + argc}};
  const std::string known = argc == 2 && is_link(argv[1]) ? known_part(argv[1]) : std::string();
  if (argc == 2 && is_link(argv[1])) {
    if (!known.empty() && known != argv[1]) tries.push_back({known});
    if (known.find("embed=") == std::string::npos) tries.push_back({});
  } else if (argc == 2) {  // a file that was open before the page was loaded again
    tries.push_back({});
  }
  int code = 0;
  std::string refused;
  for (const auto& words : tries) {
    std::ostringstream errors;
    Console console{std::cout, errors};
    console.display = true;
    code = command(words, console, window);
    if (code == 0 || page_is_open()) {
      // unknown keys (utm_source, fbclid) are ignored silently
      if (words.empty() && !refused.empty() && (!known.empty() || !is_link(argv[1])))
        tell_page(without_name(refused));
      return code;
    }
    refused = errors.str();
  }
  std::cerr << refused;
  return code;
}
