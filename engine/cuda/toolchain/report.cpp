#include "engine/cuda/toolchain/report.hpp"

#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_bytes = size_t(32) << 20;

}  // namespace

std::optional<ProgramReport> report_of(std::string_view json) {
  const auto all = try_parse_json(json);
  if (!all || !all->is_object() || all->value("format", nlohmann::ordered_json()) != report_format) return {};
  ProgramReport r;
  from_fields_json(r, *all, {}, Reading::lenient);
  if (r.ended.empty()) return {};
  for_each_text(r, [](std::string& text) { text = as_shown_line(text); });
  return r;
}

std::optional<ProgramReport> read_report(const std::filesystem::path& folder) {
  try {
    return report_of(read_file(folder / "report.json", most_bytes));
  } catch (const BadFile&) { return {}; }
}

}  // namespace bscope::cuda
