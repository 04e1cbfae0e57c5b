#include "engine/timing/recording_reader.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "app/measure/measurement_store.hpp"
#include "app/measure/recorded.hpp"
#include "app/run/assets.hpp"
#include "app/run/worker.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/scoped_assign.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

using std::chrono::milliseconds;

std::string text_of(const std::filesystem::path& file) {
  return as_text(read_file(file.string(), largest_recording), file.string());
}

TEST(RecordingReader, ReadsInPiecesWhatIsReadAtOnce) {
  const auto files = recording_files(recordings_folder());
  for (const auto& file : std::span(files).first(test::all_or_part(files.size(), size_t(1)))) {
    const std::string text = text_of(file);
    RecordingReader reader(text, file.string());
    int pieces = 1;
    while (reader.next(milliseconds(0))) {
      ++pieces;
      EXPECT_LT(reader.share(), 1);
    }
    EXPECT_EQ(reader.share(), 1);
    const Recording read = reader.take();
    EXPECT_EQ(pieces, int(read.records.size()) + 1) << "a record each, and the end";
    EXPECT_EQ(to_json(read), to_json(read_recording(text, "f.json")));
  }
}

TEST(RecordingReader, ReadsTextsOfOtherShapes) {
  const std::string text = text_of(recording_files(recordings_folder()).back());
  std::string one_line = text;
  std::erase(one_line, '\n');
  RecordingReader reader(one_line, "f.json");
  EXPECT_FALSE(reader.next(milliseconds(0)));
  EXPECT_EQ(to_json(reader.take()), to_json(read_recording(text, "f.json")));
  // a part of a file, and a line that is none
  for (const std::string& wrong : {text.substr(0, text.size() / 2), std::string("nonsense"), [&] {
                                     std::string s = text;
                                     return s.replace(s.rfind("\"n\""), 3, "\"m\"");
                                   }()})
    EXPECT_THROW(
        {
          RecordingReader bad(wrong, "f.json");
          while (bad.next(milliseconds(0))) {}
        },
        BadFile);
}

// A page fetches its recordings and reads them between frames: what shows them says so meanwhile.
TEST(RecordedCurves, ComeBetweenFramesWhereThereAreNoThreads) {
  static AssetState state;
  state = AssetState::coming;
  std::vector<std::function<void()>> posted;
  const ScopedAssign idle(post_idle,
                          std::function<void(std::function<void()>)>(
                              [&](std::function<void()> work) { posted.push_back(std::move(work)); }));
  const ScopedAssign fetch(fetch_asset, static_cast<AssetState (*)(const std::filesystem::path&)>(
                                            [](const std::filesystem::path&) { return state; }));
  MeasurementStore store;
  EXPECT_TRUE(store.recordings().empty());
  EXPECT_EQ(tr(store.awaited), "Recorded times are being fetched.");
  state = AssetState::lost;
  const uint64_t before = store.version();
  EXPECT_TRUE(posted.empty());
  state = AssetState::here;
  EXPECT_NE(store.version(), before);
  int pieces = 0;
  while (!store.awaited.empty()) {
    ASSERT_EQ(posted.size(), 1u) << "one piece before the next frame";
    ++pieces;
    for (const auto& work : std::exchange(posted, {})) work();
    store.recordings();
  }
  EXPECT_GT(pieces, 3);
  EXPECT_EQ(store.recordings().size(), recording_files(recordings_folder()).size());
}

}  // namespace
}  // namespace bscope
