// The .bscope file: one trace, whole. Both executors' traces are written here and one reader loads them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "engine/trace/read_file.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// Writes the trace whole or not at all (a temporary beside it, synced, then renamed). Throws
/// SystemError when the disk is full or the place cannot be written; nothing half-written remains.
/// `session` goes with it: a text (UTF-8, see `is_session`) that means nothing here and belongs to
/// the program that shows the trace.
void save(const Trace&, const std::filesystem::path&, std::string_view session = {});

/// Reads a trace. Trusts nothing: any bytes give a valid trace (every index, size and source in range, so
/// that analyses need not check) or BadFile, in bounded time and memory. `session`, if given, receives the
/// text that was saved with it: empty if none was.
Trace load(const std::filesystem::path&, std::string* session = nullptr);

/// The same from and to memory; the fuzzer's way in.
Trace read_trace(std::span<const std::byte>, std::string* session = nullptr);
std::vector<std::byte> write_trace(const Trace&, std::string_view session = {});
/// Whether this text may go with a trace: UTF-8 without control characters (line ends and tabs pass), at most
/// 64 MB.
bool is_session(std::string_view);

/// Checks that every index, size, source and text of the trace means something. Throws BadFile that names the
/// first that does not. Part of `load`; also what a trace must pass that an executor made.
void validate(const Trace&);

}  // namespace bscope
