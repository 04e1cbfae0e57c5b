// A file is written whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace bscope {

/// A temporary beside the place, synced, then renamed: nothing half-written remains, and who reads meanwhile
/// finds the old file. A link stays a link, the file's rights stay, a device or a pipe is written to. Throws
/// std::system_error ("cannot write PATH: ...").
void write_whole(const std::filesystem::path&, std::string_view bytes);

}  // namespace bscope
