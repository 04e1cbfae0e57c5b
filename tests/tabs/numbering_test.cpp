// Steps and launches are counted from 1 wherever they are read, and threads stand where they work.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "app/run/values.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

RunQueries many_launches(long long n = 100) {
  RunSpec r;
  r.kernel = "scan/hierarchical";
  r.n = n;
  r.block = 8;
  return RunQueries(traced_run(r));
}

TEST(Numbering, StepsAndLaunchesCountFromOneInEveryPicture) {
  static const std::regex said("([Ss]tep|[Ll]aunch) ([0-9]+)");
  for (const RunQueries& m :
       {many_launches(), model_of("scan/blelloch"), model_of("scan/kogge-stone", 40, 8)}) {
    const int launches = int(m.trace().launches.size());
    size_t longest = 0;
    for (const Interval& i : m.flow().intervals)
      longest = std::max(longest, m.flow().of_block(i.launch, i.block).size());
    for (int k = 0; k < steps(m.run()); k += 3) {
      const Cursor c = at_step(m.run(), {}, k);
      const WatchPictures all = watch_pictures(m, c, ThemeName::dark, fixed_metrics(), 1600, 900);
      for (const auto& [name, p] : all.all()) {
        std::vector<std::string> words = texts(*p);
        for (const HitRegion& h : p->hits) words.push_back(h.tip);
        for (const std::string& s : words)
          for (std::sregex_iterator at(s.begin(), s.end(), said), last; at != last; ++at) {
            const int number = std::stoi((*at)[2]),
                      most = std::tolower((*at)[1].str()[0]) == 's' ? int(longest) : launches;
            EXPECT_GE(number, 1) << name << ": " << s;
            EXPECT_LE(number, most) << name << ": " << s;
          }
      }
      for (const HitRegion& h : all.timeline.hits)
        if (h.what == HitRegion::interval && h.name.starts_with("step:")) {
          EXPECT_TRUE(h.tip.starts_with("Step " + std::to_string(step_number(h.a)) + ",")) << h.tip;
        }
    }
  }
}

TEST(AllBlocks, OfOneBlockShowsTheBlockItself) {
  const RunQueries m = many_launches();
  WatchState state;
  state.all_blocks = true;
  for (int launch = 0; launch < int(m.trace().launches.size()); ++launch)
    for (int block = 0; block < m.trace().launches[size_t(launch)].grid; ++block) {
      Cursor c;
      c.launch = launch;
      c.block = block;
      const Picture p =
          array_view(m, c, theme(ThemeName::dark, 900), fixed_metrics(), 956, 420, nullptr, state);
      const bool several = m.trace().launches[size_t(launch)].grid > 1;
      int tiles = 0, ways = 0;
      for (const HitRegion& h : p.hits) {
        tiles += h.name == "block:" + std::to_string(block);
        ways += h.name == "blocks:all";
      }
      EXPECT_EQ(tiles, several ? 1 : 0)
          << launch << " " << block;  // never a picture of one tile, never an empty one
      EXPECT_EQ(ways, several ? 1 : 0) << launch << " " << block;
      EXPECT_GT(p.shapes.size(), 4u) << launch << " " << block;
    }
}

// A bare number beside a phase could be a stride or a count: a stride is "by 4", a count "step 2 of 8" or
// "#2".
TEST(Numbering, AStrideAndACountAreToldApart) {
  static const std::regex bare("(^| )[0-9]+( of [0-9]+)?$"), count("step [0-9]+( of [0-9]+)?$"),
      label("(by|stride) [0-9]+$|#[0-9]+$|(block|launch) [0-9]+.*$|^(of )?[0-9]+$");
  int strides = 0;
  for (const char* kernel : {"reduce/tree-mask", "reduce/shared", "reduce/warp-shuffle", "scan/kogge-stone",
                             "scan/blelloch", "scan/brent-kung", "scan/hierarchical"})
    for (const ThemeName name : {ThemeName::dark, ThemeName::projector}) {
      const RunQueries m = model_of(kernel, 32, 16);
      const std::string phase = phase_title(m.trace(), *m.step(at_step(m.run(), {}, 1))->interval);
      for (int k = 0; k < steps(m.run()); k += 2) {
        const WatchPictures all =
            watch_pictures(m, at_step(m.run(), {}, k), name, fixed_metrics(), 1600, 900);
        for (const Picture* p : {&all.whole, &all.timeline})
          for (const HitRegion& h : p->hits)
            if (h.name.starts_with("run:step:") || h.name.starts_with("step:"))
              for (const Shape& s : p->shapes) {
                if (s.type != Shape::text || s.font == Font::mono || s.font == Font::mono_bold) continue;
                strides += s.words.find("by ") != std::string::npos;
                EXPECT_TRUE(!std::regex_search(s.words, bare) || std::regex_search(s.words, label))
                    << kernel << ": " << s.words;
              }
        for (const std::string& s : texts(all.array))
          if (s.starts_with(phase) && s != phase) {
            EXPECT_TRUE(std::regex_search(s, count)) << kernel << ": " << s;
          }
      }
    }
  EXPECT_GT(strides, 20);
}

TEST(Threads, StandOverACellOnlyWhereThereIsOneForEach) {
  for (const auto& [kernel, n, block] :
       {std::tuple("scan/blelloch", 8LL, 4LL), std::tuple("scan/blelloch", 16LL, 8LL),
        std::tuple("reduce/tree-mask", 8LL, 8LL), std::tuple("scan/kogge-stone", 4LL, 4LL),
        std::tuple("reduce/shared", 64LL, 8LL)}) {
    const RunQueries m = model_of(kernel, n, block);
    const Theme t = theme(ThemeName::dark, 900);
    for (int k = 0; k < int(m.block(0, 0).steps.size()); ++k) {
      const Cursor c = at_step(m.run(), {}, k);
      const Picture p = array_view(m, c, t, fixed_metrics(), 956, 342);
      const Columns columns = array_columns(m, c, t, 956);
      const int threads = m.trace().launches[0].block, cells = shown_part(m, c).size;
      std::vector<float> x(static_cast<size_t>(threads), -1);
      for (const HitRegion& h : p.hits)
        if (h.name.starts_with("thread:")) x[size_t(h.a)] = h.box.centre().x;
      const float pitch = x[1] - x[0];
      if (threads == cells) {
        for (int rank = 0; rank < threads; ++rank)
          EXPECT_NEAR(x[size_t(rank)], columns.x(rank), 1) << kernel << " t" << rank << " step " << k;
      } else if (threads < cells) {
        // a row of their own: not as far apart as cells are, or some cells together
        const float share = pitch / columns.pitch;
        EXPECT_GT(std::fabs(share - std::max(1.0f, std::round(share))), 0.2f) << kernel << " step " << k;
        EXPECT_LE(x.back(), columns.right());
      }
    }
  }
}

}  // namespace
}  // namespace bscope
