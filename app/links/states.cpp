#include "app/links/states.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/session/session_file.hpp"
#include "app/session/state.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_text.hpp"

namespace bscope {
namespace {

using json = nlohmann::ordered_json;

/// Not a tab's state: other keys of a link say it, or it is the reader's own.
constexpr std::string_view not_said[] = {
    "cursor.launch", "cursor.block",     "cursor.interval", "lesson.open",    "lesson.lesson",
    "lesson.step",   "lesson.part",      "lesson.progress", "lesson.answers", "lesson.right",
    "lesson.asked",  "prediction.right", "prediction.asked"};
bool is_said(const std::string& name) { return std::ranges::count(not_said, name) == 0; }

/// The places of a session that a link may name: "cursor", and each tab beside it.
json places_of(const State& s) {
  json session = session_json(s);
  json places = std::move(session["tabs"]);
  places["cursor"] = std::move(session["cursor"]);
  return places;
}
/// As everything begins: it has every name, and tells what kind of value is there.
const json& beginning() {
  static const json all = places_of(State{});
  return all;
}

/// A table takes any name: nothing else begins as an empty object.
bool is_table(const json& j) { return j.is_object() && j.empty(); }

std::string option_text(const json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return json_text(value);
  const std::string all = json_text(value);
  return all.substr(1, all.size() - 2);
}

/// `kind`: a value of its kind.
json value_of(const json& kind, const std::string& text) {
  if (kind.is_string() || is_table(kind)) return text;
  if (kind.is_null() && text.empty()) return nullptr;
  const bool list = kind.is_array() || kind.is_null();  // a cell, where there is one, is two numbers
  return try_parse_json(list ? "[" + text + "]" : text)
      .value_or(json(text));  // the reader reports what it should be
}

void add_beside(const json& kind, const json& other, const json& own, const std::string& name, Pairs& all) {
  if (!own.is_object()) {
    // a lesson names the file of its comparison; another one is a path of this machine, which no link says
    if (own != other && is_said(name) && !name.ends_with(".file")) all.emplace_back(name, option_text(own));
    return;
  }
  for (const auto& [member, value] : own.items()) {
    const auto known = kind.find(member), before = other.find(member);
    add_beside(known == kind.end() ? kind : *known, before == other.end() ? json() : *before, value,
               name.empty() ? member : name + "." + member, all);
  }
}

/// Every name that there is, for a message about a mistyped one.
void add_names(const json& kind, const std::string& name, std::vector<std::string>& all) {
  if (!kind.is_object() || kind.empty()) {
    if (is_said(name)) all.push_back(name);
    return;
  }
  for (const auto& [member, value] : kind.items())
    add_names(value, name.empty() ? member : name + "." + member, all);
}
[[noreturn]] void refuse_name(const std::string& name) {
  std::vector<std::string> all;
  add_names(beginning(), {}, all);
  const auto nearest =
      std::ranges::min_element(all, {}, [&](const auto& n) { return edit_distance(n, name); });
  throw UsageError(message("no tab remembers {}: did you mean {}?", name, *nearest));
}

/// Puts the value where its name leads.
void put(json& places, const std::string& name, const std::string& text) {
  const json* kind = &beginning();
  json* into = &places;
  for (size_t at = 0; at <= name.size();) {
    // what stands behind the name of a table is one name, whatever it holds
    const size_t end = is_table(*kind) ? name.size() : std::min(name.find('.', at), name.size());
    const std::string member = name.substr(at, end - at);
    if (!is_table(*kind)) {
      const auto known = kind->is_object() ? kind->find(member) : kind->end();
      if (!kind->is_object() || known == kind->end()) refuse_name(name);
      kind = &*known;
    } else if (member.empty()) {
      refuse_name(name);
    } else {
      into = &(*into)[member];
      *into = value_of(*kind, text);
      return;
    }
    into = &(*into)[member];
    at = end + 1;
  }
  if (kind->is_object()) refuse_name(name);
  *into = value_of(*kind, text);
}

}  // namespace

Pairs states_beside(const State& other, const State& s) {
  Pairs all;
  add_beside(beginning(), places_of(other), places_of(s), {}, all);
  return all;
}

LoadedState with_states(LoadedState s, const Pairs& states) {
  if (states.empty()) return s;
  json places = json::object();
  for (const auto& [name, text] : states) {
    if (!is_said(name)) throw UsageError(message("{} is nothing that a link says", name));
    put(places, name, text);
  }
  json session = json::object();
  if (const auto cursor = places.find("cursor"); cursor != places.end()) {
    session["cursor"] = std::move(*cursor);
    places.erase("cursor");
  }
  session["tabs"] = std::move(places);
  try {
    s = with_places(std::move(s), session);
  } catch (const BadFile& e) { throw UsageError(e.message()); }
  s.tabs.each([](const detail::AnyTabState& m) {
    if (const std::string file = m.path(); !file.empty())
      throw UsageError(message("{} is a file of the machine that made the link: leave it out", file));
  });
  return s;
}

}  // namespace bscope
