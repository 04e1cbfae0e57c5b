#include "app/cli/json.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <ranges>

#include "app/cli/json_writer.hpp"
#include "app/cli/program_json.hpp"
#include "app/lessons/programs.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/finding_groups.hpp"
#include "app/run/values.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/globals.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"

namespace bscope {
namespace {

using Json = nlohmann::ordered_json;

/// [f(a), f(b)] of a range.
template <class Range, class F>
Json list(const Range& range, F one) {
  Json::array_t all;
  all.reserve(std::size(range));
  for (const auto& x : range) all.push_back(one(x));
  return all;
}

/// Exact for integers, the shortest text that reads back for floats, null for what JSON has no number for; a
/// map is a string, "3y+1".
void write(JsonWriter& w, ElementType kind, uint64_t bits) {
  if (kind == ElementType::affine || kind == ElementType::counted) return w.value(text_of(kind, bits));
  if (kind == ElementType::other || !std::isfinite(number(kind, bits))) return w.value(nullptr);
  w.raw(text_of(kind, bits));
}
void write(JsonWriter& w, ElementType kind, double v) {
  if (!std::isfinite(v)) return w.value(nullptr);
  if (kind == ElementType::affine) return write(w, kind, uint64_t(v));
  if (std::abs(v) < 9e15 && v == std::trunc(v)) return w.value(int64_t(v));
  w.raw(exact_text(kind, v));
}
void write(JsonWriter& w, const std::vector<Word>& words) {
  w.array(words, [&](const Word& word) {
    if (word.known)
      w.value(word.text());
    else
      w.value(nullptr);
  });
}

/// Numbers as such, everything else as a string: {"block":4,"type":"int32"}.
Json setting_json(const std::string& value) {
  const auto parsed = try_parse_json(value);
  return parsed && parsed->is_number() ? *parsed : Json(value);
}

Json array_json(const ArrayInfo& a, const char* space) {
  Json j{{"name", a.name}, {"space", space}, {"type", name_of(a.kind)}, {"size", a.size}};
  if (a.rows > 1) j["rows"] = a.rows;
  return j;
}

Json extent_json(const Extent& e) { return Json::array({e.x, e.y, e.z}); }

/// Null where no expected result is stated.
Json judgement(const Trace& trace, const Report& report) {
  return trace.expected.empty() ? Json() : Json(report.correct);
}

class Show {
 public:
  Show(std::ostream& out, const Run& run, std::optional<int> globals, const cuda::ProgramRun* program)
      : w_(out), trace_(run.trace), report_(run.report), block_(globals), program_(program) {
    if (block_) globals_.emplace(trace_, report_.flow);
  }

  void write_run() {
    w_.object([&] {
      w_.member("format", "barrierscope.show/1");
      w_.member("kernel", trace_.kernel);
      w_.member("device", trace_.device);
      w_.name("parameters").object([&] {
        for (const auto& [name, value] : trace_.parameters) w_.member(name, setting_json(value));
      });
      values("input", trace_.input, report_.input);
      values("output", trace_.output, report_.output);
      values("expected", trace_.output, report_.expected);
      w_.member("correct", judgement(trace_, report_));
      w_.line(1).name("launches").array(trace_.launches, [&](const Launch& l) { launch(l); });
      w_.line(1).name("totals").object([&] {
        for (const Fact* f : facts_)
          if (!f->name.empty() && f->of_run) w_.member(f->name, f->of_run(report_));
      });
      w_.line(1).name("formulas").array(trace_.formulas, [&](const Formula& f) {
        w_.object([&] {
          w_.member("of", f.of);
          w_.member("text", f.text);
          write(w_.name("value"), ElementType::f64, f.value);
        });
      });
      if (program_) w_.line(1).name("program").value(program_json(*program_));
    });
  }

 private:
  void values(const char* name, int array, const std::vector<double>& all) {
    const ElementType kind = trace_.arrays[size_t(array)].kind;
    w_.name(name).array(all, [&](double v) { write(w_, kind, v); });
  }
  /// Cells side by side; null for one that was not `written`.
  template <class Written>
  void cells(const ArrayInfo& a, const std::byte* first, Written written) {
    const auto width = size_t(bytes_of(a.kind));
    w_.name(a.name).array(std::views::iota(size_t(0), size_t(a.size)), [&](size_t i) {
      if (!width || !written(i * width)) return w_.value(nullptr);
      uint64_t bits = 0;
      std::memcpy(&bits, first + i * width, width);
      write(w_, a.kind, bits);
    });
  }

