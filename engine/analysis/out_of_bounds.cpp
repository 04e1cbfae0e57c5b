#include "engine/analysis/out_of_bounds.hpp"

namespace bscope {

Message why_out_of_bounds(const Trace& trace, const Finding& f) {
  if (size_t(f.launch) >= trace.launches.size()) return {};
  const Launch& l = trace.launches[size_t(f.launch)];
  if (size_t(f.block) >= l.blocks.size() || f.thread < 0 || f.thread >= l.block) return {};
  const auto log = l.blocks[size_t(f.block)].log(f.thread);
  if (log.empty() || log.back().op != Op::fault || int(log.back().line) != f.line) return {};
  const Event& fault = log.back();
  if (!fault.b || fault.b > log.size()) return {};
  const Event& source = log[fault.b - 1];
  const std::string index = std::to_string(int32_t(fault.a));
  if (!reads(source.op)) return message("The index {} was computed from the data.", index);
  const ArrayInfo& array = trace.array(l, source.array);
  const std::string cell = array.name + "[" + std::to_string(source.a) + "]";
  const bool narrow = array.kind == ElementType::i8 || array.kind == ElementType::i16;
  if (const int32_t value = int32_t(fault.a); narrow && value < 0) {
    const int bits = 8 * bytes_of(array.kind);
    return message(
        "The index {} is what {} holds: the key {} in a signed type of {} bits, where all from {} on "
        "are negative; make it unsigned.",
        index, cell, value + (1 << bits), bits, 1 << (bits - 1));
  }
  return message("The index {} is what {} holds.", index, cell);
}

}  // namespace bscope
