// Steps and launches are counted from 1 wherever they are read, and threads stand where they work.
#include <gtest/gtest.h>

#include <regex>

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

TEST(Threads, StandOverTheCellsOfTheirShare) {
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
      const int threads = m.trace().launches[0].block, share = std::max(1, shown_part(m, c).size / threads);
      for (const HitRegion& h : p.hits)
        if (h.name.starts_with("thread:")) {
          EXPECT_NEAR(h.box.centre().x, columns.left + columns.pitch * float(share) * (float(h.a) + 0.5f), 1)
              << kernel << " " << h.name << " step " << k;
        }
    }
  }
}

}  // namespace
}  // namespace bscope
