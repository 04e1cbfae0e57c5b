// A new folder with a name that nothing else has.
#pragma once

#include <filesystem>
#include <string>

namespace bscope::cuda {

/// Makes it in `place`; its name begins so. Empty: errno says why there is none.
std::filesystem::path new_folder(const std::filesystem::path& place, const std::string& beginning);

}  // namespace bscope::cuda
