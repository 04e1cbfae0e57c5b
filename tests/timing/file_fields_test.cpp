// Each member of what files of measurements hold is listed in `fields`: one that is not is lost when it is
// saved.
#include <gtest/gtest.h>

#include <boost/pfr/core.hpp>

#include "engine/timing/recording.hpp"
#include "engine/timing/timeline.hpp"

namespace bscope {
namespace {

template <class T>
constexpr size_t members = boost::pfr::tuple_size_v<T>;

TEST(FileFields, ListEveryMemberOfARecording) {
  EXPECT_EQ(count_fields<Recording>(), members<Recording> - 1) << "all but `aside`";
  // the statistics of both runs stand there by themselves, and a bandwidth for other programs
  EXPECT_EQ(count_fields<Record>(), members<Record> + 2 * (members<Statistics> - 1) + 1);
}

TEST(FileFields, ListEveryMemberOfATimeline) {
  EXPECT_EQ(count_fields<Timeline>(), members<Timeline> - 1) << "each launch has lines of its own";
  EXPECT_EQ(count_fields<TimelineLaunch>(), members<TimelineLaunch> - 1) << "each block is a line";
  EXPECT_EQ(count_fields<TimelinePlace>(), members<TimelinePlace>);
  EXPECT_EQ(count_fields<TimelineShare>(), members<TimelineShare>);
  EXPECT_EQ(count_fields<TimelineMeasures>(), members<TimelineMeasures>);
  EXPECT_EQ(count_fields<TimelineCount>(), members<TimelineCount>);
}

}  // namespace
}  // namespace bscope
