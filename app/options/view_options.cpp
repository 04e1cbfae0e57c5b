#include "app/options/view_options.hpp"

#include "app/options/options.hpp"
#include "app/run/numbers.hpp"
#include "app/session/tab.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

int step(const std::string& name, const std::string& typed) {
  const int k = number<int>(name, typed, tr_noop("a whole number from 0"));
  if (k < 0) throw UsageError(message("--step counts from 0"));
  return k;
}

int from_zero(const std::string& name, const std::string& typed) {
  const int k = number<int>(name, typed, tr_noop("a whole number from 0"));
  if (k < 0)
    throw UsageError(message("{} {} is out of range: it counts from 0", option_message(name), typed));
  return k;
}

/// Checks that there is such an array. It is looked up where there is a run.
std::string cell(const std::string& name, const std::string& typed) {
  const size_t bracket = typed.find('[');
  if (bracket == 0 || bracket == std::string::npos || !typed.ends_with(']'))
    throw UsageError(message("{} {} is no cell: write for example {} sum[7]", option_message(name), typed,
                             option_message(name)));
  from_zero(name, typed.substr(bracket + 1, typed.size() - bracket - 2));
  return typed;
}

/// Its name is looked up where there is a run.
std::string state(const std::string& name, const std::string& typed) {
  const size_t sign = typed.find('=');
  if (sign == std::string::npos || sign == 0)
    throw UsageError(message("{} {} is no state of a tab: write for example --state watch.words=true",
                             option_message(name), typed));
  return typed;
}

}  // namespace

std::vector<std::string> views() {
  std::vector<std::string> all;
  for (const Tab* tab : tabs()) all.emplace_back(tab->name);
  all.emplace_back("run");
  return all;
}

void look_options(Options& o, ViewOptions& look) {
  o.group("");
  o.option("--theme", "T", "dark, light or projector", look.theme, one_of({"dark", "light", "projector"}))
      .in_link();
  o.flag("--dialect", "A kernel's source in Barrierscope's dialect, not as its CUDA program", look.dialect)
      .in_link();
  o.option("--lesson", "NAME|FILE.md[:STEP]", "A lesson beside it, see `list`; :3 for its third step",
           look.lesson,
           some_word(tr_noop("--lesson needs the name of a lesson: `barrierscope list` shows them")))
      .in_link();
}

void embed_option(Options& o, ViewOptions& look) {
  o.option("--embed", "V", "This view alone, as in a frame of a page", look.embed, one_of(views())).in_link();
}

void place_options(Options& o, ViewOptions& view) {
  o.group("Where to look");
  o.option("--view,--tab", "V", "watch, run, banks, memory, atomics, compare, time or schedule", view.view,
           one_of(views()))
      .in_link();
  o.option("--step", "K", "Interval of the whole run, from 0 (the window counts a block's steps from 1)",
           view.step, step)
      .in_link();
  o.option("--substep", "K", "One instruction of a warp within the step, from 0", view.substep, from_zero)
      .in_link();
  o.option("--thread", "T", "Follow this thread of the block", view.thread, from_zero).in_link();
  o.option("--cell", "NAME[INDEX]", "Select this cell: sum[7]", view.cell, cell).in_link();
  o.option("--line", "L", "Select this line of the source", view.line, from_zero).in_link();
  o.flag("--predict", "As a question: what the step changes is left open", view.predict).in_link();
  o.repeated("--state", "TAB.NAME=VALUE", "What a tab remembers, as links say it; may be repeated",
             view.states, state)
      .in_link();
  o.group("");
}

}  // namespace bscope
