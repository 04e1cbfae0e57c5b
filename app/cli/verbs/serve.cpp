// A page for a class, with a compiler behind it.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <ostream>
#include <thread>

#include "app/cli/console.hpp"
#include "app/cli/verb.hpp"
#include "app/hosting/page_server.hpp"
#include "app/options/options.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/page_tools.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

struct ServeArguments {
  std::vector<std::string> words;
  std::string address = "127.0.0.1";
  int port = 8000, jobs = int(std::max(1u, std::thread::hardware_concurrency()));
};

/// A reader of whole numbers in a range.
auto whole_from(int least, int most) {
  return [=](const std::string& name, const std::string& typed) {
    int value = 0;
    const char* const end = typed.data() + typed.size();
    const auto read = std::from_chars(typed.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end || value < least || value > most)
      throw UsageError(
          message("{} needs a whole number from {} to {}, not \"{}\"", name, least, most, typed));
    return value;
  };
}

/// The folder of the page's packed headers: own_code/VERSION/packs.
std::filesystem::path packs_of(const std::filesystem::path& site) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(site / "app.html", none))
    throw UsageError(
        message("{} is not the folder of a page, which has an app.html: ./web.sh builds one", site.string()));
  for (const auto& version : std::filesystem::directory_iterator(site / "own_code", none))
    if (std::filesystem::is_directory(version.path() / "packs", none)) return version.path() / "packs";
  throw UsageError(message("the page in {} does not run users' programs: build it with ./web.sh --programs",
                           site.string()));
}

int serve(const ServeArguments& a, Console& c) {
  if (a.words.empty())
    throw UsageError(message("serve needs the folder of a page: ./web.sh builds build/web/site"));
  const std::filesystem::path site = std::filesystem::absolute(a.words.front());
  const cuda::PageTools tools(packs_of(site));
  const ServerOptions options{
      .folder = site, .address = a.address, .port = static_cast<unsigned short>(a.port), .at_a_time = a.jobs};
  serve_page(options, tools, [&](unsigned short port) {
    c.out << tr("The page: {}", "http://" + a.address + ":" + std::to_string(port) + "/") << std::endl;
  });
  return 0;
}

const RegisterVerb serve_verb{{
    .name = "serve",
    .what = "Serve a page to a class, and compile the programs that are written in it",
    .place = 11,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<ServeArguments>();
      o.words("FOLDER", "The folder of a page, as ./web.sh builds it", 1, a->words);
      o.option("--port", "P", "The port to listen at (default 8000; 0: any that is free)", a->port,
               whole_from(0, 65535));
      o.option("--address", "A",
               "The address to listen at: 0.0.0.0 for other machines, too (default 127.0.0.1)", a->address,
               [](const std::string&, const std::string& typed) { return typed; });
      o.option("--jobs", "J", "How many programs are compiled at a time (default: as many as processors)",
               a->jobs, whole_from(1, 256));
      return [a](Console& c, const Window&) { return serve(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
