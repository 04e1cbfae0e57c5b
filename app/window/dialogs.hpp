// The desktop's own file dialogs, where it has any.
#pragma once

#include <memory>
#include <string>

#include "app/shell/files.hpp"
#include "app/shell/palette.hpp"

namespace bscope {

/// Starts a dialog and returns at once; null where the desktop has none.
std::unique_ptr<FileDialog> desktop_dialog(Asks, const std::string& suggestion);

}  // namespace bscope