  void launch(const Launch& l) {
    const int k = int(&l - trace_.launches.data());
    w_.line(2).object([&] {
      w_.member("name", l.name);
      w_.member("grid", l.grid);
      w_.member("block", l.block);
      if (l.grid_extent) w_.member("grid_extent", extent_json(*l.grid_extent));
      if (l.block_extent) w_.member("block_extent", extent_json(*l.block_extent));
      w_.member("file", trace_.sources[size_t(l.source)].path);
      Json arrays = list(l.shared, [](const ArrayInfo& a) { return array_json(a, "shared"); });
      for (size_t a = 0; a < l.after.size(); ++a) arrays.push_back(array_json(trace_.arrays[a], "global"));
      w_.member("arrays", arrays);
      w_.line(3).name("intervals").array(report_.flow.intervals, [&](const Interval& v) {
        if (v.launch == k) interval(l, v);
      });
      w_.line(3).name("global").object([&] {
        for (size_t a = 0; a < l.after.size(); ++a)
          cells(trace_.arrays[a], l.after[a].data(), [](size_t) { return true; });
      });
    });
  }

  void interval(const Launch& l, const Interval& v) {
    const DataflowGraph& flow = report_.flow;
    const auto step = size_t(&v - flow.intervals.data());
    w_.line(4).object([&] {
      w_.member("block", v.block);
      w_.member("index", v.index);
      w_.member("step", step);
      w_.member("phase", v.phase);
      w_.member("closed_by", v.line ? "barrier" : "exit");
      w_.member("line", v.line ? Json(v.line) : Json());
      w_.name("shared").object([&] {
        for (const ArrayInfo& a : l.shared)
          cells(a, v.shared.data() + a.offset, [&](size_t at) { return v.wrote(a.offset + at); });
      });
      w_.name("accesses").array(v.nodes, [&](int id) { access(l, flow.nodes[size_t(id)]); });
      w_.name("arrows").array(arrows(flow, v), [&](const Arrow& a) { arrow(l, a); });
      const auto held = content(trace_, flow, report_.words(), v);
      w_.name("content").object([&] {
        for (size_t a = 0; a < l.shared.size() && a < held.size(); ++a)
          write(w_.name(l.shared[a].name), held[a]);
      });
      if (block_ == v.block) global_arrays(l, v);
      for (const Fact* f : facts_)
        if (!f->name.empty() && f->of_step) w_.member(f->name, f->of_step(report_, step));
    });
  }

  void access(const Launch& l, const Node& n) {
    w_.object([&] {
      w_.member("thread", n.thread);
      w_.member("line", n.line);
      w_.member("op", name_of(n.op));
      w_.member("space", n.place.shared() ? "shared" : "global");
      w_.member("array", trace_.array(l, n.place.array).name);
      w_.member("index", n.place.index);
      write(w_.name("value"), ElementType(n.kind), n.bits);
    });
  }

  void arrow(const Launch& l, const Arrow& a) {
    const auto place = [&](CellRef p) {
      w_.tuple([&] {
        w_.value(trace_.array(l, p.array).name);
        w_.value(p.index);
      });
    };
    w_.object([&] {
      w_.member("thread", a.thread);
      w_.member("line", a.line);
      w_.name("to");
      place(a.to);
      w_.name("from").array(a.from, place);
      w_.member("operator", a.op);
    });
  }

  /// What the global arrays hold when the interval ends, in values and in inputs.
  void global_arrays(const Launch& l, const Interval& v) {
    const int moment = globals_->after(v);
    w_.name("global").object([&] {
      for (size_t a = 0; a < l.after.size(); ++a)
        w_.name(trace_.arrays[a].name).array(globals_->at(int(a), moment)->bits, [&](uint64_t bits) {
          write(w_, trace_.arrays[a].kind, bits);
        });
    });
    w_.name("global_content").object([&] {
      for (size_t a = 0; a < l.after.size(); ++a)
        write(w_.name(trace_.arrays[a].name),
              globals_->words_at(report_.words(), globals_->whole(int(a)), moment));
    });
  }

