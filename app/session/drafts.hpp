// Unsaved text of programs: kept from one start of the app to the next.
#pragma once

#include <optional>
#include <string>

namespace bscope {

/// Where the draft of a file lies: in the folder `drafts` beside the settings. Empty without settings.
std::string draft_path(const std::string& settings_file, const std::string& file);

/// What was typed into the file and not saved; nothing, or what cannot be read: none.
std::optional<std::string> read_draft(const std::string& settings_file, const std::string& file);
/// Whole or not at all; none: it is thrown away. Throws SystemError.
void write_draft(const std::string& settings_file, const std::string& file,
                 const std::optional<std::string>& text);

}  // namespace bscope
