// A machine that has the kernels of tests/cuda/device/kernels.cu, compiled once by the clang that users'
// files are compiled with.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/native/compiler.hpp"

namespace bscope::cuda {

/// Device code of a file in tests/cuda, once compiled. Throws std::runtime_error if clang does not take it.
const std::string& device_code(const std::string& file = "device/kernels.cu",
                               const std::string& options = "");
/// The line of such a file that ends in "// LINE name".
int line_named(const std::string& name, const std::string& file = "device/kernels.cu");

/// A compiler of native code that is done at once, and counts how often it is asked.
std::unique_ptr<NativeCompiler> compiler_here(int& asked);

/// What tests ask of a machine, in one word each.
class Device {
 public:
  /// `ours`: folders in tests/cuda whose files are taken for Barrierscope's own headers.
  explicit Device(Limits = {}, Schedule = {}, std::string file = "device/kernels.cu",
                  const std::vector<std::string>& ours = {});

  /// New memory with this content.
  template <class T>
  uint64_t array(const std::vector<T>& content) {
    const uint64_t address = machine.allocate(content.size() * sizeof(T), Placement::device);
    const auto bytes = std::as_bytes(std::span(content));
    machine.write(*machine.at(address).memory, 0, bytes, "cudaMemcpy");
    return address;
  }
  template <class T>
  std::vector<T> content(uint64_t address, size_t n) {
    std::vector<T> out(n);
    const auto bytes = machine.read(*machine.at(address).memory, 0, n * sizeof(T));
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  /// Launches the kernel of that name with arguments of exactly its parameters' types.
  template <class... Arguments>
  LaunchOutcome launch(const std::string& name, Extent grid, Extent block, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    LaunchRequest r{.kernel = kernel(name), .grid = grid, .block = block, .arguments = pointers};
    r.dynamic_shared = dynamic_shared;
    r.cooperative = cooperative;
    r.library = library;
    return machine.launch(r);
  }
  const ir::Function* kernel(const std::string& name) const;
  /// The trace so far, valid in itself and as it comes back from a file.
  Trace trace() const;
  /// The same replayed; fails the test if that does not agree with what was really in memory.
  DataflowGraph replayed(const Trace&) const;

  std::string file;
  Machine machine;
  std::string printed;
  uint64_t dynamic_shared = 0;
  bool cooperative = false;
  LibraryUse library;  ///< of the launches that come
};

}  // namespace bscope::cuda
