// The Time tab of a user's own program, of recordings and without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/in_place.hpp"
#include "app/run/in_place_words.hpp"
#include "app/tabs/time/in_place.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;
using testing::Not;

cuda::TimedKernel kernel(const std::string& name, double us, double bytes) {
  cuda::TimedKernel k;
  k.shape = {name, {4096, 4096, 1}, {16, 16, 1}, bytes > 0 ? uint64_t(0) : uint64_t(4096)};
  k.launches = 3;
  for (const double x : {1.0, 0.98, 1.01, 1.3, 1.0, 0.99, 1.02}) k.samples.push_back(us * x * 1e-6);
  k.seconds = summarise(k.samples);
  k.total_seconds = 3 * k.seconds.median;
  k.bytes = bytes;
  k.fetched = 2.5 * bytes;
  return k;
}

InPlaceInput recorded() {
  InPlaceInput in;
  in.program = "transpose.cu";
  in.recorded = true;
  in.runs = 7;
  cuda::InPlace p;
  p.program = in.program;
  p.device = "A GPU with a rather long name, 80GB";
  p.driver = "13.0";
  p.date = "2026-11-23T09:00:00Z";
  p.copy_gb_per_s = 2900;
  p.peak_gb_per_s = 3352;
  p.empty_seconds = 1.9e-6;
  p.runs = 7;
  p.kernels = {kernel("copy", 190, 5.4e8), kernel("naive_with_a_long_name_that_says_all", 410, 5.4e8),
               kernel("tiled<1>", 200, 5.4e8), kernel("histogram_of_what_was_not_traced<256, float>", 20, 0)};
  p.check = cuda::OutputCheck{};
  p.notes = {"one launch failed or could not be timed"};
  in.shown = p;
  return in;
}

std::string all_words(const Picture& p) {
  std::string all;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text) all += s.words + "\n";
  return all;
}
Picture draw_in_place(const InPlaceInput& in) {
  return in_place_view(in, theme(ThemeName::dark, 900), fixed_metrics(), 1600, 856);
}

TEST(InPlaceView, HasARowAKernelWithItsLimits) {
  const Picture p = draw_in_place(recorded());
  const std::string words = all_words(p);
  for (const char* said : {"copy", "tiled<1>", "2,842", "98%", "2,900 GB/s", "not traced", "2.50 x",
                           "It prints the same on the GPU as on the CPU.", "recorded 2026-11-23"})
    EXPECT_THAT(words, HasSubstr(said));
  ASSERT_TRUE(hit_named(p, "kernel:1"));
  EXPECT_THAT(hit_named(p, "kernel:1")->tip, HasSubstr("2.50 times the bytes"));
}

TEST(InPlaceView, SaysWhatIsWrongAndWhatIsExcused) {
  InPlaceInput in = recorded();
  in.shown->check = cuda::OutputCheck{cuda::Alike::different, {3, "1 2 3", "1 2 4"}, 0, 0, ""};
  EXPECT_EQ(output_sentence(*in.shown),
            "It prints something else on the GPU than on the CPU, first in line 3: \"1 2 3\" on the GPU, \"1 "
            "2 4\" on "
            "the CPU.");
  in.shown->check->excuse = "it has a race: the order of the threads decides";
  EXPECT_THAT(output_sentence(*in.shown), HasSubstr("That is not judged: it has a race"));
  in.shown->check = cuda::OutputCheck{cuda::Alike::same, {}, 139, 0, ""};
  EXPECT_THAT(output_sentence(*in.shown), HasSubstr("exit code 139"));
}

TEST(InPlaceView, OffersWhatThisMachineCanDo) {
  InPlaceInput in;
  in.program = "homework.cu";
  in.runs = 7;
  EXPECT_FALSE(hit_named(draw_in_place(in), "measure in place"));
  EXPECT_THAT(all_words(draw_in_place(in)), HasSubstr("There is no NVIDIA GPU here."));
  EXPECT_THAT(all_words(draw_in_place(in)), HasSubstr("barrierscope time homework.cu"));
  in.gpu = true;
  EXPECT_THAT(all_words(draw_in_place(in)), HasSubstr("no nvcc here"));
  in.nvcc = true;
  EXPECT_TRUE(hit_named(draw_in_place(in), "measure in place"));
  EXPECT_THAT(all_words(draw_in_place(in)), HasSubstr("without the confinement"));
  in.measuring = true;
  in.run = 3;
  EXPECT_TRUE(hit_named(draw_in_place(in), "stop"));
  EXPECT_THAT(all_words(draw_in_place(in)), HasSubstr("run 3 of 7"));
}

TEST(InPlaceView, IsCleanInEveryThemeSizeAndLanguage) {
  for (const bool shown : {true, false}) {
    InPlaceInput in = recorded();
    if (!shown) in.shown.reset();
    expect_clean_everywhere(
        shown ? "in place" : "in place, nothing yet",
        [&](const Theme& t, const Metrics& m, float w, float h) { return in_place_view(in, t, m, w, h); });
  }
}

TEST(InPlaceText, IsATableAndSentences) {
  const std::string text = in_place_text(*recorded().shown);
  EXPECT_THAT(
      text, HasSubstr("A GPU with a rather long name, 80GB, 13.0, 2026-11-23T09:00:00Z: copy 2900 GB/s, peak "
                      "3352 GB/s\ntranspose.cu, 7 runs\n"));
  EXPECT_THAT(text, HasSubstr("GB/s  of copy  of peak  fetched"));
  EXPECT_THAT(text, HasSubstr("0.190 ms"));
  EXPECT_THAT(text, HasSubstr("note: one launch failed"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace bscope
