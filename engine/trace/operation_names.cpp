#include "engine/trace/operation_names.hpp"

#include <algorithm>
#include <iterator>

namespace bscope {
namespace {

struct OperationName {
  Op op;
  const char *ours, *cuda;
};
constexpr OperationName operation_names[] = {
    {Op::sync, "sync", "__syncthreads()"},
    {Op::sync_warp, "sync_warp", "__syncwarp()"},
    {Op::sync_grid, "sync_grid", "grid.sync()"},
    {Op::fence, "fence", "__threadfence()"},
    {Op::shuffle, "shuffle", "__shfl_sync()"},
    {Op::ballot, "ballot", "__ballot_sync()"},
    {Op::match, "match_any", "__match_any_sync()"},
    {Op::reduce, "reduce_add", "__reduce_add_sync()"},
    {Op::wait, "wait_while", "a loop that waits"},
    {Op::await, "await", "wait()"},
    {Op::observe, "await", "a loop that waits"},
    {Op::atomic_add, "atomic_add", "atomicAdd()"},
    {Op::atomic_sub, "atomic_sub", "atomicSub()"},
    {Op::atomic_max, "atomic_max", "atomicMax()"},
    {Op::atomic_min, "atomic_min", "atomicMin()"},
    {Op::atomic_exch, "atomic_exch", "atomicExch()"},
    {Op::atomic_and, "atomic_and", "atomicAnd()"},
    {Op::atomic_or, "atomic_or", "atomicOr()"},
    {Op::atomic_xor, "atomic_xor", "atomicXor()"},
    {Op::atomic_inc, "atomic_inc", "atomicInc()"},
    {Op::atomic_dec, "atomic_dec", "atomicDec()"},
    {Op::atomic_cas, "atomic_cas", "atomicCAS()"},
    {Op::atomic_cas_failed, "atomic_cas", "atomicCAS()"},
};

}  // namespace

std::string operation_name(Dialect d, Op op) {
  const auto found = std::find_if(std::begin(operation_names), std::end(operation_names),
                                  [&](const OperationName& s) { return s.op == op; });
  if (found == std::end(operation_names)) return "an access";
  return d == Dialect::cuda ? found->cuda : found->ours;
}

std::string call(Dialect d, Op op) {
  const bool of_the_thread = d == Dialect::ours && !is_atomic(op);
  return of_the_thread ? "t." + operation_name(d, op) + "()" : operation_name(d, op);
}

std::string a_barrier(Dialect d) { return d == Dialect::cuda ? call(d, Op::sync) : "a barrier"; }

}  // namespace bscope
