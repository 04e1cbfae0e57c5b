#include "engine/cuda/toolchain/report.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

using Json = nlohmann::json;
constexpr size_t most_bytes = size_t(4) << 20, most_listed = 1000, most_letters = 1000;

const Json& member(const Json& j, const char* name) {
  static const Json nothing;
  if (!j.is_object()) return nothing;
  const auto it = j.find(name);
  return it == j.end() ? nothing : *it;
}

/// One line that a terminal can show.
std::string text(const Json& j, const char* name) {
  const Json& v = member(j, name);
  if (!v.is_string()) return {};
  std::string s = as_shown(v.get_ref<const std::string&>().substr(0, most_letters));
  std::ranges::replace(s, '\n', ' ');
  return s;
}

int64_t whole(const Json& v, int64_t least, int64_t most, int64_t otherwise) {
  if (!v.is_number_integer()) return otherwise;
  if (v.is_number_unsigned() && v.get<uint64_t>() > uint64_t(INT64_MAX)) return most;
  return std::clamp(v.get<int64_t>(), least, most);
}

Remark remark(const Json& j) {
  Remark r{text(j, "sentence"), text(j, "file"), int(whole(member(j, "line"), 0, 10'000'000, 0))};
  const std::string address = text(j, "address");
  if (address.starts_with("0x"))
    std::from_chars(address.data() + 2, address.data() + address.size(), r.address, 16);
  return r;
}

std::array<uint64_t, 3> extent(const Json& v) {
  std::array<uint64_t, 3> all{1, 1, 1};
  for (size_t k = 0; v.is_array() && k < std::min(v.size(), all.size()); ++k)
    all[k] = uint64_t(whole(v[k], 1, int64_t(1) << 31, 1));
  return all;
}

template <class One>
auto listed(const Json& v, One one) {
  std::vector<decltype(one(v))> all;
  for (size_t k = 0; v.is_array() && k < std::min(v.size(), most_listed); ++k) all.push_back(one(v[k]));
  return all;
}

}  // namespace

double ReportedLaunch::threads() const {
  double n = 1;
  for (const auto& e : {grid, block})
    for (const uint64_t x : e) n *= double(x);
  return n;
}

std::optional<ProgramReport> report_of(std::string_view json) {
  const Json j = Json::parse(json, nullptr, false);
  if (text(j, "format") != "barrierscope.run/1") return {};
  ProgramReport r;
  r.ended = text(j, "ended");
  constexpr std::string_view ends[] = {"returned", "exited", "crashed", "stopped"};
  if (std::ranges::find(ends, r.ended) == std::end(ends)) return {};
  r.exit = int(whole(member(j, "exit"), -255, 255, 0));
  r.end = remark(j);
  r.traced = member(j, "traced") == true;
  r.why_not = text(j, "why_not");
  r.launches = listed(member(j, "launches"), [](const Json& one) {
    return ReportedLaunch{
        text(one, "kernel"),          extent(member(one, "grid")),
        extent(member(one, "block")), text(one, "shown"),
        text(one, "symbol"),          uint32_t(whole(member(one, "dynamic_shared"), 0, INT32_MAX, 0))};
  });
  const Json& notes = member(j, "notes");
  for (size_t k = 0; notes.is_array() && k < std::min(notes.size(), most_listed); ++k)
    r.notes.push_back(text(Json{{"note", notes[k]}}, "note"));
  r.warnings = listed(member(j, "warnings"), remark);
  return r;
}

std::optional<ProgramReport> read_report(const std::filesystem::path& folder) {
  try {
    return report_of(read_file(folder / "report.json", most_bytes));
  } catch (const BadFile&) { return {}; }
}

}  // namespace bscope::cuda
