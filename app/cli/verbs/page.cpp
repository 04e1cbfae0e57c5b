// A page made of a course.
#include <memory>
#include <ostream>

#include "app/cli/console.hpp"
#include "app/cli/verb.hpp"
#include "app/hosting/course_page.hpp"
#include "app/options/options.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

struct PageArguments {
  std::vector<std::string> words;
  std::string out, page = "build/web/site";
};

int write_page(const PageArguments& a, Console& c) {
  if (a.words.empty())
    throw UsageError(
        message("page needs the folder of a course: its programs, lessons, assignments and recordings"));
  if (a.out.empty()) throw UsageError(message("page needs -o FOLDER: where the page is written"));
  for (const Message& note : write_course_page({.course = a.words.front(), .page = a.page, .out = a.out}))
    c.err << tr(note) << "\n";
  c.out << tr("The page: {}", a.out + "/course.html") << "\n";
  return 0;
}

const RegisterVerb page_verb{{
    .name = "page",
    .what = "Write a page of a course: a folder of programs, lessons, assignments and recordings",
    .place = 12,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<PageArguments>();
      const auto as_typed = [](const std::string&, const std::string& typed) { return typed; };
      o.words("COURSE", "The folder of the course", 1, a->words);
      o.option("-o,--output", "FOLDER", "The folder to write, for any web server", a->out, as_typed);
      o.option("--page", "FOLDER",
               "The page that it is made from (default build/web/site, as ./web.sh builds it)", a->page,
               as_typed);
      return [a](Console& c, const Window&) { return write_page(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
