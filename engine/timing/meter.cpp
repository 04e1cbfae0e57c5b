#include "engine/timing/meter.hpp"

#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

Record record_of(const std::string& name, const Algorithm& a, const Problem& p) {
  Record r;
  r.kernel = name;
  r.n = p.n();
  r.type = family_of(a.name).takes_keys ? "uint8" : p.text("type", "int32");
  r.bytes = bytes_to_move(a.family(), r.n, r.type);
  return r;
}

std::vector<Record> Meter::in_turn(const Algorithm&, const Problem&) {
  throw UsageError(message("only on one GPU can a kernel and CUB take turns"));
}

Timeline Meter::timeline(const Algorithm&, const Problem&, int) {
  throw UsageError(message("only a GPU's own clocks can tell when its warps came where"));
}

}  // namespace bscope
