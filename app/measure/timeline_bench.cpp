#include "app/measure/timeline_bench.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/measure/phase_counts.hpp"
#include "app/run/assets.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/phase_names.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

bool goes_before(const ShownTimeline& a, const ShownTimeline& b) {
  const auto place = [](const Timeline& t) { return std::tuple(t.limit == 0, t.limit); };
  return place(a.timeline) < place(b.timeline);
}

void put_in(std::vector<ShownTimeline>& all, ShownTimeline shown) {
  std::erase_if(all, [&](const ShownTimeline& old) { return old.timeline.limit == shown.timeline.limit; });
  all.insert(std::ranges::upper_bound(all, shown, goes_before), std::move(shown));
}

/// Asks a page for the files. Says what it waits for; empty: all are here.
Message awaited_of(const std::vector<std::filesystem::path>& files) {
  Message awaited;
  for (const auto& file : files) switch (asset_state(file)) {
      case AssetState::here: break;
      case AssetState::coming:
        if (awaited.empty()) awaited = message("The kernel's schedules are being fetched.");
        break;
      case AssetState::lost:
        awaited = message("There is no connection: schedules are fetched when it is back.");
        break;
    }
  return awaited;
}

}  // namespace

ShownTimeline::ShownTimeline(Timeline t) : timeline(std::move(t)), schedule(rows_of(timeline)) {}

std::vector<std::filesystem::path> timeline_files(const std::string& kernel) {
  std::string name = kernel;
  std::ranges::replace(name, '/', '-');
  std::vector<std::filesystem::path> all;
  const auto assets = assets_folder();
  std::error_code error;
  if (assets.empty()) return all;
  for (std::filesystem::directory_iterator it(assets / "timelines", error), end; !error && it != end;
       it.increment(error)) {
    const std::string stem = it->path().stem().string();
    if (it->path().extension() == ".json" && stem.substr(0, stem.find('@')) == name)
      all.push_back(it->path());
  }
  std::ranges::sort(all);
  return all;
}

const std::vector<ShownTimeline>& TimelineBench::of(const std::string& kernel) {
  awaited_ = {};
  awaited_files_.clear();
  if (!of_.contains(kernel)) {
    auto files = timeline_files(kernel);
    awaited_ = awaited_of(files);
    if (!awaited_.empty()) {
      static const std::vector<ShownTimeline> none;
      awaited_files_ = std::move(files);
      return none;
    }
  }
  const auto [it, is_new] = of_.try_emplace(kernel);
  if (is_new)
    for (const auto& file : timeline_files(kernel)) try {
        put_in(it->second, ShownTimeline(load_timeline(file)));
      } catch (const BadFile& e) { error_ = e.message(); }
  return it->second;
}

void TimelineBench::keep(ShownTimeline shown) {
  of(shown.timeline.kernel);  // those that come with the program are read first
  auto& all = of_[shown.timeline.kernel];
  put_in(all, std::move(shown));
}

void TimelineBench::open(Timeline timeline) {
  ++version_;
  error_ = {};
  keep(ShownTimeline(std::move(timeline)));
}

void TimelineBench::record(const RunSpec& asked, int resident, const std::function<void()>& changed) {
  if (recording()) return;
  ++version_;
  error_ = {};
  work_.start(
      [asked, resident] {
        RecordedTimeline o;
        try {
          const Algorithm& algorithm = find(asked.kernel);
          const Problem p = timed_problem(algorithm, asked);
          o.timeline = gpu_meter({.most = 30, .seconds = 0.1})->timeline(algorithm, p, resident);
          name_phases(*o.timeline, algorithm, p);
          count_phases(*o.timeline);
        } catch (const std::exception& e) { o.error = message_of(e); }
        return o;
      },
      changed);
}

const std::string& TimelineBench::gpu() {
  if (!gpu_) {
    const auto found = bscope::gpu();
    gpu_ = found ? found->name : "";
  }
  return *gpu_;
}

uint64_t TimelineBench::version() {
  if (std::optional<RecordedTimeline> o = work_.take()) {
    ++version_;
    error_ = o->error;
    if (o->timeline) {
      ShownTimeline shown(std::move(*o->timeline));
      shown.here = true;
      keep(std::move(shown));
    }
  }
  if (!awaited_files_.empty() && awaited_of(awaited_files_) != awaited_) ++version_;
  return version_ * 2 + recording();
}

}  // namespace bscope
