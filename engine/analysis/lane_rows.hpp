// What the lanes of a warp hold in their registers before, between and after what they hand each other.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope {

struct DataflowGraph;
struct Exchange;

struct LaneRows {
  /// What a lane holds at one time.
  struct LaneValue {
    bool known = false;
    bool fresh = false;  ///< made by the exchange above it
    uint64_t bits = 0;
    ElementType kind = ElementType::i32;
    int votes = -1;  ///< it holds a mask of so many lanes; -1: a value
    bool same(const LaneValue& o) const { return known && o.known && bits == o.bits && votes == o.votes; }
  };
  /// What an exchange made, or what the lanes brought to the next one where that is something else: nothing
  /// leads into values that no lane handed on.
  struct LaneRow {
    std::vector<LaneValue> lanes = {};
    int made_by = -1;   ///< the exchange above it; -1: other registers, or the first row
    int gives_to = -1;  ///< the exchange below it
  };
  std::vector<LaneRow> rows = {};
  /// By exchange and lane: the computation (a node) in which a lane put together what it got and the value
  /// that the row above shows; -1: none.
  std::vector<std::vector<int>> made = {};
};
/// Of the exchanges of one warp, in order.
LaneRows lane_rows(const DataflowGraph&, const std::vector<const Exchange*>&, int lanes);

}  // namespace bscope
