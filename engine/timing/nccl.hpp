// NVIDIA's library of exchanges between GPUs, loaded at run time: a machine without it runs everything else.
#pragma once

#ifdef BARRIERSCOPE_NCCL
#include <nccl.h>

#include <string>

namespace bscope {

/// The handful of its functions that we call, with the header's own types.
struct Nccl {
  decltype(&ncclCommInitAll) init_all;
  decltype(&ncclCommDestroy) destroy;
  decltype(&ncclCommAbort) abort;
  decltype(&ncclGroupStart) group_start;
  decltype(&ncclGroupEnd) group_end;
  decltype(&ncclAllReduce) all_reduce;
  decltype(&ncclAllGather) all_gather;
  decltype(&ncclGetErrorString) error_text;
  decltype(&ncclGetLastError) last_error;

  /// Throws NoDevice with NCCL's reasons if a call failed. `what` completes "while ...".
  void must(ncclResult_t, const std::string& what) const;
};

/// Loads it once: the file that BARRIERSCOPE_NCCL names, or libnccl.so.2 wherever the loader finds it. Throws
/// NoDevice where there is none.
const Nccl& nccl();

}  // namespace bscope
#endif
