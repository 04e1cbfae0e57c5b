#include "engine/trace/json_text.hpp"

#include <algorithm>
#include <array>

#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

using json = nlohmann::ordered_json;

/// Writing and copying a value recur by level. An ordered object goes through its members to find one, so
/// that reading many takes quadratic time.
constexpr size_t deepest_json = 64, most_members = 4096;

/// The byte where a text nests too deeply or an object has too many members; npos: nowhere before the text
/// stops being JSON.
size_t beyond_limits(std::string_view text) {
  std::array<size_t, deepest_json + 1> members{};
  size_t depth = 0;
  bool quoted = false;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted) {
      if (c == '\\')
        ++k;
      else
        quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_json) return k;
      members[depth] = 0;
    } else if (c == ']' || c == '}') {
      if (depth) --depth;
    } else if (c == ':' && ++members[depth] > most_members) {
      return k;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string json_text(const json& j, int indent, bool ascii) {
  return j.dump(indent, ' ', ascii, json::error_handler_t::replace);
}

std::string json_text_by_line(const json& object, const std::string& list,
                              const std::vector<std::string>& elements) {
  std::string text = json_text(object);
  text.back() = ',';
  text += json_text(list) + ":[";
  const char* separator = "\n";
  for (const std::string& one : elements) {
    text += separator;
    text += one;
    separator = ",\n";
  }
  return text + "\n]}";
}

std::optional<json> try_parse_json(std::string_view text, size_t* wrong_at) {
  size_t at = beyond_limits(text);
  if (at == std::string_view::npos) try {
      return std::optional<json>(std::in_place, json::parse(text));
    } catch (const json::parse_error& e) {
      at = e.byte ? e.byte - 1 : 0;
    } catch (const json::exception&) {  // a number that is too large: it does not say where
      at = 0;
    }
  if (wrong_at) *wrong_at = at;
  return {};
}

json parse_json(std::string_view text, const std::string& name) {
  size_t at = 0;
  if (auto all = try_parse_json(text, &at)) return std::move(*all);
  throw BadFile(message("{}:{}: this is no JSON", name, line_at(text, at)));
}

int line_at(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  return 1 + int(std::ranges::count(before, '\n'));
}

}  // namespace bscope
