// Files of the user's into the page, and out of it as downloads.
#pragma once

#include <memory>
#include <string>

#include "app/shell/files.hpp"
#include "app/shell/palette.hpp"

namespace bscope {

/// What is written below this folder is handed to the browser as a download.
inline constexpr const char* downloads = "/downloads";

/// The browser's own dialog, as the desktop has one. What is saved goes among the downloads.
std::unique_ptr<FileDialog> page_dialog(Asks, const std::string& suggestion);

}  // namespace bscope
