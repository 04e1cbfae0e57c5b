#include "app/run/cuda_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "app/run/run.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/other_order.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/constants.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::vector<CudaText> read_cuda_texts() {
  std::vector<CudaText> all;
  const std::string_view text = source_text("kernels/cuda_lines.json");
  const nlohmann::ordered_json known = parse_json(text, "cuda_lines.json");
  for (const auto& [kernel, entry] : known.items()) {
    const Algorithm* const a = algorithm_of(kernel);
    if (!a) continue;
    CudaText one{.kernel = kernel, .path = entry.at("file").get<std::string>()};
    one.text = source_text(one.path);
    for (const auto& [part, constant] : entry.at("constants").items())
      one.constants[part] = constant.get<std::string>();
    if (const auto settings = entry.find("settings"); settings != entry.end())
      for (const auto& [name, value] : settings->items()) one.settings[name] = value.get<std::string>();
    const auto take_lines = [&](const std::string& file, const nlohmann::ordered_json& lines) {
      for (const auto& [line, in_cuda] : lines.items())
        one.lines[{file, int(as_whole(line).value_or(0))}] = in_cuda.get<std::vector<int>>();
    };
    take_lines(a->source, entry.at("lines"));
    if (const auto others = entry.find("others"); others != entry.end())
      for (const auto& [file, lines] : others->items()) take_lines(file, lines);
    if (const auto values = entry.find("values"); values != entry.end())
      for (const auto& [part, words] : values->items())
        for (const auto& [word, number] : words.items())
          one.words[{part, word}] = std::to_string(number.get<long long>());
    if (!one.text.empty()) all.push_back(std::move(one));
  }
  return all;
}

