// The machine in a module of its own, which answers what a program asks from another module (messages.hpp).
#pragma once

#include <functional>
#include <memory>

#include "engine/cuda/native/compiler.hpp"
#include "engine/cuda/remote/packet.hpp"

namespace bscope::cuda {

/// What lies around the server.
struct ServerEnvironment {
  /// Asks the program, which waits for an answer. Its answer is trusted as little as its requests.
  std::function<Bytes(ByteSpan)> ask_back;
  /// Takes the file of a trace that stays on this side; empty: it goes to the program.
  std::function<void(Bytes)> keep_trace = {};
  /// Makes native code on this side; empty: the program does, where it offers to.
  std::unique_ptr<NativeCompiler> compiler = {};
};

/// Owns a machine and answers requests. They may come from a program that has overwritten its own memory: one
/// that is invalid is answered by an error.
class MachineServer {
 public:
  explicit MachineServer(ServerEnvironment);
  ~MachineServer();
  MachineServer(const MachineServer&) = delete;

  /// Returns the answer; an exception of the machine's is one, too.
  Bytes answer(ByteSpan request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bscope::cuda
