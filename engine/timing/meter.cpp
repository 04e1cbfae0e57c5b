#include "engine/timing/meter.hpp"

namespace bscope {

Record record_of(const std::string& name, const Algorithm& a, const Problem& p) {
  Record r;
  r.kernel = name;
  r.n = p.n();
  r.type = a.family() == "histogram" ? "uint8" : p.text("type", "int32");
  r.bytes = bytes_to_move(a.family(), r.n, r.type);
  return r;
}

}  // namespace bscope
