#include "app/measure/measurement_store.hpp"

#include <utility>

#include "app/measure/recorded.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/meter.hpp"

namespace bscope {

std::string key_of(const Recording& r) { return r.device + "@" + r.date; }

namespace {
void put(std::vector<Recording>& all, const Recording& r) {
  std::erase_if(all, [&](const Recording& old) { return key_of(old) == key_of(r); });
  all.push_back(r);
}
}  // namespace

std::vector<Recording>& MeasurementStore::recordings() {
  if (recorded) return *recorded;
  awaited = recorded_curves_awaited();
  if (!awaited.empty()) return opened_before_;
  recorded = recorded_curves();
  for (const Recording& r : std::exchange(opened_before_, {})) put(*recorded, r);
  return *recorded;
}

void MeasurementStore::look_around() {
  recordings();
  if (!gpu.empty() || !no_gpu.empty()) return;
  if (const auto found = bscope::gpu(&no_gpu)) gpu = found->name;
}

std::vector<Recording> MeasurementStore::open(const std::string& path) {
  const std::vector<Recording> found = load_recordings(path);
  std::vector<Recording>& all = recordings();
  for (const Recording& r : found) put(all, r);
  ++opened;
  return found;
}

const std::vector<Recording>& MeasurementStore::all() {
  const std::vector<Recording>& there = recordings();
  if (const uint64_t now = version(); now != all_of_ || now == 0) {
    all_ = measurer.progress().live;
    if (!all_.empty()) all_.insert(all_.begin(), there.begin(), there.end());
    all_of_ = now;
  }
  return all_.empty() ? there : all_;
}

uint64_t MeasurementStore::version() {
  uint64_t v = measurer.version();
  for (const uint64_t part :
       {work.version(), uint64_t(opened), uint64_t(recordings().size()),
        uint64_t(std::hash<std::string>{}(awaited.english())), uint64_t(std::hash<std::string>{}(notice))})
    v = v * 0x9e3779b97f4a7c15u + part;
  return v;
}

}  // namespace bscope
