#include "app/state/measure.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/cli/time.hpp"

namespace bscope {

void Measurer::start(const Algorithm& algorithm, int block, std::function<void()> changed) {
  {
    const std::lock_guard lock(mutex_);
    if (progress_.measuring) return;
    progress_.measuring = true;
    progress_.done = progress_.all = 0;
    progress_.doing.clear();
    progress_.error.clear();
    ++version_;
  }
  if (thread_.joinable()) thread_.join();  // the last sweep has ended
  stop_ = false;
  changed_ = std::move(changed);
  thread_ = std::thread([this, &algorithm, block] { sweep(algorithm, block); });
}

void Measurer::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

Measurer::Progress Measurer::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

bool Measurer::tell(const Recording& so_far, const std::string& family, const std::string& doing, int done,
                    int all) {
  {
    const std::lock_guard lock(mutex_);
    progress_.doing = doing;
    progress_.done = done;
    progress_.all = all;
    auto device = std::find_if(progress_.live.begin(), progress_.live.end(),
                               [&](const Recording& r) { return r.device == so_far.device; });
    if (device == progress_.live.end()) device = progress_.live.insert(device, Recording{});
    // Sweeps of other families stay; those kernels that are measured anew replace their older records.
    std::vector<Record> kept;
    for (Record& old : device->records)
      if (old.family() != family) kept.push_back(std::move(old));
    *device = so_far;
    device->records.insert(device->records.end(), kept.begin(), kept.end());
    ++version_;
  }
  if (changed_) changed_();
  return !stop_;
}

void Measurer::sweep(const Algorithm& algorithm, int block) {
  const std::string family = algorithm.family();
  std::string error;
  try {
    const auto progress = [&](const Recording& so_far, const std::string& doing, int done, int all) {
      return tell(so_far, family, doing, done, all);
    };
    Request request;
    if (gpu()) {
      std::vector<const Algorithm*> kernels;
      for (const Algorithm* a : catalog())
        if (a->family() == family && a->timed) kernels.push_back(a);
      request.block = block;
      tell(measure_gpu(kernels, request, sweep_sizes(Device::gpu), {}, progress), family, "", 0, 0);
    } else {
      tell(measure_cpu({family}, request, sweep_sizes(Device::cpu), {}, progress), family, "", 0, 0);
    }
  } catch (const std::exception& e) { error = e.what(); }
  {
    const std::lock_guard lock(mutex_);
    progress_.measuring = false;
    progress_.doing.clear();
    progress_.error = error;
    ++version_;
  }
  if (changed_) changed_();
}

}  // namespace bscope
