// The page's program: the words that its link says, to the app.
#include <sys/stat.h>

#include <filesystem>
#include <iostream>

#include "app/cli/command.hpp"
#include "app/web/files.hpp"
#include "app/web/page.hpp"
#include "app/words/in_page.hpp"

int main(int argc, char** argv) {
  using namespace bscope;
  speak_in_page();
  umask(022);  // emscripten begins with 0777: files that nobody may read
  std::error_code ignored;
  std::filesystem::create_directories(downloads, ignored);
  Console console{std::cout, std::cerr};
  console.display = true;
  Window window;
  window.open = [](const WindowOptions& o) { return open_page(o); };
  return command({argv + 1, argv + argc}, console, window);
}
