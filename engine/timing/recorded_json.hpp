// Files of measurements: one object that names its format, and whose last member is a list with an element a
// line.
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"

namespace bscope {

/// The text of such a file. `list` is the name of the last member.
template <class T>
std::string recorded_text(const char* format, const T& v, const char* list) {
  nlohmann::ordered_json all{{"format", format}};
  all.update(to_fields_json(v));
  const nlohmann::ordered_json elements = std::move(all[list]);
  all.erase(list);
  std::vector<std::string> lines;
  for (const auto& one : elements) lines.push_back(json_text(one));
  return json_text_by_line(all, list, lines) + "\n";
}

/// What such a text holds. Throws BadFile with one sentence: `name`, what is wrong, and what to do.
template <class T>
T recorded_in(std::string_view text, const std::string& name, const std::string& format,
              const Message& advice) {
  const auto all = try_parse_json(text);
  if (!all)
    throw BadFile(message("{} is no JSON: it is no recording, or only a part of one; {}", name, advice));
  const auto said = all->is_object() ? all->value("format", nlohmann::ordered_json()) : *all;
  if (!all->is_object() || !said.is_string())
    throw BadFile(message("{} has no \"format\": {}", name, advice));
  if (said != format)
    throw BadFile(message("{} is of the format \"{}\", not {}: {}", name, said.template get<std::string>(),
                          format, advice));
  try {
    T v;
    from_fields_json(v, *all, {});
    return v;
  } catch (const BadFile& e) { throw BadFile(message("{}: {}: {}", name, e.message(), advice)); }
}

}  // namespace bscope
