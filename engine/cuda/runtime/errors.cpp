#include "engine/cuda/runtime/errors.hpp"

#include <utility>

#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {

cudaError_t ErrorState::give(cudaError_t error) {
  if (broken_) return broken_;
  // cudaErrorNotReady is an answer, not a mistake
  if (error != cudaSuccess && error != cudaErrorNotReady) last_ = error;
  return error;
}

void ErrorState::fault(cudaError_t error) {
  if (!broken_ && !pending_) pending_ = error;
}

cudaError_t ErrorState::wait() {
  if (pending_) broken_ = std::exchange(pending_, cudaSuccess);
  return broken_;
}

cudaError_t ErrorState::take_last() {
  const cudaError_t error = last();
  last_ = cudaSuccess;
  return error;
}

namespace {
struct ErrorName {
  cudaError_t error;
  const char *name, *text;
};
constexpr ErrorName errors[] = {
#define ENTRY(name, number, text) {name, #name, text},
    __BSCOPE_ERRORS(ENTRY)
#undef ENTRY
};
const ErrorName* named(cudaError_t error) {
  for (const ErrorName& entry : errors)
    if (entry.error == error) return &entry;
  return nullptr;
}
}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t cudaGetLastError() {
  Runtime::get().errors.note_question();
  return Runtime::get().errors.take_last();
}
cudaError_t cudaPeekAtLastError() {
  Runtime::get().errors.note_question();
  return Runtime::get().errors.last();
}
const char* cudaGetErrorName(cudaError_t error) {
  Runtime::get().errors.note_question();
  const ErrorName* const entry = named(error);
  return entry ? entry->name : "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
  Runtime::get().errors.note_question();
  const ErrorName* const entry = named(error);
  return entry ? entry->text : "unrecognized error code";
}
