// Times of the lessons' programs at full size beside libraries that do the same, as
// benchmarks/course_libraries measured them: assets/lessons/full_size.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

/// One way to do a task: a kernel of a lesson's program, or the library's.
struct LibraryTimesWay {
  std::string name;
  double median_ms = 0, times_library = 0;
  bool right = false;  ///< its result was the library's
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("name", s.name);
    visit("median_ms", s.median_ms);
    visit("times_library", s.times_library);
    visit("right", s.right);
  }
};

struct LibraryTimesTask {
  std::string task, size;
  std::vector<LibraryTimesWay> ways;  ///< the library's is the last
  const LibraryTimesWay* way(std::string_view name) const;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("task", s.task);
    visit("size", s.size);
    visit("ways", s.ways);
  }
};

struct LibraryTimes {
  std::string device;
  int runs = 0;  ///< of each way, in turn; times are their medians
  std::vector<LibraryTimesTask> tasks;
  const LibraryTimesTask* task(std::string_view name) const;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("device", s.device);
    visit("runs", s.runs);
    visit("tasks", s.tasks);
  }
};

/// Those that come with the program, read once. Without tasks where there are none.
const LibraryTimes& library_times();

}  // namespace bscope
