// PTX's accesses, atomics, fences and addresses.
#include <algorithm>
#include <array>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/ir/ptx_lowering.hpp"
#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {
namespace {

const std::string pointer = "ptr";

// As __cvta_generic_to_shared of our headers (barrierscope/address_spaces.h) packs an address in shared
// memory into 32 bits.
constexpr int packed_shift = 20;
constexpr int64_t packed_middle = 1ll << (packed_shift - 1), zone_middle = 1ll << (shared_shift - 1);

}  // namespace

std::span<const PtxLowering::Row> PtxLowering::memory_rows() {
#define BSCOPE_SPACES "global shared shared::cta local const "
#define BSCOPE_ORDER "weak relaxed acquire volatile cta cluster gpu sys "
#define BSCOPE_HINTS                                                                                       \
  "ca cg cs cv lu wb wt nc v2 v4 L1::evict_normal L1::evict_first L1::evict_last L1::no_allocate L2::64B " \
  "L2::128B L2::256B"
  static constexpr Row rows[] = {
      {"ld", &PtxLowering::load, BSCOPE_SPACES BSCOPE_ORDER BSCOPE_HINTS, true},
      {"ldu", &PtxLowering::load, "global v2 v4", true},
      {"st", &PtxLowering::store, "release " BSCOPE_SPACES BSCOPE_ORDER BSCOPE_HINTS, true},
      {"atom", &PtxLowering::atomic,
       "release acq_rel add and or xor exch cas min max inc dec noftz " BSCOPE_SPACES BSCOPE_ORDER, true},
      {"red", &PtxLowering::atomic,
       "release acq_rel add and or xor min max inc dec noftz async " BSCOPE_SPACES BSCOPE_ORDER, true},
      {"fence", &PtxLowering::fence,
       "sc acq_rel acquire release cta cluster gpu sys proxy alias async global shared::cta", true},
      {"membar", &PtxLowering::fence, "cta gl sys", true},
      {"prefetch", &PtxLowering::nothing, "global local L1 L2 L2::evict_last L2::evict_normal", true},
      {"prefetchu", &PtxLowering::nothing, "L1", true},
      {"discard", &PtxLowering::nothing, "global L2", true},
      {"applypriority", &PtxLowering::nothing, "global L2::evict_normal", true},
      {"cvta", &PtxLowering::to_address, "to global shared shared::cta local const"},
      {"isspacep", &PtxLowering::is_in_space, "global shared shared::cta local const"},
      {"cp", &PtxLowering::copy_async,
       "async ca cg global shared shared::cta commit_group wait_group wait_all L2::64B L2::128B L2::256B",
       true}};
#undef BSCOPE_SPACES
#undef BSCOPE_ORDER
#undef BSCOPE_HINTS
  return rows;
}

// ---- addresses

LlvmValue PtxLowering::from_shared(const LlvmValue& offset) {
  if (offset.type == pointer) return offset;
  const LlvmValue v = converted(offset, i64);
  const LlvmValue zone =
      binary("shl", binary("lshr", v, constant(packed_shift, i64)), constant(shared_shift, i64));
  const LlvmValue in_zone = binary("and", v, constant((1 << packed_shift) - 1, i64));
  const LlvmValue whole = binary("add", binary("add", zone, in_zone),
                                 constant(int64_t(shared_base) + zone_middle - packed_middle, i64));
  const LlvmValue packed = compared("icmp ult", v, constant(1ll << 32, i64));
  return converted(selected(packed, whole, v), pointer);
}

LlvmValue PtxLowering::to_shared(const LlvmValue& at) {
  const LlvmValue v = converted(at, i64), in = binary("sub", v, constant(int64_t(shared_base), i64));
  const LlvmValue zone =
      binary("shl", binary("lshr", in, constant(shared_shift, i64)), constant(packed_shift, i64));
  const LlvmValue in_zone = binary("and", binary("sub", in, constant(zone_middle - packed_middle, i64)),
                                   constant((1 << packed_shift) - 1, i64));
  return binary("or", zone, in_zone);
}

