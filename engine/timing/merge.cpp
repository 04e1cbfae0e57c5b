#include "engine/timing/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

bool same_device(const Recording& a, const Recording& b) {
  return a.device == b.device && a.driver == b.driver;
}
std::string device_text(const Recording& r) { return r.device + " (" + r.driver + ")"; }

/// Dates are written so that they sort as texts do.
void sort_by_date(std::vector<NamedRecording>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.date < b.second.date; });
}

}  // namespace

Recording merged(std::vector<NamedRecording> parts) {
  if (parts.empty()) throw UsageError(message("there is no recording to put together: name at least one"));
  for (const auto& [name, part] : parts)
    if (!same_device(part, parts.front().second))
      throw UsageError(message(
          "{} is of {} and {} of {}: put recordings of one device and driver together, or all into one .csv",
          name, device_text(part), parts.front().first, device_text(parts.front().second)));
  sort_by_date(parts);
  Recording all = parts.front().second;
  all.records.clear();
  all.notes.clear();
  std::string names;
  for (auto& [name, part] : parts) {
    names += (names.empty() ? "" : ", ") + name + " of " + part.date;
    for (EnglishMessage& note : part.notes)
      if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end())
        all.notes.push_back(std::move(note));
    for (Record& r : part.records) {
      const auto old = std::find_if(all.records.begin(), all.records.end(),
                                    [&](const Record& x) { return same_point(x, r); });
      if (old == all.records.end())
        all.records.push_back(std::move(r));
      else
        *old = std::move(r);
    }
  }
  if (parts.size() > 1) all.notes.emplace_back(message("put together from {}", names));
  std::stable_sort(all.records.begin(), all.records.end(),
                   [](const Record& a, const Record& b) { return a.n < b.n; });
  return all;
}

std::vector<Recording> merged_by_device(const std::vector<NamedRecording>& parts) {
  std::vector<std::vector<NamedRecording>> devices;
  for (const NamedRecording& part : parts) {
    const auto of = std::find_if(devices.begin(), devices.end(),
                                 [&](const auto& d) { return same_device(d.front().second, part.second); });
    if (of == devices.end())
      devices.push_back({part});
    else
      of->push_back(part);
  }
  std::vector<Recording> all;
  for (auto& device : devices) all.push_back(merged(std::move(device)));
  return all;
}

}  // namespace bscope
