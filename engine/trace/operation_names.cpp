#include "engine/trace/operation_names.hpp"

#include <algorithm>
#include <iterator>

namespace bscope {
namespace {

struct OperationName {
  Op op;
  const char* name;
};
constexpr OperationName operation_names[] = {
    {Op::sync, "__syncthreads()"},          {Op::sync_warp, "__syncwarp()"},
    {Op::sync_grid, "grid.sync()"},         {Op::fence, "__threadfence()"},
    {Op::shuffle, "__shfl_sync()"},         {Op::ballot, "__ballot_sync()"},
    {Op::match, "__match_any_sync()"},      {Op::reduce, "__reduce_add_sync()"},
    {Op::wait, "a loop that waits"},        {Op::await, "wait()"},
    {Op::observe, "a loop that waits"},     {Op::atomic_add, "atomicAdd()"},
    {Op::atomic_sub, "atomicSub()"},        {Op::atomic_max, "atomicMax()"},
    {Op::atomic_min, "atomicMin()"},        {Op::atomic_exch, "atomicExch()"},
    {Op::atomic_and, "atomicAnd()"},        {Op::atomic_or, "atomicOr()"},
    {Op::atomic_xor, "atomicXor()"},        {Op::atomic_inc, "atomicInc()"},
    {Op::atomic_dec, "atomicDec()"},        {Op::atomic_cas, "atomicCAS()"},
    {Op::atomic_cas_failed, "atomicCAS()"},
};

}  // namespace

std::string operation_name(Op op) {
  const auto found = std::ranges::find(operation_names, op, &OperationName::op);
  return found == std::end(operation_names) ? "an access" : found->name;
}

}  // namespace bscope