LlvmValue PtxLowering::address(const PtxOperand& o) {
  if (o.kind != PtxOperand::address) refuse();
  const bool shared = has("shared") || has("shared::cta");
  const PtxOperand& base = o.parts[0];
  const auto known = values_.find(base.text);
  const bool is_pointer = known != values_.end() && known->second.type == pointer;
  LlvmValue at =
      is_pointer ? known->second : value_of(base, known != values_.end() ? known->second.type : i64);
  at = shared ? from_shared(at) : converted(at, pointer);
  if (o.offset == 0) return at;
  return make(pointer, "getelementptr i8, ptr " + at.text + ", i64 " + std::to_string(o.offset));
}

void PtxLowering::to_address() {
  const std::string of = type().llvm();
  const bool shared = has("shared") || has("shared::cta");
  if (!shared) return out(0, in(1, of));
  out(0, converted(has("to") ? to_shared(in(1, i64)) : converted(from_shared(in(1, of)), i64), of));
}

void PtxLowering::is_in_space() {
  const LlvmValue kind = binary("lshr", in(1, i64), constant(kind_shift, i64));
  const auto is = [&](uint64_t base) {
    return compared("icmp eq", kind, constant(int64_t(base >> kind_shift), i64));
  };
  if (has("shared") || has("shared::cta")) return out(0, is(shared_base));
  if (has("local")) return out(0, is(local_base));
  if (has("const")) return out(0, {"false", i1});
  out(0, compared("icmp ugt", kind, constant(int64_t(shared_base >> kind_shift), i64)));
}

// ---- loads and stores

/// "block", "device", "system".
std::string PtxLowering::scope() const { return has("cta") ? "block" : has("sys") ? "system" : "device"; }
/// `part`: "of_release_", "of_acquire_"; empty: a fence of its own.
void PtxLowering::fence_of_scope(std::string_view part) {
  call_nothing("__bscope_fence_" + std::string(part) + scope());
}
/// The atomic that follows is of this instruction's scope.
void PtxLowering::set_scope() {
  if (has("cta") && !has("shared") && !has("shared::cta")) call_nothing("__bscope_scope_of_block");
}

/// A load that races with no other strong access.
LlvmValue PtxLowering::strong_load(const LlvmValue& at, const std::string& of) {
  set_scope();
  LlvmValue loaded = make(of, "load atomic " + of + ", ptr " + at.text + " monotonic, align 4");
  if (acquires()) fence_of_scope("of_acquire_");
  return loaded;
}
void PtxLowering::strong_store(const LlvmValue& at, const LlvmValue& v) {
  if (releases()) fence_of_scope("of_release_");
  set_scope();
  line("store atomic " + v.type + " " + v.text + ", ptr " + at.text + " monotonic, align 4");
}

namespace {
/// The 64 bits that a look-back scan keeps as two halves are one access.
bool joins(const PtxType& t, size_t parts) { return t.bits == 32 && parts == 2; }
}  // namespace

/// Where the k-th of several values lies.
LlvmValue PtxLowering::element(const LlvmValue& first, const std::string& of, size_t k) {
  if (k == 0) return first;
  return make(pointer, "getelementptr " + of + ", ptr " + first.text + ", i64 " + std::to_string(k));
}

void PtxLowering::load() {
  const PtxType t = type();
  const std::string of = t.llvm();
  const LlvmValue from = address(at(1));
  const std::string volatile_ = has("volatile") || has("cv") ? "volatile " : "";
  const bool several = at(0).kind == PtxOperand::vector;
  const size_t parts = several ? at(0).parts.size() : 1;
  const auto give = [&](size_t k, const LlvmValue& v) { assign(several ? at(0).parts[k] : at(0), v); };
  if (!is_strong()) {
    const std::string whole = several ? "<" + std::to_string(parts) + " x " + of + ">" : of;
    const LlvmValue v = make(whole, "load " + volatile_ + whole + ", ptr " + from.text + ", align 4");
    for (size_t k = 0; k < parts; ++k)
      give(k,
           several ? make(of, "extractelement " + whole + " " + v.text + ", i32 " + std::to_string(k)) : v);
    return;
  }
  if (joins(t, parts)) {
    const LlvmValue both = strong_load(from, i64);
    give(0, converted(extended(both, i32, false), of));
    give(1, converted(extended(binary("lshr", both, constant(32, i64)), i32, false), of));
  } else {
    for (size_t k = 0; k < parts; ++k) give(k, strong_load(element(from, of, k), of));
  }
}

