// Arrays of two dimensions in blocks of two dimensions: a tile stands as a tile, a thread has its x and y.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "app/cli/text.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "engine/analysis/bank_slots.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/simt/program.hpp"
#include "tests/draw/screens.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

constexpr int side = 16, width = 32;

/// Through a tile of 16 rows, of 17 unless said.
struct Transpose {
  int pitch = 17;
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    auto tile = shared<T>(t, "tile", {.rows = side, .columns = pitch});
    const int x = t.rank() % side, y = t.rank() / side;
    const int left = t.block() % 2 * side, top = t.block() / 2 * side;
    tile[y * pitch + x] = in[(top + y) * width + left + x];
    t.sync();
    out[(left + y) * width + top + x] = tile[x * pitch + y];
  }
};

std::shared_ptr<const Run> transposed(Transpose transpose = {}) {
  Gpu gpu({.kind = Schedule::to_barrier});
  std::vector<int> values(width * width);
  for (int k = 0; k < width * width; ++k) values[size_t(k)] = k;
  auto in = gpu.array("in", values);
  auto out = gpu.array<int>("out", width * width);
  gpu.launch("transpose", {4, side * side}, transpose, read_only(in), out);
  auto run = std::make_shared<Run>();
  run->trace = std::move(gpu.trace);
  Trace& t = run->trace;
  t.kernel = "yours/transpose";
  t.dialect = Dialect::cuda;
  t.device = "cpu";
  t.parameters = {{"block", "256"}, {"n", "1024"}};
  t.output = 1;
  t.sources[0].text = std::string(200, '\n');
  t.launches[0].grid_extent = Extent{2, 2, 1};
  t.launches[0].block_extent = Extent{side, side, 1};
  for (ArrayInfo& a : t.arrays) a.rows = width;
  run->report = analyse(t);
  return run;
}

/// Where each cell of an array stands in the overview.
std::map<int, Box> cells_of(const Picture& p, int array) {
  std::map<int, Box> all;
  for (const HitRegion& h : p.hits)
    if (h.what == HitRegion::cell && h.a == array && h.name.starts_with("all:")) all.emplace(h.b, h.box);
  return all;
}

/// Cells of one column lie one below the other, those of one row side by side.
void expect_grid(const std::map<int, Box>& cells, int row) {
  ASSERT_GT(cells.size(), 200u);
  for (const auto& [index, box] : cells) {
    if (const auto below = cells.find(index + row); below != cells.end()) {
      EXPECT_FLOAT_EQ(below->second.x, box.x) << index;
      EXPECT_GT(below->second.y, box.y) << index;
    }
    const auto next = cells.find(index + 1);
    if (next == cells.end() || index % row == row - 1) continue;
    EXPECT_FLOAT_EQ(next->second.y, box.y) << index;
    EXPECT_GT(next->second.x, box.x) << index;
  }
}

TEST(Tile, OneMoreColumnMendsWhatThePaddedOneHas) {
  const auto plain = transposed({.pitch = side}), padded = transposed();
  const auto &asked = plain->report.requests(), &mended = padded->report.requests();
  ASSERT_EQ(asked.size(), mended.size());
  int conflicts = 0;
  for (size_t k = 0; k < asked.size(); ++k) {
    if (!asked[k].shared()) continue;
    conflicts += asked[k].wavefronts > asked[k].ideal;
    EXPECT_EQ(wavefronts_if_padded(*plain, asked[k]), mended[k].wavefronts) << k;
  }
  EXPECT_EQ(conflicts, 4 * 8) << "each warp of each block goes down a column";
}

TEST(Tile, StandsAsItWasDeclared) {
  const RunQueries m(transposed());
  const Metrics& metrics = fixed_metrics();
  const auto at = [](int block, int interval, int array) {
    Cursor c;
    c.block = block;
    c.interval = interval;
    c.array = array;
    return c;
  };
  const auto cells = [&](const Cursor& c, int array) {
    return cells_of(array_view(m, c, theme(ThemeName::dark, 900), metrics, 1000, 620), array);
  };
  for (const int block : {0, 1, 3}) {
    for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
      for (const int array : {first_shared, -1, 1}) {
        const WatchPictures all = watch_pictures(m, at(block, 1, array), name, metrics, 1600, 900);
        for (const auto& [what, picture] : all.all()) EXPECT_EQ(misplaced_text(*picture), "") << what;
      }
    expect_grid(cells(at(block, 0, first_shared), first_shared), Transpose{}.pitch);
    expect_grid(cells(at(block, 1, -1), 1), width);  // the block's part of it
    expect_grid(cells(at(block, 1, 1), 1), width);   // all of it
  }
}

TEST(Tile, ThreadsAndCellsAreNamedInTwoDimensions) {
  const auto run = transposed();
  const RunQueries m(run);
  EXPECT_EQ(m.name(0, {first_shared, 3 * Transpose{}.pitch + 5}), "tile[3][5]");
  EXPECT_EQ(m.name(0, {1, 37}), "out[37]");
  Cursor c;
  c.thread = 37;
  const WatchPictures all = watch_pictures(m, c, ThemeName::dark, fixed_metrics(), 1600, 900);
  std::string words;
  for (const std::string& s : texts(all.why)) words += s + " ";
  EXPECT_NE(words.find("Thread 37 (x 5, y 2)"), std::string::npos) << words;
  std::ostringstream out;
  show_text(out, *run, Ink(false), 120);
  EXPECT_NE(out.str().find("grid (2 x 2) x block (16 x 16)"), std::string::npos);
  EXPECT_NE(out.str().find("block 3 (x 1, y 1)"), std::string::npos);
}

}  // namespace
}  // namespace bscope
