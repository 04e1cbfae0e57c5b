#include "app/cli/program_json.hpp"

namespace bscope {
namespace {

using Json = nlohmann::ordered_json;

Json remark_json(const cuda::Remark& r) {
  return {{"sentence", followed_by(r.message, r.help).english()}, {"file", r.file}, {"line", r.line}};
}

Json diagnostic_json(const cuda::Diagnostic& d) {
  return {{"severity", cuda::Diagnostic::severities[d.severity]},
          {"file", d.file},
          {"line", d.line},
          {"column", d.column},
          {"text", d.text.english()}};
}

template <class Range, class One>
Json json_array(const Range& range, One one) {
  Json all = Json::array();
  for (const auto& x : range) all.push_back(one(x));
  return all;
}

}  // namespace

Json program_json(const cuda::ProgramRun& p) {
  const cuda::ProgramReport& r = p.report;
  Json j{
      {"ended", r.ended}, {"exit", r.exit}, {"end", remark_json(r.end)}, {"schedule", name_of(p.schedule)}};
  j["launches"] = json_array(r.launches, [](const cuda::ReportedLaunch& l) {
    return Json{{"kernel", l.kernel}, {"grid", l.grid}, {"block", l.block}, {"shown", l.shown}};
  });
  j["warnings"] = json_array(r.warnings, remark_json);
  j["notes"] = json_array(r.notes, std::mem_fn(&Message::english));
  j["likely_causes"] = json_array(r.likely_causes, remark_json);
  j["early_returns"] = json_array(r.early_returns, remark_json);
  j["diagnostics"] = json_array(p.diagnostics, diagnostic_json);
  j["suggestions"] = json_array(p.suggestions, [](const cuda::Suggestion& s) {
    return Json{{"name", s.name}, {"file", s.file},       {"line", s.line},
                {"is", s.is},     {"smaller", s.smaller}, {"sentence", s.message.english()}};
  });
  j["output"] = p.output;
  j["output_cut"] = p.output_cut;
  return j;
}

}  // namespace bscope
