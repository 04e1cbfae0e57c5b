// The one way to read a file that the user names, whatever it turns out to be.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "engine/trace/descriptor.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

struct OpenFile {
  Descriptor descriptor;
  size_t size;
};
/// Opens what is a file, and never waits. Throws BadFile: missing, a link to nothing, a folder, a pipe,
/// a device, not readable.
OpenFile open_to_read(const std::filesystem::path&);

enum class Streams {
  refused,  ///< a pipe or a device is no file
  /// A pipe with a writer, a device or "-" (stdin) is read to its end; refused if the pipe has no writer, or
  /// if nothing comes for a minute. pipe, or if nothing comes for a minute.
  awaited
};
/// All bytes of a file. Throws BadFile, also for one of more than `most` bytes.
std::string read_file(const std::filesystem::path&, size_t most, Streams = Streams::refused);

/// The first bytes of a file, as many as there are. Throws BadFile.
std::string beginning_of(const std::filesystem::path&, size_t count);

/// The bytes as UTF-8 text without the byte mark that some editors put first. Throws BadFile for UTF-16,
/// UTF-32 and bytes that are no text; `name` is the file's.
std::string as_text(std::string bytes, const std::string& name);

}  // namespace bscope
