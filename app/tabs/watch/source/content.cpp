#include "app/tabs/watch/source/content.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "app/run/cuda_text.hpp"
#include "app/run/marked_lines.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/selection.hpp"
#include "engine/trace/cpp_tokens.hpp"

namespace bscope {

namespace {

const std::map<int, Message>& wrong_lines(const RunQueries& model, int source) {
  std::shared_ptr<const void>& kept = model.kept("marked-lines:" + std::to_string(source));
  if (!kept) kept = std::make_shared<const std::map<int, Message>>(marked_lines(model.run(), source));
  return *static_cast<const std::map<int, Message>*>(kept.get());
}

}  // namespace

SourceContent::SourceContent(const RunQueries& m, const Cursor& c, const WatchState& state, bool hides,
                             const std::shared_ptr<const OwnCode>& own, SourceShown shown)
    : model(m),
      cursor(c),
      look(state),
      step(*m.step(c)),
      sub(hides ? nullptr : m.instruction(c)),
      followed(m.followed(c)) {
  const auto& sources = model.trace().sources;
  const int source = model.trace().launches[size_t(step.interval->launch)].source;
  if (source >= 0 && size_t(source) < sources.size()) {
    lines = source_text_lines(sources[size_t(source)].text);
    file = sources[size_t(source)].path;
    file.erase(0, file.find_last_of('/') + 1);
  }
  if (model.trace().dialect == Dialect::ours_in_cuda) {
    const auto main = std::ranges::find_if(lines, [](const std::string& l) {
      return l.starts_with("int") && l.find("main(") != std::string::npos;
    });
    main_line = main == lines.end() ? 0 : int(main - lines.begin()) + 1;
  }
  why_no_cuda = model.trace().dialect == Dialect::ours ? why_not_in_cuda(model.trace()) : Message();
  barriers = barrier_lines(model.trace(), model.flow(), source);
  fold = registration_lines(lines);
  const auto within = [&](int line) { return line > fold.first && line <= fold.last; };
  folded = fold.last > fold.first && !look.registration && !within(c.line) &&
           (step.lines().empty() || !within(step.lines().rbegin()->first));
  std::vector<int> run{c.line};
  if (const auto& lines = step.lines(); !lines.empty())
    run = {lines.begin()->first, lines.rbegin()->first};
  else if (c.line == 0)  // the block was ended before it did anything: no line to name
    for (const Finding& f : model.trace().findings)
      if (f.launch == c.launch && f.block == c.block && f.line > 0) {
        run = {f.line};
        break;
      }
  if (sub) run.push_back(sub->what.line);  // lanes may meet on a line that touches no memory
  const auto within_file = [&](int line) { return std::clamp(line, 1, std::max(1, int(lines.size()))); };
  lit = {within_file(std::ranges::min(run)), within_file(std::ranges::max(run))};
  if (!shown.coming) coming = coming_lines(model, *step.interval, c.line);
  hints = shown.hints;
  if (!hints) hide_comments();
  const Selection selection = model.selection(c);
  const int chosen = selection.here ? selection.node : -1;
  roles = roles_of_lines(model, step, followed, chosen);
  profile = lanes_of_lines(model, step, look.profile);
  if (sub) sub_role = bscope::role_of(*sub);
  // a lesson's kernel may be asked about: what is wrong with it is its answer
  if (model.trace().dialect == Dialect::cuda && !hides && shown.faults) wrong = wrong_lines(model, source);
  if (look.machine_code) machine = &machine_lines(model, step.interval->launch, own);
  if (profiled()) return;
  values = values_of_lines(model, step, followed, chosen, hides);
  if (sub) sub_values = values_of_lines(model, step, followed, chosen, hides, sub);
}

void SourceContent::hide_comments() {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  std::string code = text;
  for (const Token& word : tokens(text))
    if (word.kind == Token::comment)
      for (size_t k = word.begin; k < word.end; ++k)
        if (code[k] != '\n') code[k] = ' ';
  size_t begin = 0;
  for (int number = 1; number <= size(); ++number) {
    std::string& line = lines[size_t(number) - 1];
    const std::string left = code.substr(begin, line.size());
    begin += line.size() + 1;
    if (left == line) continue;
    const size_t last = left.find_last_not_of(' ');
    if (last == std::string::npos)
      comments.insert(number);
    else
      line = left.substr(0, last + 1);
  }
}

const LineRole* SourceContent::role_of(int number) const {
  if (sub && number == sub->what.line) return &sub_role;
  const auto it = roles.find(number);
  return it == roles.end() ? nullptr : &it->second;
}

int SourceContent::telling_line() const {
  if (sub) return sub->what.line;
  if (const auto cell = model.selected(cursor))
    if (const auto* written = step.writes_of(*cell)) {
      const int line = model.flow().nodes[size_t(written->node)].line;
      if (line >= 1 && line <= int(lines.size())) return line;
    }
  return lit.first;
}

int SourceContent::wrong_beside() const {
  const auto here = wrong.find(cursor.line);
  if (here == wrong.end()) return 0;
  int nearest = 0;
  for (const auto& [line, message] : wrong)
    if (line != cursor.line && line <= size() && message == here->second &&
        (!nearest || std::abs(line - cursor.line) < std::abs(nearest - cursor.line)))
      nearest = line;
  return nearest;
}

std::string SourceContent::tip_of(int number) const {
  if (is_coming(number))
    return tr("Line {} runs later. It is shown when the lesson has asked its questions.", number);
  if (comments.contains(number)) return tr("A comment. It is shown when the lesson has asked its questions.");
  if (const auto it = profile.find(number); it != profile.end()) {
    const ActiveLanes& l = it->second;
    return tr("Line {0}: warps ran it {1} times, in {2} instructions; {3} of {4} lanes took part ({5}%).",
              number, l.runs, l.instructions, l.active, l.lanes, int(100 * l.share() + 0.5));
  }
  if (const auto it = wrong.find(number); it != wrong.end()) return capitalised(tr(it->second));
  const LineRole* role = role_of(number);
  if (!role) return tr("Line {}", number);
  static constexpr const char* what[] = {tr_noop("Line {} computes in this step"),
                                         tr_noop("Line {} reads memory in this step"),
                                         tr_noop("Line {} writes memory in this step"),
                                         tr_noop("Line {} updates memory atomically in this step"),
                                         tr_noop("Line {} is the barrier that this step began at")};
  std::string tip = tr(what[int(role->what)], number);
  if (!role->lanes.empty())
    tip += tr("; the marks are the lanes of warp {}, filled where they take part", role->warp);
  return tip + tr(".");
}

}  // namespace bscope
