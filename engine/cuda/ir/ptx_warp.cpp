// PTX's barriers, exchanges in a warp, and the ends of threads.
#include "engine/cuda/ir/ptx_lowering.hpp"
#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {
std::span<const PtxLowering::Row> PtxLowering::warp_rows() {
  static constexpr Row rows[] = {{"bar", &PtxLowering::barrier, "sync warp cta", true},
                                 {"barrier", &PtxLowering::barrier, "sync aligned cta", true},
                                 {"shfl", &PtxLowering::shuffle, "sync up down bfly idx", true},
                                 {"vote", &PtxLowering::vote, "sync all any uni ballot", true},
                                 {"match", &PtxLowering::match, "sync any all", true},
                                 {"activemask", &PtxLowering::active, "", true},
                                 {"redux", &PtxLowering::reduce, "sync add min max and or xor", true},
                                 {"nanosleep", &PtxLowering::sleep, "", true},
                                 {"griddepcontrol", &PtxLowering::nothing, "launch_dependents wait", true},
                                 {"exit", &PtxLowering::leave, "", true},
                                 {"ret", &PtxLowering::leave, "", true},
                                 {"trap", &PtxLowering::stop, "", true},
                                 {"brkpt", &PtxLowering::nothing, "", true},
                                 {"pmevent", &PtxLowering::nothing, "", true}};
  return rows;
}

/// The block's barrier, number 0, of all threads; or the warp's.
void PtxLowering::barrier() {
  if (has("warp")) return call_nothing("__bscope_sync_warp", {in(0, i32)});
  if (!has("sync") || count() != 1 || at(0).kind != PtxOperand::number || in(0, i32).text != "0") refuse();
  call_nothing("__bscope_sync");
}

/// d|p, a, b, c, mask: c says which segment of the warp, and where it ends. What is handed on is bits; of a
/// register that is declared signed or a float, such.
void PtxLowering::shuffle() {
  const bool with_mask = has("sync");
  const std::string mode = has("up") ? "up" : has("down") ? "down" : has("bfly") ? "bfly" : "idx";
  const bool pair = at(0).kind == PtxOperand::pair;
  const PtxOperand& to = pair ? at(0).parts[0] : at(0);
  const auto declared = declared_.find(to.text);
  PtxType t{'u', 32};
  if (declared != declared_.end() && declared->second.bits == 32) t = declared->second;
  if (const auto v = values_.find(at(1).text); v != values_.end() && v->second.type == "float") t = {'f', 32};
  if (t.letter == 'b') t.letter = 'u';
  const LlvmValue by = in(2, i32), segment = in(3, i32);
  const LlvmValue mask = with_mask ? in(4, i32) : call(i32, "__bscope_active_mask", {});
  const LlvmValue got =
      call(t.llvm(), "__bscope_ptx_shuffle_" + mode + "_" + t.suffix(), {mask, in(1, t.llvm()), by, segment});
  assign(to, got);
  if (pair) assign(at(0).parts[1], call(i1, "__bscope_ptx_lane_exists_" + mode, {by, segment}));
}

void PtxLowering::vote() {
  const LlvmValue p = in(1, i1), mask = has("sync") ? in(2, i32) : call(i32, "__bscope_active_mask", {});
  const auto ballot = [&](const LlvmValue& of) {
    return call(i32, "__bscope_ballot", {mask, extended(of, i32, false)});
  };
  if (has("ballot")) return out(0, ballot(p));
  const LlvmValue nothing = constant(0, i32);
  if (has("any")) return out(0, compared("icmp ne", ballot(p), nothing));
  const LlvmValue none_says_no = compared("icmp eq", ballot(binary("xor", p, {"true", i1})), nothing);
  if (has("all")) return out(0, none_says_no);
  out(0, binary("or", none_says_no, compared("icmp eq", ballot(p), nothing)));
}

void PtxLowering::match() {
  const PtxType t = type();
  const PtxType unsigned_{'u', t.bits};
  const LlvmValue mask = in(2, i32);
  const LlvmValue same =
      call(i32, "__bscope_match_any_" + unsigned_.suffix(), {mask, in(1, unsigned_.llvm())});
  if (has("any")) return out(0, same);
  const LlvmValue here = call(i32, "__bscope_ballot", {mask, constant(1, i32)});
  const LlvmValue all = compared("icmp eq", same, here), result = selected(all, mask, constant(0, i32));
  if (at(0).kind != PtxOperand::pair) return out(0, result);
  assign(at(0).parts[0], result);
  assign(at(0).parts[1], all);
}

void PtxLowering::active() { out(0, call(i32, "__bscope_active_mask", {})); }

void PtxLowering::reduce() {
  const PtxType t = type();
  for (const std::string op : {"add", "min", "max", "and", "or", "xor"})
    if (has(op)) {
      const LlvmValue mask = in(2, i32);
      return out(0, call(i32, "__bscope_reduce_" + op + "_" + t.suffix(), {mask, in(1, i32)}));
    }
  refuse();
}

void PtxLowering::sleep() { call_nothing("__bscope_nanosleep", {in(0, i32)}); }

/// A block that nothing leads to goes on behind it.
void PtxLowering::leave() {
  if (!in_kernel_) refuse();
  line("ret void");
  const std::string next = "ptx.behind." + std::to_string(number_++);
  lines_.push_back(next + ":");
  label_ = next;
}

void PtxLowering::stop() { call_nothing("__bscope_trap"); }

}  // namespace bscope::cuda::ir
