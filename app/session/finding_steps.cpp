#include "app/session/finding_steps.hpp"

#include <filesystem>
#include <utility>

#include "app/run/finding_groups.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {

LoadedState to_finding(LoadedState s, const FindingGroup& g) {
  const Run& run = *s.run;
  if (run.trace.launches.empty()) return s;
  if (g.moment && steps(run) > 0) {
    s = to_step(std::move(s), step_of(run, *g.moment));
    // a block that was ended before it did anything has no step
    s.cursor.launch = g.moment->launch;
    s.cursor.block = g.moment->block;
    s.cursor.thread = g.moment->thread;
    s.cursor.cell = g.moment->cell;
    s.cursor.array = g.moment->cell ? g.moment->cell->array : -1;
    s.cursor = fitted(run, s.cursor);
  }
  s.playing = false;
  const int source = run.trace.launches[size_t(s.cursor.launch)].source;
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename(); };
  const bool here = source >= 0 && size_t(source) < run.trace.sources.size() &&
                    name(run.trace.sources[size_t(source)].path) == name(g.at.file);
  if (g.at.line > 0 && here) s.cursor.line = g.at.line;
  return s;
}

}  // namespace bscope
