#include "app/measure/recorded.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

namespace bscope {

namespace fs = std::filesystem;

std::vector<Recording> newest_first(std::vector<Recording> all) {
  std::ranges::stable_sort(all, std::greater<>{}, [](const Recording& r) {
    return std::pair(r.date.substr(0, 10), r.records.size());
  });
  for (Recording& r : all) r.aside = &r != &all.front();
  return all;
}

const std::vector<Recording>& recorded_curves() {
  static const std::vector<Recording> read = [] {
    fs::path folder = recordings_folder();
#ifdef BARRIERSCOPE_ASSETS
    if (folder.empty()) folder = fs::path(BARRIERSCOPE_ASSETS) / "recorded";
#endif
    auto all = folder.empty() ? std::vector<Recording>{} : recordings_in(folder);
    return newest_first(std::move(all));
  }();
  return read;
}

}  // namespace bscope
