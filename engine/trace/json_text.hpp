// JSON from text, and text from JSON: every text of JSON is made and read here.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope {

/// The text of a JSON value, on one line or indented; bytes that are not UTF-8 (file names) are replaced.
/// `ascii`: everything else is escaped.
std::string json_text(const nlohmann::ordered_json&, int indent = -1, bool ascii = false);

/// The text of an object with one member more: a list, one element a line. It is readable, and a change of
/// one element is one line of a diff.
std::string json_text_by_line(const nlohmann::ordered_json& object, const std::string& list,
                              const std::vector<std::string>& elements);

/// The value of a text from anywhere. Empty: it is no JSON, its brackets nest deeper than any file of ours,
/// or an object has more members than any. `wrong_at` receives the byte where that is.
std::optional<nlohmann::ordered_json> try_parse_json(std::string_view text, size_t* wrong_at = nullptr);

/// The same. Throws BadFile with the line; `name` is the text's.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& name);

/// The line that holds the byte, from 1.
int line_at(std::string_view text, size_t byte);

}  // namespace bscope
