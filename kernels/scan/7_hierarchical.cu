#include "kernels/tiles.hpp"

// A scan of any length from a scan of one tile (Blelloch 1990, 1.2.1; Kirk and Hwu, ch. 11). The blocks of a
// launch do not wait for each other, so the work goes in launches:
//   scan tiles    each block scans its tile and leaves the tile's total in `totals`
//   scan totals   the same on the totals; where they fill more than one tile, on their totals too, and so on
//   add totals    each block adds what lies before its tile
// They stand in kernels/tiles.hpp, and all tile scans use them for an input longer than their tile. Here the
// default block is so small that three levels are seen. The work is the tile scans' and one add more an
// element, the span that of a tile and 1 for each level; the data is read and written twice where once would
// do.
static const Algorithm& tile_scan(const Problem& p) {
  return registered().at("scan/" + p.text("block_scan"));
}

// The problem as the tile scan is asked it: with the defaults of its own parameters.
static Problem of_tiles(Problem p) {
  for (const Parameter& own : tile_scan(p).parameters) p.set.try_emplace(own.name, own.initial.text);
  return p;
}
static int tile(const Problem& p) { return tile_scan(p).tile(of_tiles(p)); }

static std::vector<Formula> formulas(const Problem& p) { return tile_scan(p).formulas(of_tiles(p)); }

static const Register hierarchical{{
    .name = "scan/hierarchical",
    .title = "Hierarchical",
    .lesson = "any length: scan the tiles, scan their totals the same way, add them back",
    .parameters = {{"block_scan",
                    {"hillis-steele", "kogge-stone", "brent-kung", "three-phase", "blelloch"},
                    "kogge-stone",
                    "Which scan each block runs on its tile."},
                   scan_kind("inclusive"),
                   operators(),
                   element_type()},
    .default_n = 32,
    .levels = 3,
    .power_of_two_block = true,
    .tile = tile,
    .property = scan_property,
    .expected = serial::scan,
    .formulas = formulas,
    .program = [](Gpu& gpu, const Problem& p) { return programs().at(tile_scan(p).name)(gpu, of_tiles(p)); },
}};
