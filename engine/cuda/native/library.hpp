// A library of native code: one function, a kernel that was compiled (NativeText).
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/cuda/native/thread.h"
#include "engine/simt/cpu_fiber.hpp"

namespace bscope::cuda {

/// Loaded for as long as it lives.
class NativeLibrary {
 public:
  /// Throws std::runtime_error if the file is no library of native code.
  explicit NativeLibrary(const std::filesystem::path& file);
  ~NativeLibrary();
  NativeLibrary(const NativeLibrary&) = delete;

  /// Runs threads of a block to their ends, or resumable ones to their next barriers. Returns 0; of a quick
  /// call 1 where the interpreter had to help, bscope_unlike where nothing was done.
  using Entry = uint32_t (*)(bscope_thread*, const uint64_t* given, bscope_threads*);
  Entry entry() const { return entry_; }

  /// Whether a fiber can leave in the middle of native code. In WebAssembly no fiber can.
  static constexpr bool can_be_left = fiber::stack_bytes >= size_t(64) << 10;
  /// Before native code begins in a block: what was left by an exception before is off the stack.
  static void clear_stack();

 private:
  [[maybe_unused]] void* library_ = nullptr;  ///< of dlopen
  Entry entry_ = nullptr;
};

}  // namespace bscope::cuda
