// An input file's bytes, whatever it holds.
#pragma once

#include <string>

namespace bscope {

/// A file, a pipe (also the shell's <(...)), or "-", which is stdin. A stream gives its bytes once: they are
/// kept for later calls. Throws UsageError with one sentence: missing, a folder, too large, unreadable, a
/// pipe without a writer.
std::string read_input_file(const std::string& path);

}  // namespace bscope
