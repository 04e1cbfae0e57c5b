#include "app/links/place.hpp"

#include <algorithm>

#include "app/lessons/place.hpp"
#include "app/lessons/shelf.hpp"
#include "app/links/states.hpp"
#include "app/options/view_options.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/substeps.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

Pairs state_pairs(const std::vector<std::string>& states) {
  Pairs all;
  for (const std::string& s : states) {
    const size_t sign = s.find('=');
    all.emplace_back(s.substr(0, sign), s.substr(sign + 1));
  }
  return all;
}

void select(LoadedState& s, const ViewOptions& o) {
  Cursor& c = s.cursor;
  const Run& run = *s.run;
  if (o.substep) {
    c.substep = *o.substep;
    c = fitted(run, c);
  }
  const int threads = run.trace.launches[size_t(c.launch)].block;
  if (o.thread && *o.thread >= threads)
    throw UsageError(
        message("there is no thread {}: a block of this run has {}, from 0", *o.thread, threads));
  if (o.thread) c.thread = *o.thread;
  if (!o.cell.empty()) {
    c.cell = cell_of(run, c.launch, o.cell);
    if (!c.cell)
      throw UsageError(message("there is no cell {} here: the run has {}", o.cell, arrays_of(run, c.launch)));
  }
  if (o.line) c.line = *o.line;
  c = fitted(run, c);
}

}  // namespace

LoadedState at_place(LoadedState s, const ViewOptions& o) {
  if (o.step) s = to_step(std::move(s), *o.step);
  if (!s.run->trace.launches.empty()) select(s, o);
  if (const std::string& view = o.embed.empty() ? o.view : o.embed; !view.empty())
    s = to_view(std::move(s), view);
  if (o.predict && !prediction_on(s)) s = predict(std::move(s));
  return with_states(std::move(s), state_pairs(o.states));
}

LoadedState beside_lesson(LoadedState s, const std::string& words, RunStore& runs) {
  if (words == "all") return with_lesson(std::move(s), words, runs);
  const ChosenLesson chosen = choose_lesson(words, s.language);
  s.lesson.open = true;
  s.lesson.lesson = chosen.lesson.id;
  s.lesson.step = chosen.step;
  s.lesson.part = chosen.part;
  return s;
}

}  // namespace bscope
