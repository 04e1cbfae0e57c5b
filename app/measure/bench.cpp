#include "app/measure/bench.hpp"

#include <utility>

#include "app/measure/recorded.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

std::string key_of(const Recording& r) { return r.device + "@" + r.date; }

void Bench::look_around() {
  if (recorded) return;
  recorded = recorded_curves();
  if (no_gpu.empty())
    if (const auto found = bscope::gpu(&no_gpu)) gpu = found->name;
}

std::vector<Recording> Bench::open(const std::string& path) {
  look_around();
  const std::vector<Recording> found = load_recordings(path);
  for (const Recording& r : found) {
    std::erase_if(*recorded, [&](const Recording& old) { return key_of(old) == key_of(r); });
    recorded->push_back(r);
  }
  ++opened;
  return found;
}

std::vector<Recording> Bench::all() {
  look_around();
  std::vector<Recording> live = measurer.progress().live;
  if (live.empty()) return *recorded;
  live.insert(live.begin(), recorded->begin(), recorded->end());
  return live;
}

uint64_t Bench::version() const {
  uint64_t v = measurer.version();
  for (const uint64_t part : {work.version(), uint64_t(opened), uint64_t(recorded ? recorded->size() : 0),
                              uint64_t(std::hash<std::string>{}(notice))})
    v = v * 0x9e3779b97f4a7c15u + part;
  return v;
}

}  // namespace bscope
