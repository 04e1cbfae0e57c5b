#include "app/export/series.hpp"

#include <algorithm>

#include "app/export/export.hpp"
#include "app/run/run_store.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

constexpr const char* mark = "%d";

}  // namespace

bool is_series(const std::filesystem::path& file) {
  return file.filename().string().find(mark) != std::string::npos;
}

bool each_picture(const Export& e, const FilmProgress& progress,
                  const std::function<void(const LoadedState&, const std::filesystem::path&)>& draw) {
  RunStore runs;
  const LoadedState s = with_needs(e.state, runs);
  if (!tab_of(s).plays) throw UsageError(message("the Time view has no steps to play"));
  const int last = std::clamp(e.last, 0, steps(*s.run) - 1), first = std::clamp(e.first, 0, last);
  for (int step = first; step <= last; ++step) {
    std::string name = e.file.filename().string();
    name.replace(name.find(mark), 2, std::to_string(step));
    draw(to_step(s, step), e.file.parent_path() / name);
    if (progress && !progress(step - first + 1, last - first + 1)) return false;
  }
  return true;
}

}  // namespace bscope
