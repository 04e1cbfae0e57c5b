#include "app/measure/recorded.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

namespace bscope {

namespace fs = std::filesystem;

const std::vector<Recording>& recorded_curves() {
  static const std::vector<Recording> read = [] {
    fs::path folder = recordings_folder();
#ifdef BARRIERSCOPE_ASSETS
    if (folder.empty()) folder = fs::path(BARRIERSCOPE_ASSETS) / "recorded";
#endif
    auto all = folder.empty() ? std::vector<Recording>{} : recordings_in(folder);
    std::ranges::stable_sort(all, std::greater<>{}, &Recording::copy_gb_per_s);
    for (Recording& r : all) r.aside = r.device != all.front().device;
    return all;
  }();
  return read;
}

}  // namespace bscope