std::string_view line_text(std::string_view text, int line) {
  for (; line > 1 && !text.empty(); --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

/// Whether the event's line must be known: it is where memory is touched or threads meet.
bool is_essential(Op op) {
  return reads(op) || writes(op) || is_atomic(op) || op == Op::sync || op == Op::sync_grid ||
         op == Op::sync_warp || op == Op::shuffle;
}

/// A run's trace, line by line.
class LineTaker {
 public:
  LineTaker(Trace& t, const CudaText& text) : t_(t), text_(text) {}

  /// Whether the trace is of the sources that the lines are of, and all lines are known that must be.
  bool knows_all() const {
    for (const Source& s : t_.sources)  // a file may be of an older version
      if (s.text != source_text(s.path)) return false;
    for (const Launch& l : t_.launches)
      for (const BlockRun& b : l.blocks)
        for (const Event& e : b.events)
          if (e.line > 0 && is_essential(e.op) && !text_.lines.contains({path(l), e.line})) return false;
    return true;
  }

  void take() {
    for (const Launch& l : t_.launches) places_.push_back({path(l), {}});
    for (size_t k = 0; k < t_.launches.size(); ++k)
      for (BlockRun& b : t_.launches[k].blocks)
        for (Event& e : b.events) e.line = uint16_t(line_in(int(k), e.line));
    take(t_.findings);
    take_schedule();
    for (Launch& l : t_.launches) l.source = 0;
    t_.sources = {{text_.path, program_with(text_, t_.parameters)}};  // in the run's sizes; lines stay lines
    t_.dialect = Dialect::ours_in_cuda;
  }
  void take(DataflowGraph& flow) {
    for (Node& n : flow.nodes) n.line = uint16_t(line_in(n.launch, n.line));
    for (Interval& i : flow.intervals) i.line = line_in(i.launch, i.line);
  }
  void take(OtherOrder& other) {
    take(other.hazards);
    take(other.faults);
  }

 private:
  /// A launch's file, and the lines of it that were asked for: a run has many events and few lines.
  struct Place {
    std::string path;
    std::map<int, int> known;
  };
  int line_in(int launch, int line) {
    if (line <= 0 || launch < 0) return line;
    Place& place = places_[std::min(size_t(launch), places_.size() - 1)];
    const auto [at, fresh] = place.known.try_emplace(line);
    if (fresh) at->second = text_.line_of(place.path, line);
    return at->second;
  }
  void take(std::vector<Hazard>& hazards) {
    for (Hazard& h : hazards) {
      for (int& line : h.lines) line = line_in(h.launch, line);
      h.message = in_cuda(h.message, h.launch);
      h.help = in_cuda(h.help, h.launch);
      for (BarrierPlace& p : h.cure.places) {
        p.from = line_in(h.launch, p.from);
        p.to = line_in(h.launch, p.to);
      }
      h.cure.line = line_in(h.launch, h.cure.line);
      h.cure.other_line = line_in(h.launch, h.cure.other_line);
    }
  }
  void take(std::vector<Finding>& findings) {
    for (Finding& f : findings) {
      f.line = line_in(f.launch, f.line);
      f.message = in_cuda(f.message, f.launch);
      f.help = in_cuda(f.help, f.launch);
    }
  }
  std::string path(const Launch& l) const {
    return size_t(l.source) < t_.sources.size() ? t_.sources[size_t(l.source)].path : std::string();
  }

  /// "lockstep without 5_blelloch.cu:24": what was left out stands in another line.
  void take_schedule() {
    std::istringstream words(t_.driver);
    std::string all;
    for (std::string word; words >> word; all += (all.empty() ? "" : " ") + word) {
      const size_t colon = word.rfind(':');
      const auto line = colon == std::string::npos ? std::nullopt : as_whole(word.substr(colon + 1));
      if (!line) continue;
      for (const Source& s : t_.sources)
        if (file_name(s.path) == word.substr(0, colon))
          word = file_name(text_.path) + ":" + std::to_string(text_.line_of(s.path, int(*line)));
    }
    t_.driver = all;
  }

  /// A sentence, with the lines that it names.
  Message in_cuda(const Message& m, int launch) {
    if (m.is_verbatim()) return m;
    std::vector<Message> arguments;
    size_t at = 0;
    bool after_line = false;
    for (const Message& a : m.arguments()) {
      const size_t begin = at;
      at = m.pattern().find("{}", at);
      const std::string_view before = std::string_view(m.pattern()).substr(begin, at - begin);
      // "lines {} to {}", "line {} and line {}"
      after_line = before.ends_with("line ") || before.ends_with("lines ") ||
                   (after_line && (before == " to " || before == " and "));
      at += 2;
      const auto line = after_line && a.is_verbatim() ? as_whole(a.pattern()) : std::nullopt;
      arguments.push_back(line ? Message::verbatim(std::to_string(line_in(launch, int(*line))))
                               : in_cuda(a, launch));
    }
    return {m.pattern(), std::move(arguments)};
  }
  Trace& t_;
  const CudaText& text_;
  std::vector<Place> places_;  ///< by launch
};

}  // namespace

const std::vector<CudaText>& cuda_texts() {
  static const std::vector<CudaText> all = read_cuda_texts();
  return all;
}

const CudaText* cuda_text_of(std::string_view kernel) {
  const auto& all = cuda_texts();
  const auto found = std::ranges::find(all, kernel, &CudaText::kernel);
  return found == all.end() ? nullptr : &*found;
}

int CudaText::line_of(const std::string& where, int line) const {
  auto at = lines.upper_bound({where, line});
  if (at != lines.begin() && std::prev(at)->first.first == where) --at;
  return at == lines.end() || at->first.first != where || at->second.empty() ? 0 : at->second.front();
}

int CudaText::dialect_line(int line, const std::string& where) const {
  const auto stands_for = [&](const auto& one) { return std::ranges::count(one.second, line) > 0; };
  auto found = std::ranges::find_if(
      lines, [&](const auto& one) { return one.first.first == where && stands_for(one); });
  if (found == lines.end()) found = std::ranges::find_if(lines, stands_for);
  return found == lines.end() ? 0 : found->first.second;
}

std::vector<LeftOut> CudaText::barriers_at(int line) const {
  std::vector<LeftOut> all;
  for (const auto& [at, in_cuda] : lines)
    if (std::ranges::count(in_cuda, line) &&
        line_text(source_text(at.first), at.second).find("sync") != std::string_view::npos)
      all.push_back({file_name(at.first), at.second});
  return all;
}

Message why_no_program(const CudaText& text, const ParameterValues& values) {
  const auto& parameters = find(text.kernel).parameters;
  for (const auto& [name, value] : values) {
    const auto p = std::ranges::find(parameters, name, &Parameter::name);
    if (p == parameters.end()) continue;
    if (text.constants.contains(name) && (as_whole(value) || text.words.contains({name, value}))) continue;
    const auto only = text.settings.find(name);
    if (value != (only != text.settings.end() ? only->second : p->initial.text))
      return message("no CUDA program with {} = {}", name, value);
  }
  return {};
}

std::string program_with(const CudaText& text, const ParameterValues& values) {
  std::vector<cuda::NamedText> one{{.name = file_name(text.path), .text = std::string(text.text)}};
  for (const auto& [name, value] : values)
    if (const auto constant = text.constants.find(name); constant != text.constants.end()) {
      const auto word = text.words.find({name, value});
      cuda::change(one, {.name = constant->second, .value = word == text.words.end() ? value : word->second});
    }
  return std::move(one.front().text);
}

Message why_not_in_cuda(const Trace& t) {
  const CudaText* const text = cuda_text_of(t.kernel);
  return text ? why_no_program(*text, t.parameters) : Message();
}

void take_cuda_lines(Trace& t, DataflowGraph& flow, OtherOrder& other) {
  const CudaText* const text = t.dialect == Dialect::ours ? cuda_text_of(t.kernel) : nullptr;
  if (!text || !why_not_in_cuda(t).empty()) return;
  LineTaker lines(t, *text);
  if (t.launches.empty() || !lines.knows_all()) return;
  lines.take();
  lines.take(other);
  // sentences about races and faults name lines and what the source says there: they are made anew
  const bool says = !flow.hazards.empty() || !flow.same_value_stores.empty() || !flow.faults.empty();
  if (says)
    flow = replay_trace(t);
  else
    lines.take(flow);
}

}  // namespace bscope
