#include "app/measure/library_times.hpp"

#include <algorithm>

#include "app/run/assets.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {

constexpr size_t largest = size_t(1) << 20;

const LibraryTimesWay* LibraryTimesTask::way(std::string_view name) const {
  const auto found = std::ranges::find(ways, name, &LibraryTimesWay::name);
  return found == ways.end() ? nullptr : &*found;
}

const LibraryTimesTask* LibraryTimes::task(std::string_view name) const {
  const auto found = std::ranges::find(tasks, name, &LibraryTimesTask::task);
  return found == tasks.end() ? nullptr : &*found;
}

const LibraryTimes& library_times() {
  static const LibraryTimes times = [] {
    LibraryTimes read;
    try {
      const auto file = assets_folder() / "lessons" / "full_size.json";
      from_fields_json(read, parse_json(read_file(file, largest), file.string()), {});
    } catch (const BadFile&) { read = {}; }
    return read;
  }();
  return times;
}

}  // namespace bscope
