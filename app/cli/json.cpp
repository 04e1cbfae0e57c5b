#include "app/cli/json.hpp"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/analysis/globals.hpp"

namespace bscope {
namespace {

std::string quoted(const std::string& s) {
  return nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Exact for integers, the shortest text that reads back for floats, null for what JSON has no number for; a
/// map is a string, "3y+1".
std::string number_json(Kind kind, uint64_t bits) {
  if (kind == Kind::affine || kind == Kind::counted) return quoted(text_of(kind, bits));
  return std::isfinite(number(kind, bits)) && kind != Kind::other ? text_of(kind, bits) : "null";
}
std::string number_json(double v, Kind kind = Kind::f64) {
  if (!std::isfinite(v)) return "null";
  if (kind == Kind::affine) return number_json(kind, uint64_t(v));
  if (std::abs(v) < 9e15 && v == std::trunc(v)) return fmt::format("{}", int64_t(v));
  return kind == Kind::f32 ? fmt::format("{}", float(v)) : fmt::format("{}", v);
}
std::string cell_json(Kind kind, const std::byte* cell) {
  uint64_t bits = 0;
  std::memcpy(&bits, cell, size_t(bytes_of(kind)));
  return number_json(kind, bits);
}

/// Numbers as such, everything else as a string: {"block":4,"type":"int32"}.
std::string setting_json(const std::string& value) {
  const auto parsed = nlohmann::json::parse(value, nullptr, false);
  return parsed.is_number() ? value : quoted(value);
}

/// [a,b,c] of a range.
template <class Range, class F>
std::string list(const Range& range, F one) {
  std::string s = "[";
  for (const auto& x : range) {
    if (s.size() > 1) s += ',';
    s += one(x);
  }
  return s + "]";
}
template <class Range, class F>
std::string object(const Range& range, F name_and_value) {
  std::string s = "{";
  for (const auto& x : range) {
    if (s.size() > 1) s += ',';
    const auto [name, value] = name_and_value(x);
    s += quoted(name) + ":" + value;
  }
  return s + "}";
}
std::string doubles(const ArrayInfo& a, const std::vector<double>& v) {
  return list(v, [&](double x) { return number_json(x, a.kind); });
}

std::string array_json(const ArrayInfo& a, const char* space) {
  return fmt::format(R"({{"name":{},"space":"{}","type":"{}","size":{}{}}})", quoted(a.name), space,
                     name_of(a.kind), a.size, a.rows > 1 ? fmt::format(R"(,"rows":{})", a.rows) : "");
}

/// What a shared array holds at the end of an interval; null for a cell never written.
std::string shared_json(const Interval& v, const ArrayInfo& a) {
  const auto width = size_t(bytes_of(a.kind));
  std::string s = "[";
  for (int i = 0; i < a.size; ++i) {
    const size_t at = a.offset + size_t(i) * width;
    if (i) s += ',';
    s += width && v.wrote(at) ? cell_json(a.kind, v.shared.data() + at) : "null";
  }
  return s + "]";
}
std::string global_json(const ArrayInfo& a, const std::vector<std::byte>& cells) {
  const auto width = size_t(bytes_of(a.kind));
  std::string s = "[";
  for (int i = 0; i < a.size; ++i) {
    if (i) s += ',';
    s += width ? cell_json(a.kind, cells.data() + size_t(i) * width) : "null";
  }
  return s + "]";
}

class Show {
 public:
  Show(std::ostream& out, const Run& run, std::optional<int> globals)
      : out_(out), trace_(run.trace), report_(run.report), block_(globals) {
    if (block_) globals_.emplace(trace_, report_.flow);
  }

  void write() {
    out_ << R"({"format":"barrierscope.show/1","kernel":)" << quoted(trace_.kernel) << R"(,"device":)"
         << quoted(trace_.device) << R"(,"parameters":)" << object(trace_.parameters, [](const auto& p) {
              return std::pair(p.first, setting_json(p.second));
            });
    out_ << R"(,"input":)" << doubles(trace_.arrays[size_t(trace_.input)], report_.input) << R"(,"output":)"
         << doubles(trace_.arrays[size_t(trace_.output)], report_.output) << R"(,"expected":)"
         << doubles(trace_.arrays[size_t(trace_.output)], report_.expected) << R"(,"correct":)"
         << (report_.correct ? "true" : "false") << ",\n \"launches\":[";
    for (size_t k = 0; k < trace_.launches.size(); ++k) launch(int(k));
    out_ << "],\n \"totals\":" << totals();
    out_ << ",\n \"formulas\":" << list(trace_.formulas, [](const Formula& f) {
      return fmt::format(R"({{"of":{},"text":{},"value":{}}})", quoted(f.of), quoted(f.text),
                         number_json(f.value));
    });
    out_ << "}\n";
  }

 private:
  void launch(int k) {
    const Launch& l = trace_.launches[size_t(k)];
    out_ << (k ? ",\n  {" : "\n  {");
    out_ << fmt::format(R"("name":{},"grid":{},"block":{},"file":{},"arrays":[)", quoted(l.name), l.grid,
                        l.block, quoted(trace_.sources[size_t(l.source)].path));
    const char* comma = "";
    for (const auto& a : l.shared) out_ << comma << array_json(a, "shared"), comma = ",";
    for (size_t a = 0; a < l.after.size(); ++a)
      out_ << comma << array_json(trace_.arrays[a], "global"), comma = ",";
    out_ << "],\n   \"intervals\":[";
    comma = "\n    ";
    for (size_t i = 0; i < report_.flow.intervals.size(); ++i) {
      if (report_.flow.intervals[i].launch != k) continue;
      out_ << comma;
      interval(l, i);
      comma = ",\n    ";
    }
    out_ << "],\n   \"global\":{";
    for (size_t a = 0; a < l.after.size(); ++a)
      out_ << (a ? "," : "") << quoted(trace_.arrays[a].name) << ":"
           << global_json(trace_.arrays[a], l.after[a]);
    out_ << "}}";
  }

  std::string place(const Launch& l, Place p) const {
    return fmt::format("[{},{}]", quoted(trace_.array(l, p.array).name), p.index);
  }

  void interval(const Launch& l, size_t i) {
    const Flow& flow = report_.flow;
    const Interval& v = flow.intervals[i];
    out_ << fmt::format(R"({{"block":{},"index":{},"step":{},"phase":{},"closed_by":"{}","line":{},)",
                        v.block, v.index, i, quoted(v.phase), v.line ? "barrier" : "exit",
                        v.line ? std::to_string(v.line) : "null");
    out_ << R"("shared":)"
         << object(l.shared, [&](const ArrayInfo& a) { return std::pair(a.name, shared_json(v, a)); });
    out_ << R"(,"accesses":)" << list(v.nodes, [&](int id) {
      const Node& n = flow.nodes[size_t(id)];
      return fmt::format(
          R"({{"thread":{},"line":{},"op":"{}","space":"{}","array":{},"index":{},"value":{}}})", n.thread,
          n.line, name_of(n.op), n.place.shared() ? "shared" : "global",
          quoted(trace_.array(l, n.place.array).name), n.place.index, number_json(Kind(n.kind), n.bits));
    });
    out_ << R"(,"arrows":)" << list(arrows(flow, v), [&](const Arrow& a) {
      return fmt::format(R"({{"thread":{},"line":{},"to":{},"from":{},"operator":{}}})", a.thread, a.line,
                         place(l, a.to), list(a.from, [&](Place p) { return place(l, p); }), quoted(a.op));
    });
    const auto held = content(trace_, flow, report_.words(), v);
    out_ << R"(,"content":{)";
    for (size_t a = 0; a < l.shared.size() && a < held.size(); ++a)
      out_ << (a ? "," : "") << quoted(l.shared[a].name) << ":"
           << list(held[a], [](const Word& w) { return w.known ? quoted(w.text()) : std::string("null"); });
    out_ << "}";
    if (block_ == v.block) global_arrays(l, v);
    const auto t = total(report_.requests_of(i));
    out_ << fmt::format(R"(,"active_threads":{},"adds":{},"shared_requests":{},"shared_wavefronts":{},)"
                        R"("shared_wavefronts_ideal":{},"global_requests":{},"global_sectors":{},)"
                        R"("global_sectors_ideal":{}}})",
                        active_threads(flow, v).size(), work(flow, v).adds, t.shared_requests,
                        t.shared_wavefronts, t.shared_wavefronts_ideal, t.global_requests, t.global_sectors,
                        t.global_sectors_ideal);
  }

  /// What the global arrays hold when the interval ends, in values and in inputs.
  void global_arrays(const Launch& l, const Interval& v) {
    const int moment = globals_->after(v);
    std::string values, words;
    for (size_t a = 0; a < l.after.size(); ++a) {
      const ArrayInfo& array = trace_.arrays[a];
      const std::string name = (a ? "," : "") + quoted(array.name) + ":";
      values += name + list(globals_->at(int(a), moment).bits,
                            [&](uint64_t bits) { return number_json(array.kind, bits); });
      words += name + list(globals_->words_at(report_.words(), int(a), moment),
                           [](const Word& w) { return w.known ? quoted(w.text()) : std::string("null"); });
    }
    out_ << R"(,"global":{)" << values << R"(},"global_content":{)" << words << "}";
  }

  std::string totals() const {
    const auto t = total(report_.requests());
    return fmt::format(
        R"({{"barriers":{},"adds":{},"span":{},"shared_wavefronts":{},"shared_wavefronts_ideal":{},)"
        R"("global_sectors":{},"global_sectors_ideal":{},"longest_shared_queue":{},"longest_global_queue":{},)"
        R"("lost_updates":{},"events":{}}})",
        report_.barriers, report_.work().adds, report_.span(), t.shared_wavefronts, t.shared_wavefronts_ideal,
        t.global_sectors, t.global_sectors_ideal, report_.contention().longest_shared,
        report_.contention().longest_global, report_.lost().lost, trace_.events());
  }

  std::ostream& out_;
  const Trace& trace_;
  const Report& report_;
  const std::optional<int> block_;
  std::optional<Globals> globals_;
};

int default_block(const Algorithm& a) {
  Request r;
  r.kernel = a.name;
  return make_problem(a, r).block;
}

}  // namespace

void list_json(std::ostream& out) {
  out << R"({"format":"barrierscope.list/1","kernels":[)";
  const char* comma = "\n ";
  for (const Algorithm* a : catalog()) {
    out << comma
        << fmt::format(R"({{"name":{},"title":{},"lesson":{},"parameters":)", quoted(a->name),
                       quoted(a->title), quoted(a->lesson));
    out << list(a->parameters, [](const Parameter& p) {
      std::string s = fmt::format(R"({{"name":{},"values":{},"default":{})", quoted(p.name),
                                  list(p.values, [](const Choice& c) { return setting_json(c.text); }),
                                  setting_json(p.initial.text));
      if (p.values.empty()) s += fmt::format(R"(,"least":{},"most":{})", p.least, p.most);
      if (!p.refused.empty())
        s += R"(,"refused":)" + list(p.refused, [](const auto& refused) {
               return fmt::format(R"({{"value":{},"why":{}}})", setting_json(refused.first),
                                  quoted(refused.second));
             });
      return s + "}";
    });
    out << R"(,"presets":)" << list(a->presets, [](const Preset& p) { return quoted(p.name); });
    out << fmt::format(
        R"(,"default_n":{},"default_block":{},"full_block":{},"most_block":{},"power_of_two_block":{},"source":{})",
        a->default_n, default_block(*a), a->full_block, a->most_block,
        a->power_of_two_block ? "true" : "false", quoted(a->source));
    if (!a->mend.empty()) out << R"(,"mend":)" << quoted(a->mend);
    out << "}";
    comma = ",\n ";
  }
  out << "]}\n";
}

void show_json(std::ostream& out, const Run& run, std::optional<int> globals) {
  Show(out, run, globals).write();
}

void check_json(std::ostream& out, const Run& run, const Verdict& v) {
  const Report& r = run.report;
  auto yes = [](bool b) { return b ? "true" : "false"; };
  out << fmt::format(R"({{"format":"barrierscope.check/1","kernel":{},"passed":{},"correct":{},"hazards":)",
                     quoted(run.trace.kernel), yes(v.passed()), yes(v.correct));
  out << list(r.flow.hazards, [](const Hazard& h) {
    return fmt::format(R"({{"array":{},"index":{},"lines":[{},{}],"threads":[{},{}],"sentence":{}}})",
                       quoted(h.array), h.place.index, h.lines[0], h.lines[1], h.threads[0], h.threads[1],
                       quoted(h.sentence));
  });
  out << fmt::format(R"(,"hazards_found":{},"findings":)", r.flow.hazards_found);
  out << list(v.findings, [](const Finding& f) {
    return fmt::format(R"({{"launch":{},"block":{},"thread":{},"line":{},"sentence":{}}})", f.launch, f.block,
                       f.thread, f.line, quoted(f.text));
  });
  out << R"(,"barriers":)" << list(v.barriers, [](const Barrier& b) {
    return fmt::format(R"({{"launch":{},"line":{},"needed":{},"sentence":{}}})", b.launch, b.line,
                       b.needed ? "true" : "false", quoted(b.sentence));
  });
  out << fmt::format(
      R"(,"proof":{{"applies":{},"holds":{},"operators":{},"sentence":{}}},"lost_updates":{},"snapshots_match_replay":{})",
      yes(r.proof().applies), yes(r.proof().holds), quoted(r.proof().operators), quoted(r.proof().sentence),
      r.lost().lost, yes(v.snapshots_match));
  auto numbers = [](const std::vector<int>& all) {
    return list(all, [](int k) { return std::to_string(k); });
  };
  out << fmt::format(R"(,"coverage":{{"unread":{},"read_by_two_blocks":{},"unwritten":{},"sentences":{}}})",
                     numbers(v.coverage.unread), numbers(v.coverage.twice), numbers(v.coverage.unwritten),
                     list(v.coverage.sentences, quoted));
  if (!v.mend.empty()) out << R"(,"mend":)" << quoted(v.mend);
  out << "}\n";
}

}  // namespace bscope