  JsonWriter w_;
  const Trace& trace_;
  const Report& report_;
  const std::optional<int> block_;
  const cuda::ProgramRun* program_;
  const std::vector<const Fact*> facts_ = facts();
  std::optional<Globals> globals_;
};

Json kernel_json(const Algorithm& a) {
  Json j{{"name", a.name}, {"title", a.title}, {"lesson", a.lesson}};
  j["parameters"] = list(a.parameters, [](const Parameter& p) {
    Json one{{"name", p.name}};
    one["values"] = list(p.values, [](const Choice& c) { return setting_json(c.text); });
    one["default"] = setting_json(p.initial.text);
    if (p.values.empty()) one["least"] = p.least, one["most"] = p.most;
    if (!p.refused.empty())
      one["refused"] = list(p.refused, [](const auto& refused) {
        return Json{{"value", setting_json(refused.first)}, {"why", refused.second}};
      });
    return one;
  });
  j["presets"] = list(a.presets, [](const Preset& p) { return Json(p.name); });
  j["default_n"] = a.usual_n();
  j["default_block"] = make_problem(a, {.kernel = a.name}).block;
  j["full_block"] = a.full_block;
  j["most_block"] = a.most_block;
  j["power_of_two_block"] = a.power_of_two_block;
  j["source"] = a.source;
  if (!a.fix.empty()) j["fix"] = a.fix;
  return j;
}

/// A lesson, with the programs that a page has to compile for it.
Json lesson_json(const Lesson& lesson) {
  return {{"name", lesson.id},
          {"title", lesson.title},
          {"programs", list(program_targets(lesson), [](const Target& t) {
             return Json{{"file", std::filesystem::path(t.file).filename().string()},
                         {"constants", to_fields_json(t.program).at("constants")},
                         {"device_model", t.program.device_model}};
           })}};
}

}  // namespace

void list_json(std::ostream& out) {
  LessonShelf shelf;
  shelf.refresh();
  {
    JsonWriter w(out);
    w.object([&] {
      w.member("format", "barrierscope.list/1");
      w.name("kernels").array(catalog(), [&](const Algorithm* a) { w.line(1).value(kernel_json(*a)); });
      w.name("lessons").array(shelf.ids(), [&](const std::string& id) {
        w.line(1).value(lesson_json(*shelf.find(id, Language::en)));
      });
    });
  }
  out << "\n";
}

void show_json(std::ostream& out, const Run& run, std::optional<int> globals,
               const cuda::ProgramRun* program) {
  Show(out, run, globals, program).write_run();
  out << "\n";
}

namespace {

/// What is known of a place.
Json span_json(const SourceSpan& at) {
  Json j{{"file", at.file}, {"line", at.line}};
  if (at.column) j["column"] = at.column, j["length"] = at.length;
  return j;
}

Json group_json(const FindingGroup& g) {
  Json j{{"rule", g.rule_name()}, {"severity", name_of(g.severity)}};
  j.update(span_json(g.at));
  if (!g.title.empty()) j["title"] = g.title.english();
  j["message"] = g.message.english();
  if (!g.help.empty()) j["help"] = g.help.english();
  if (!g.tried.empty()) j["tried"] = g.tried.english();
  j["count"] = g.count;
  if (!g.extent.empty()) j["extent"] = g.extent.english();
  if (g.moment)
    j["moment"] = {{"launch", g.moment->launch},
                   {"block", g.moment->block},
                   {"interval", g.moment->interval},
                   {"thread", g.moment->thread}};
  if (!g.notes.empty())
    j["notes"] = list(g.notes, [](const FindingNote& n) {
      Json note{{"message", n.message.english()}};
      note.update(span_json(n.at));
      return note;
    });
  if (!g.consequences.empty()) j["consequences"] = list(g.consequences, group_json);
  return j;
}

}  // namespace

void check_json(std::ostream& out, const Run& run, const Verdict& v, const std::vector<FindingGroup>& groups,
                const cuda::ProgramRun* program) {
  const Report& r = run.report;
  Json j{{"format", "barrierscope.check/1"}, {"kernel", run.trace.kernel}};
  j["steps"] = r.flow.intervals.size();
  j["passed"] = v.passed();
  if (!v.stopped.empty()) j["not_judged"] = v.stopped.english();
  if (!v.unseen.empty()) j["not_seen"] = v.unseen.english();
  j["correct"] = judgement(run.trace, r);
  j["groups"] = list(groups, group_json);
  j["hazards"] = list(r.flow.hazards, [](const Hazard& h) {
    return Json{{"launch", h.launch}, {"array", h.array},     {"index", h.place.index},
                {"lines", h.lines},   {"threads", h.threads}, {"sentence", h.sentences().english()}};
  });
  j["hazards_found"] = r.flow.hazards_found;
  j["findings"] = list(v.findings, [](const Finding& f) {
    return Json{{"launch", f.launch}, {"block", f.block}, {"thread", f.thread},
                {"line", f.line},     {"more", f.more},   {"sentence", f.text()}};
  });
  j["barriers"] = list(v.barriers, [](const Barrier& b) {
    return Json{
        {"launch", b.launch}, {"line", b.line}, {"needed", b.needed}, {"sentence", b.message.english()}};
  });
  const Proof& proof = r.proof();
  j["proof"] = Json{{"applies", proof.applies},
                    {"holds", proof.holds},
                    {"operators", proof.operators},
                    {"sentence", proof.message.english()}};
  j["lost_updates"] = r.lost().lost;
  j["snapshots_match_replay"] = v.snapshots_match;
  j["coverage"] = Json{
      {"unread", v.coverage.unread},
      {"read_by_two_blocks", v.coverage.twice},
      {"unwritten", v.coverage.unwritten},
      {"sentences", list(v.coverage.gaps, [](const CoverageGap& gap) { return gap.sentences().english(); })}};
  if (!v.fix.empty()) j["fix"] = v.fix;
  if (program) {
    j["program_mistakes"] = list(v.program, std::mem_fn(&Message::english));
    j["program"] = program_json(*program);
  }
  out << json_text(j) << "\n";
}

}  // namespace bscope