void PtxLowering::store() {
  const PtxType t = type();
  const std::string of = t.llvm();
  const LlvmValue to = address(at(0));
  const bool several = at(1).kind == PtxOperand::vector;
  const size_t parts = several ? at(1).parts.size() : 1;
  std::vector<LlvmValue> values;
  for (size_t k = 0; k < parts; ++k) values.push_back(value_of(several ? at(1).parts[k] : at(1), of));
  if (!is_strong()) {
    const std::string whole = several ? "<" + std::to_string(parts) + " x " + of + ">" : of;
    LlvmValue all = several ? LlvmValue{"undef", whole} : values[0];
    for (size_t k = 0; several && k < parts; ++k)
      all = make(whole, "insertelement " + whole + " " + all.text + ", " + of + " " + values[k].text +
                            ", i32 " + std::to_string(k));
    return line("store " + std::string(has("volatile") ? "volatile " : "") + whole + " " + all.text +
                ", ptr " + to.text + ", align 4");
  }
  if (joins(t, parts)) {
    const auto wide = [&](size_t k) { return extended(converted(values[k], i32), i64, false); };
    return strong_store(to, binary("or", binary("shl", wide(1), constant(32, i64)), wide(0)));
  }
  for (size_t k = parts; k-- > 0;)  // what says that the others are there comes first in memory
    strong_store(element(to, of, k), converted(values[k], PtxType{'b', t.bits}.llvm()));
}

// ---- atomics and fences

/// atom and red. What is acquired or released becomes fences around a relaxed atomic.
void PtxLowering::atomic() {
  const PtxType t = type();
  const size_t first = s_->words[0] == "atom" ? 1 : 0;
  static constexpr std::array<std::string_view, 10> names = {"add", "and", "or",  "xor", "exch",
                                                             "cas", "min", "max", "inc", "dec"};
  const auto name = std::ranges::find_if(names, [&](std::string_view n) { return has(n); });
  const bool number = t.is_float() || t.bits == 32 || t.bits == 64;
  if (name == names.end() || (!number && (*name != "cas" || t.bits != 16))) refuse();
  const LlvmValue at_ = address(at(first));
  std::vector<LlvmValue> arguments = {at_};
  for (size_t k = first + 1; k < first + (*name == "cas" ? 3 : 2); ++k) arguments.push_back(in(k, t.llvm()));
  if (releases()) fence_of_scope("of_release_");
  set_scope();
  const LlvmValue old = call(t.llvm(), "__bscope_atomic_" + std::string(*name) + "_" + t.suffix(), arguments);
  if (acquires()) fence_of_scope("of_acquire_");
  if (first) out(0, old);
}

/// Proxies are ways to the same memory, of which there is one here.
void PtxLowering::fence() {
  if (!has("proxy")) fence_of_scope();
}

void PtxLowering::copy_async() {
  if (!has("async")) refuse();
  if (has("wait_group")) return call_nothing("__bscope_await_copies", {in(0, i64)});
  if (has("commit_group") || has("wait_all")) {
    call_nothing("__bscope_commit_copies");
    if (has("wait_all")) call_nothing("__bscope_await_copies", {constant(0, i64)});
    return;
  }
  const PtxOperand& from = at(1);
  const LlvmValue to = address(at(0));
  if (at(2).kind != PtxOperand::number && !at(2).text.starts_with('$')) refuse();
  const LlvmValue bytes = in(2, i64);
  if (from.kind != PtxOperand::address || from.offset != 0) refuse();
  const LlvmValue source = value_of(from.parts[0], pointer);
  const LlvmValue taken = count() > 3 ? extended(in(3, i32), i64, false) : bytes;
  call_nothing("__bscope_copy_async", {to, source, bytes, binary("sub", bytes, taken), bytes});
}

}  // namespace bscope::cuda::ir
