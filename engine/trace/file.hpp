// The .bscope file: one trace, whole. Both executors' traces are written here and one reader loads them.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>

#include "engine/trace/trace.hpp"

namespace bscope {

/// A file that is not a trace, or not one we can read. what() is one sentence: what, where, what to do.
struct BadFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes the trace whole or not at all (a temporary beside it, synced, then renamed). Throws
/// std::system_error when the disk is full or the place cannot be written; nothing half-written remains.
void save(const Trace&, const std::filesystem::path&);

/// Reads a trace. Trusts nothing: any bytes give a valid trace (every index, size and source in range, so
/// that analyses need not check) or BadFile, in bounded time and memory.
Trace load(const std::filesystem::path&);

/// The same from and to memory; the fuzzer's way in.
Trace read_trace(std::span<const std::byte>);
std::vector<std::byte> write_trace(const Trace&);

/// Does every index, size, source and text of the trace mean something? Throws BadFile that names the first
/// that does not. Part of `load`; also what a trace must pass that an executor made.
void validate(const Trace&);

}  // namespace bscope
