// No verb: the app.
#include "app/cli/command.hpp"
#include "app/cli/console.hpp"
#include "app/cli/course_folder.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/verb.hpp"
#include "app/cli/walk.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/options/view_options.hpp"
#include "app/run/first_kernel.hpp"
#include "app/run/own_program.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

struct AppArguments {
  std::vector<std::string> words;
  RunOptions run;
  ViewOptions look;
};

/// The same, where a link named it: a lesson may stand beside another run there.
AppArguments as_linked(AppArguments a, const Options& given) {
  a.look.beside = given.by_link("lesson") && given.by_link("kernel");
  return a;
}

/// The window where there is a display; else the same run as text.
int open_app(const AppArguments& asked, const Options& given, Console& c, const Window& window) {
  AppArguments a = as_linked(asked, given);
  const std::string course = take_course(a.look, a.run, a.words);
  const auto lessons = lessons_target(a.look, a.run, a.words);
  const WindowOptions o{a.look,
                        lessons           ? *lessons
                        : a.words.empty() ? target_of(a.run, first_kernel)
                                          : target_of(a.run, a.words, ""),
                        given.given("--language") ? name_of(spoken()) : "", course};
  std::string how;
  if (!window.open)
    how = tr("This program was built without its window: build the release preset to get it.");
  else if (!c.display)
    how =
        tr("There is no display here. For the window, start this on a desktop, or with `ssh -X`; "
           "`barrierscope render` draws the same into a picture.");
  else {
    need_affordable(o.target);
    try {
      return window.open(o);
    } catch (const NoWindow& e) { how = tr("The window cannot be opened: {}", tr(e.message())); }
  }
  if (!course.empty() && a.look.lesson == "all") {
    c.out << course_text(read_course(course), c.ink()) << "\n" << how << "\n";
    return 0;
  }
  walk(*open(o.target, c).run, c, how);
  return 0;
}

const RegisterVerb app{{
    .name = "",
    .what = "Barrierscope: watch a GPU kernel barrier by barrier",
    .place = 0,
    .footer = "\nExit code: 0 done; 1 a check failed, there is no such device, or the output cannot be "
              "written; 2 bad "
              "usage or "
              "bad input.\nExamples:\n"
              "  barrierscope                                          the app on Blelloch's scan\n"
              "  barrierscope homework.cu -- 1024                      your own CUDA file, unchanged, with "
              "its arguments\n"
              "  barrierscope course/                                  a folder of lessons, programs and "
              "assignments\n"
              "  barrierscope 'barrierscope:?kernel=scan/blelloch'     what a link shows\n"
              "  barrierscope show scan/blelloch --values 3,1,7,0,4,1,6,3 --block 4 --json\n"
              "  barrierscope check histogram/racy --preset queue-7x20\n"
              "  barrierscope trace reduce/shared --n 64 -o sum.bscope && barrierscope sum.bscope\n",
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<AppArguments>();
      run_words(o,
                "Name of a kernel, a .bscope file, your own .cu file, a course's folder, or a link (default "
                "scan/blelloch)",
                1, a->words);
      look_options(o, a->look);
      place_options(o, a->look);
      embed_option(o, a->look);
      trace_options(o, a->run);
      return [a, &o](Console& c, const Window& window) { return open_app(*a, o, c, window); };
    },
}};

}  // namespace
}  // namespace bscope
