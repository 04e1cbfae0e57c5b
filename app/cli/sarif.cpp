#include "app/cli/sarif.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "app/cli/lines.hpp"
#include "app/links/query.hpp"
#include "app/run/finding_groups.hpp"
#include "engine/trace/json_text.hpp"

#ifndef BARRIERSCOPE_VERSION
#define BARRIERSCOPE_VERSION "0"
#endif

namespace bscope {
namespace {

using Json = nlohmann::ordered_json;

/// Unreserved characters and slashes of a relative reference (RFC 3986).
constexpr std::string_view kept_in_names = "-._~/";

/// The column, counted from 1 in letters, of a byte that is counted likewise.
int letter_column(const std::string& line, int column) {
  return 1 + int(width_of(std::string_view(line).substr(0, size_t(column - 1))));
}

Json location_json(const SourceSpan& at) {
  Json physical{{"artifactLocation", {{"uri", percent_encoded(at.file, kept_in_names)}}}};
  if (at.line) {
    Json region{{"startLine", at.line}};
    if (at.column) {
      region["startColumn"] = letter_column(at.text, at.column);
      region["endColumn"] = letter_column(at.text, at.column + std::max(at.length, 1));
    }
    if (!at.text.empty()) region["snippet"] = {{"text", at.text}};
    physical["region"] = region;
  }
  return {{"physicalLocation", physical}};
}

std::string what(const FindingGroup& g) {
  std::string s = (g.title.empty() ? g.message : message("{}: {}", g.title, g.message)).english();
  s[0] = char(std::toupper(static_cast<unsigned char>(s[0])));
  if (!g.extent.empty()) s += " (" + g.extent.english() + ")";
  for (const Message* more : {&g.help, &g.tried})
    if (!more->empty()) s += " " + more->english();
  return s;
}

Json result_json(const FindingGroup& g) {
  Json j{{"ruleId", g.rule_name()}, {"level", name_of(g.severity)}, {"message", {{"text", what(g)}}}};
  if (!g.at.file.empty()) j["locations"] = Json::array({location_json(g.at)});
  Json related = Json::array();
  for (const FindingNote& note : g.notes) {
    if (note.at.file.empty()) continue;
    Json one = location_json(note.at);
    one["message"] = {{"text", note.message.english()}};
    related.push_back(one);
  }
  if (!related.empty()) j["relatedLocations"] = related;
  j["occurrenceCount"] = g.count;
  return j;
}

/// The data of a workflow command may hold no line break, and a property no colon or comma.
std::string escaped(const std::string& text, bool property) {
  std::string s;
  for (const char c : text) {
    if (c == '%')
      s += "%25";
    else if (c == '\r')
      s += "%0D";
    else if (c == '\n')
      s += "%0A";
    else if (property && c == ':')
      s += "%3A";
    else if (property && c == ',')
      s += "%2C";
    else
      s += c;
  }
  return s;
}

}  // namespace

std::string sarif_text(const std::vector<FindingGroup>& groups) {
  Json results = Json::array(), rules = Json::array();
  std::set<std::string> known;
  const auto add = [&](const FindingGroup& g) {
    results.push_back(result_json(g));
    if (known.insert(g.rule_name()).second) rules.push_back({{"id", g.rule_name()}});
  };
  for (const FindingGroup& g : groups) {
    add(g);
    for (const FindingGroup& c : g.consequences) add(c);
  }
  const Json driver{{"name", "Barrierscope"}, {"version", BARRIERSCOPE_VERSION}, {"rules", rules}};
  return json_text(
      Json{{"$schema",
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
           {"version", "2.1.0"},
           {"runs", Json::array({{{"tool", {{"driver", driver}}},
                                  {"columnKind", "unicodeCodePoints"},
                                  {"results", results}}})}},
      2);
}

std::string annotation_text(const std::vector<FindingGroup>& groups) {
  std::string s;
  for (const FindingGroup& g : groups) {
    s += std::string("::") + (g.severity == Severity::note ? "notice" : name_of(g.severity));
    std::string properties;
    const auto add = [&](const char* name, const std::string& value) {
      properties += (properties.empty() ? " " : ",") + std::string(name) + "=" + escaped(value, true);
    };
    if (!g.at.file.empty()) add("file", g.at.file);
    if (!g.at.file.empty() && g.at.line) add("line", std::to_string(g.at.line));
    if (!g.at.file.empty() && g.at.line && g.at.column) {
      add("col", std::to_string(letter_column(g.at.text, g.at.column)));
      add("endColumn", std::to_string(letter_column(g.at.text, g.at.column + std::max(g.at.length - 1, 0))));
    }
    if (!g.title.empty()) add("title", g.title.english());
    s += properties + "::" + escaped(what(g), false) + "\n";
  }
  return s;
}

}  // namespace bscope
