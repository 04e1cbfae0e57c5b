// Runs kernels as standard input says, a JSON object a line, and answers each with a line: what came
// out, bit for bit. tests/scripts/random_runs_test.py draws the runs and holds the answers against models of
// its own. The first line that it writes says which kernels there are and what they take.
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

using nlohmann::json;

json described(const Algorithm& a) {
  json parameters = json::object();
  for (const Parameter& p : a.parameters) {
    json values = json::array();
    for (const Choice& c : p.values) values.push_back(c.text);
    parameters[p.name] = {
        {"values", values}, {"initial", p.initial.text}, {"least", p.least}, {"most", p.most}};
  }
  return {{"kernel", a.name}, {"parameters", parameters}, {"blocks", legal_blocks(a)}};
}

std::string hex(const std::vector<std::byte>& bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte b : bytes) {
    text += digits[unsigned(b) >> 4];
    text += digits[unsigned(b) & 15];
  }
  return text;
}

json answer(const json& asked) {
  const Algorithm& a = find(asked.at("kernel").get<std::string>());
  RunSpec r;
  r.kernel = a.name;
  r.values = asked.at("values").get<std::vector<double>>();
  r.block = asked.at("block").get<long long>();
  for (const auto& [name, value] : asked.at("set").items())
    r.set.emplace_back(name, value.get<std::string>());
  Schedule schedule = parse_schedule(asked.at("schedule").get<std::string>());
  schedule.most_events = size_t(64) << 20;
  json out;
  try {
    const Problem p = make_problem(a, r);
    out["tile"] = a.tile ? a.tile(p) : p.block;
    const Trace t = run(a, p, Device::cpu, schedule,
                        [](const Trace& fast) { return order_matters(fast, replay_trace(fast)); });
    out["output"] = hex(t.launches.back().after.at(size_t(t.output)));
    out["kind"] = name_of(t.arrays.at(size_t(t.output)).kind);
    out["findings"] = json::array();
    for (const Finding& f : t.findings) out["findings"].push_back(f.text());
    if (asked.at("analyse").get<bool>()) {
      const Report report = analyse(t);
      out["correct"] = report.correct;
      out["hazards"] = report.flow.hazards_found;
      out["faults"] = json::array();
      for (const Finding& f : report.flow.faults) out["faults"].push_back(f.text());
      out["snapshots_match"] = report.flow.snapshots_match;
      out["proof"] = !report.proof().applies ? "none"
                     : report.proof().holds  ? "holds"
                                             : report.proof().message.english();
      out["lost"] = report.lost().lost;
    }
  } catch (const UsageError& e) { out = {{"refused", e.what()}}; }
  out["processor_s"] = double(std::clock()) / CLOCKS_PER_SEC;
  return out;
}

}  // namespace
}  // namespace bscope

int main() {
  using namespace bscope;
  std::ios::sync_with_stdio(false);
  json all = json::array();
  for (const Algorithm* a : catalog()) all.push_back(described(*a));
  all.push_back(described(find("skeleton/reverse")));
  std::cout << all.dump() << std::endl;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer(json::parse(line)).dump() << std::endl;
}
