// What the Time tab of a user's own program measures, opens and saves.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/measure/in_place_bench.hpp"
#include "app/run/own_program.hpp"
#include "app/run/target.hpp"
#include "app/session/state.hpp"
#include "app/session/tab_services.hpp"
#include "app/tabs/time/in_place.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/own_program.hpp"

namespace bscope {
namespace {

/// Where the last export went.
struct InPlaceNotice {
  std::string words;
  uint64_t changes = 0;
  void say_now(std::string s) {
    words = std::move(s);
    ++changes;
  }
};

/// A recording that counts no bytes (its machine had no clang), with those of the run that is open here.
struct InPlaceCounted {
  std::weak_ptr<const Run> run;
  std::string path;
  std::optional<cuda::InPlace> with;
};
const cuda::InPlace& counted(const LoadedState& s, TabServices& services, const std::string& path) {
  const cuda::InPlace& read = services.of<InPlaceBench>().opened(path);
  const bool has = std::ranges::any_of(read.kernels, [](const auto& k) { return k.bytes > 0; });
  if (has || !s.program) return read;
  InPlaceCounted& kept = services.of<InPlaceCounted>();
  if (!kept.with || kept.path != path || kept.run.lock() != s.run) {
    kept = {s.run, path, read};
    add_traffic(*kept.with, *s.run, s.program->report);
  }
  return *kept.with;
}

std::string name_of(const Target& t) { return std::filesystem::path(t.file).filename().string(); }

}  // namespace

bool shows_in_place(const State& s) { return s.target.is_program(); }

uint64_t in_place_version(const LoadedState&, TabServices& services) {
  return services.of<InPlaceBench>().version() + services.of<InPlaceNotice>().changes * 1'000'003;
}

InPlaceInput in_place_input(const LoadedState& s, TabServices& services) {
  InPlaceBench& bench = services.of<InPlaceBench>();
  bench.version();
  InPlaceInput in;
  in.program = name_of(s.target);
  in.gpu = bench.tools.gpu;
  in.nvcc = !bench.tools.nvcc.empty();
  in.measuring = bench.measuring();
  in.run = bench.run();
  in.runs = bench.runs();
  in.error = bench.error(s.target.file);
  in.notice = services.of<InPlaceNotice>().words;
  in.services = &services;
  if (const std::string& path = s.of<TimeState>().in_place; !path.empty()) {
    try {
      in.shown = counted(s, services, path);
      in.recorded = true;
    } catch (const std::exception& e) { in.error = message_of(e); }
  }
  if (const cuda::InPlace* measured = bench.measured(s.target.file); measured && !in.shown)
    in.shown = *measured;
  return in;
}

void measure_in_place(LoadedState& s, TabServices& services) {
  if (!may_run(s.target.file)) return;  // the user was asked when it was opened
  s.of<TimeState>().in_place.clear();
  services.of<InPlaceNotice>().say_now({});
  services.of<InPlaceBench>().measure(s.target, services.wake);
}

void save_in_place(LoadedState& s, TabServices& services) {
  InPlaceNotice& notice = services.of<InPlaceNotice>();
  const InPlaceInput in = in_place_input(s, services);
  if (!in.shown) return notice.say_now(tr("Nothing is measured that could be saved: measure first."));
  const std::string name = std::filesystem::path(s.target.file).stem().string() + "-times.json";
  try {
    cuda::save_in_place(*in.shown, name);
    notice.say_now(tr("Saved as {}.", name));
  } catch (const std::exception& e) { notice.say_now(tr(message_of(e))); }
}

void open_in_place(LoadedState& s, TabServices& services, const std::string& path) {
  services.of<InPlaceBench>().open(path);
  s.of<TimeState>().in_place = path;
}

}  // namespace bscope
