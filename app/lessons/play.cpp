#include "app/lessons/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/lessons/links.hpp"
#include "app/measure/recorded.hpp"
#include "app/run/values.hpp"
#include "app/session/input.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/tabs/memory/memory_state.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/hand_over.hpp"
#include "engine/analysis/moments.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

/// What a placeholder stands for; `number` where one can be reckoned with.
struct Answer {
  std::string text;
  std::optional<double> number;
};
/// Bytes between braces; it is reckoned by calls that call themselves.
constexpr size_t longest_placeholder = 200;

/// Thrown inside: the sentence of a mistake.
struct Unanswered : UsageError {
  using UsageError::UsageError;
};

std::string trimmed(std::string s) {
  while (s.ends_with(' ')) s.pop_back();
  while (s.starts_with(' ')) s.erase(0, 1);
  return s;
}

/// Whole numbers as they are, others as short as a person says them: 4.65, 31.7, 280.
Answer number(double v) {
  if (v == std::floor(v) && std::abs(v) < 1e15) return {fmt::format("{:.0f}", v), v};
  const int digits = std::abs(v) >= 100 ? 0 : std::abs(v) >= 10 ? 1 : 2;
  std::string text = fmt::format("{:.{}f}", v, digits);
  if (text.find('.') != std::string::npos) {
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
  }
  return {text, v};
}

/// Everything that one run can answer.
class Asked {
 public:
  Asked(const Run& run, const Cursor& cursor) : run_(run), cursor_(cursor) {}

  Answer answer(const std::string& what) const {
    const Report& r = run_.report;
    const Trace& t = run_.trace;
    const auto is = [&](std::string_view s) { return what == s; };
    const auto size_name = [&](const char* name) -> Answer {
      if (const auto value = as_whole(parameter_of(t, name))) return number(double(*value));
      throw Unanswered{fmt::format("this run has no {}", name)};
    };
    if (is("n") || is("block")) return size_name(what.c_str());
    if (what.starts_with("log2 ")) return number(std::log2(answer(what.substr(5)).number.value_or(1)));
    if (what.starts_with("set ")) {
      if (const std::string value = parameter_of(t, what.substr(4)); !value.empty()) {
        double v = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), v);
        const bool whole = error == std::errc() && end == value.data() + value.size();
        return {value, whole ? std::optional(v) : std::nullopt};
      }
      throw Unanswered{fmt::format("this run has no parameter \"{}\"", what.substr(4))};
    }
    if (is("launch")) return number(cursor_.launch + 1);
    if (is("look")) return number(cursor_.block);
    if (is("launches")) return number(double(t.launches.size()));
    if (is("blocks")) return number(launch().grid);
    if (is("threads")) return number(double(launch().grid) * launch().block);
    if (is("warps")) return number(double((launch().block + warp_size - 1) / warp_size));
    if (is("steps")) return number(double(r.flow.of_block(cursor_.launch, cursor_.block).size()));
    if (is("step")) return number(step_number(interval().index));
    if (is("phase step") || is("phase steps") || is("stride") || is("changed") || is("workers"))
      return of_step(what);
    if (is("working")) return number(double(active_threads(r.flow, interval()).size()));
    if (is("idle")) return number(double(launch().block) - double(active_threads(r.flow, interval()).size()));
    for (const char* which : {"lost in warps", "lost in blocks", "lost between blocks", "lost"}) {
      // of the whole run, or "lost in warps bins[5]" of one cell
      if (!what.starts_with(which)) continue;
      const std::string name = trimmed(what.substr(std::string_view(which).size()));
      const auto cell = name.empty() ? std::nullopt : cell_of(run_, cursor_.launch, name);
      if (!name.empty() && !cell) break;
      const std::string_view where = which;
      long n = 0;
      for (const LostUpdate& u : r.lost().updates)
        n += (!cell || u.place == *cell) &&
             (where == "lost" || u.where == (where == "lost in warps"    ? LostUpdate::in_warp
                                             : where == "lost in blocks" ? LostUpdate::in_block
                                                                         : LostUpdate::between_blocks));
      return number(double(n));
    }
    if (what.starts_with("formula ")) {
      for (const Formula& f : t.formulas)
        if (f.of == what.substr(8)) return number(f.value);
      throw Unanswered{fmt::format("{} states no formula for \"{}\"", t.kernel, what.substr(8))};
    }
    if (what.starts_with("rule ")) {
      for (const Formula& f : t.formulas)
        if (f.of == what.substr(5)) return {said(f.text), {}};
      throw Unanswered{fmt::format("{} states no formula for \"{}\"", t.kernel, what.substr(5))};
    }
    if (const auto n = counted(what)) return number(double(*n));
    for (const char* side : {"input ", "output ", "expected "})
      if (what.starts_with(side)) {
        const auto& all = *side == 'i' ? r.input : *side == 'o' ? r.output : r.expected;
        const std::string index = what.substr(std::string_view(side).size());
        if (index == "last" && !all.empty()) return number(all.back());
        size_t k = 0;
        const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), k);
        if (error != std::errc() || end != index.data() + index.size() || k >= all.size())
          throw Unanswered{
              fmt::format("\"{}\" is out of range: the run has {} of them, from 0", what, all.size())};
        return number(all[k]);
      }
    if (is("outputs")) return number(double(r.output.size()));
    for (const char* kind : {"value ", "before ", "word ", "inputs "})
      if (what.starts_with(kind)) return cell(kind, what.substr(std::string_view(kind).size()));
    throw Unanswered{fmt::format(
        "nothing is known as \"{}\": docs/lessons.md lists what a sentence can ask of a run", what)};
  }

 private:
  const Launch& launch() const { return run_.trace.launches[size_t(cursor_.launch)]; }
  const Interval& interval() const { return interval_at(run_, cursor_); }

  /// A counted figure: of the run, or of "... step".
  std::optional<long> counted(const std::string& what) const {
    constexpr std::string_view here = " step";
    for (const Fact* f : facts()) {
      if (f->of_run && f->asked_as() == what) return f->of_run(run_.report);
      if (f->of_step && f->asked_as() + std::string(here) == what)
        return f->of_step(run_.report, size_t(step_of(run_, cursor_)));
    }
    return {};
  }

  /// What the pictures say of the step itself.
  Answer of_step(const std::string& what) const {
    const std::shared_ptr<const Run> alias(std::shared_ptr<void>(), &run_);
    const Moments model(alias);
    const Step* step = model.step(cursor_);
    if (!step) throw Unanswered{"this run has no steps"};
    if (what == "phase step") return number(step->phase_number);
    if (what == "phase steps") return number(step->phase_count);
    if (what == "changed") return number(double(step->written().size()));
    if (what == "stride") {
      if (!step->stride()) throw Unanswered{"the moves of this step have no stride in common"};
      return number(step->stride());
    }
    std::string all;
    int named = 0;
    for (size_t k = 0; k < step->works.size(); ++k)
      if (step->works[k])
        all += fmt::format("{}t{}", !named++ ? "" : spoken() == Language::zh ? "、" : ", ", k);
    if (named == 0 || named > 8)
      throw Unanswered{fmt::format("{} threads work in this step, too many or too few to be named", named)};
    return {all, {}};
  }

  Answer cell(const std::string& kind, std::string name) const {
    const bool earlier = kind == "word " && name.starts_with("before ");
    if (earlier) name = name.substr(std::string_view("before ").size());
    const auto place = cell_of(run_, cursor_.launch, name);
    if (!place)
      throw Unanswered{
          fmt::format("there is no cell {} here: the run has {}", name, arrays_of(run_, cursor_.launch))};
    const std::shared_ptr<const Run> alias(std::shared_ptr<void>(), &run_);  // lives as long as we are asked
    const Moments model(alias);
    const Step* step = model.step(cursor_);
    if (!step) throw Unanswered{"this run has no steps"};
    const Part part{place->array, place->index, 1};
    if (kind == "word " || kind == "inputs ") {
      const auto words = earlier ? model.words_before(*step, part) : model.words_after(*step, part);
      const Word* known = words->of(place->index);
      const Word held = known ? *known : Word{};
      if (kind == "inputs " && held.known) {
        double inputs = 0;
        for (const auto& [first, last] : held.runs) inputs += last - first + 1;
        return number(inputs);
      }
      const std::string word = held.text();
      if (word.empty()) throw Unanswered{fmt::format("{} holds no word of inputs in this step", name)};
      return {word, {}};
    }
    const StatePtr state = kind == "before " ? model.before(*step, part) : model.after(*step, part);
    if (!state->is_known(place->index))
      throw Unanswered{fmt::format("{} has not been written yet in this step", name)};
    return {value_text(*state, place->index), state->value(place->index)};
  }

  const Run& run_;
  const Cursor& cursor_;
};

/// The best recorded run of a kernel with these parameters on the device that {device} names; of the largest
/// length if none is given.
const Record* recorded(const std::vector<Recording>& all, const std::string& kernel, long long n,
                       const std::vector<std::pair<std::string, std::string>>& set) {
  const Record* best = nullptr;
  for (const Recording& run : all)
    for (const Record& r : run.records) {
      if (run.device != all[0].device) break;
      if (r.kernel != kernel || (n && r.n != n) || !is_usual(r)) continue;
      if (r.type != "int32" && r.type != "uint8") continue;
      if (std::any_of(set.begin(), set.end(), [&](const auto& p) {
            const auto at = r.parameters.find(p.first);
            return at == r.parameters.end() || at->second != p.second;
          }))
        continue;
      if (!best || r.n > best->n || (r.n == best->n && r.gb_per_s > best->gb_per_s)) best = &r;
    }
  return best;
}

class Filler {
 public:
  Filler(const LessonStep& step, const Run& run, const Cursor& cursor, LessonRuns& runs)
      : step_(step), run_(run), cursor_(cursor), runs_(runs) {}

  /// "a / b": two of them reckoned together; else one alone.
  Answer expression(const std::string& words) const {
    for (const char* sign : {" / ", " - ", " + ", " * "}) {
      const size_t at = words.rfind(sign);
      if (at == std::string::npos) continue;
      const Answer l = expression(words.substr(0, at)), r = expression(words.substr(at + 3));
      if (!l.number || !r.number)
        throw Unanswered{fmt::format("\"{}\" cannot be reckoned: one side is no number", words)};
      if (sign[1] == '/' && *r.number == 0) throw Unanswered{fmt::format("\"{}\" divides by zero", words)};
      return number(sign[1] == '/'   ? *l.number / *r.number
                    : sign[1] == '-' ? *l.number - *r.number
                    : sign[1] == '+' ? *l.number + *r.number
                                     : *l.number * *r.number);
    }
    return one(trimmed(words));
  }

 private:
  Answer one(const std::string& words) const {
    double literal = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), literal);
    if (error == std::errc() && end == words.data() + words.size()) return number(literal);

    const size_t of = words.find(" of ");
    const std::string what = trimmed(words.substr(0, of));
    if (what == "time n") {
      if (step_.log_n) return {fmt::format("2^{}", *step_.log_n), {}};
      throw Unanswered{"this step sets no length of the Time tab: write time: n=28"};
    }
    if (what == "gbps" || what == "of-copy" || what == "copy" || what == "device")
      return from_recordings(what, of == std::string::npos ? "" : words.substr(of + 4));
    if (of == std::string::npos) return Asked(run_, cursor_).answer(what);

    Target target = step_.target;
    auto [kernel, n, set] = spec(words.substr(of + 4));
    if (kernel != target.request.kernel) {
      target.request.kernel = kernel;
      const auto& declared = find(kernel).parameters;
      std::erase_if(target.request.set, [&](const auto& p) {
        return std::none_of(declared.begin(), declared.end(), [&](auto& d) { return d.name == p.first; });
      });
    }
    if (n) {
      target.request = without_given(std::move(target.request));
      target.request.n = n;
      target.request.block.reset();
    }
    for (auto& [name, value] : set) {
      if (name == "block") {
        target.request.block = as_whole(value);
        continue;
      }
      std::erase_if(target.request.set, [&](const auto& p) { return p.first == name; });
      target.request.set.emplace_back(name, value);
    }
    const auto other = runs_.of(target);
    // the same number of steps into the other run
    const Cursor cursor = at_step(*other, {}, std::min(step_of(run_, cursor_), steps(*other) - 1));
    return Asked(*other, cursor).answer(what);
  }

  struct Spec {
    std::string kernel;
    long long n = 0;
    std::vector<std::pair<std::string, std::string>> set;
  };
  /// "scan/blelloch n=2^10 block=512"
  Spec spec(const std::string& words) const {
    Spec s;
    for (size_t at = 0; at < words.size();) {
      const size_t end = std::min(words.find(' ', at), words.size());
      const std::string word = words.substr(at, end - at);
      at = end + 1;
      if (word.empty()) continue;
      const size_t sign = word.find('=');
      if (sign == std::string::npos) {
        s.kernel = word;
        continue;
      }
      const std::string name = word.substr(0, sign), value = word.substr(sign + 1);
      if (name != "n") {
        if (name == "block" && as_whole(value).value_or(0) < 1)
          throw Unanswered{fmt::format("\"{}\" is no number of threads", word)};
        s.set.emplace_back(name, value);
        continue;
      }
      const bool power = value.starts_with("2^");
      const char *from = value.data() + (power ? 2 : 0), *last = value.data() + value.size();
      const auto [stop, error] = std::from_chars(from, last, s.n);
      if (error != std::errc() || stop != last || s.n < 0 || (power && s.n > 40))
        throw Unanswered{fmt::format("\"{}\" is no length: write for example n=1024 or n=2^20", word)};
      if (power) s.n = 1ll << s.n;
    }
    if (s.kernel.empty()) s.kernel = step_.target.request.kernel;
    return s;
  }

  Answer from_recordings(const std::string& what, const std::string& words) const {
    const std::vector<Recording>& all = recorded_curves();
    if (what == "copy" || what == "device") {
      if (all.empty()) throw Unanswered{"no recorded times come with this program"};
      return what == "copy" ? number(std::round(all[0].copy_gb_per_s)) : Answer{all[0].device, {}};
    }
    const Spec s = spec(words);
    // the length that the Time tab stands on
    const long long n = s.n || !step_.log_n ? s.n : 1ll << *step_.log_n;
    const Record* r = recorded(all, s.kernel, n, s.set);
    if (!r) throw Unanswered{fmt::format("no recorded time fits \"{}\"", words)};
    return what == "gbps" ? number(r->gb_per_s) : number(std::round(100 * r->of_copy));
  }

  const LessonStep& step_;
  const Run& run_;
  const Cursor& cursor_;
  LessonRuns& runs_;
};

}  // namespace

std::optional<Place> cell_of(const Run& run, int launch, const std::string& cell) {
  const size_t bracket = cell.find('[');
  if (bracket == std::string::npos || !cell.ends_with(']')) return {};
  int index = -1;
  const char *from = cell.data() + bracket + 1, *end = cell.data() + cell.size() - 1;
  const auto [stop, error] = std::from_chars(from, end, index);
  if (error != std::errc() || stop != end || index < 0) return {};
  const std::string name = cell.substr(0, bracket);
  const auto& shared = run.trace.launches[size_t(launch)].shared;
  for (size_t k = 0; k < shared.size(); ++k)
    if (shared[k].name == name && index < shared[k].size) return Place{first_shared + int(k), index};
  const auto& global = run.trace.arrays;
  for (size_t k = global.size(); k-- > 0;)  // a later array of the same name is the one worked on
    if (global[k].name == name && index < global[k].size) return Place{int(k), index};
  return {};
}

std::string arrays_of(const Run& run, int launch) {
  std::string all;
  const auto add = [&](const ArrayInfo& a) {
    all += fmt::format("{}{}[0] to {}[{}]", all.empty() ? "" : ", ", a.name, a.name, a.size - 1);
  };
  for (const ArrayInfo& a : run.trace.launches[size_t(launch)].shared) add(a);
  for (const ArrayInfo& a : run.trace.arrays) add(a);
  return all;
}

std::shared_ptr<const Run> LessonRuns::of(const Target& t) {
  const Request& r = t.request;
  std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", r.kernel, r.n.value_or(0), r.pattern, r.seed,
                                r.skew.value_or(-1), r.entropy.value_or(-1), r.block.value_or(0), r.preset,
                                name_of(t.schedule));
  for (const auto& [name, value] : r.set) key += "|" + name + "=" + value;
  if (r.values)
    for (double v : *r.values) key += fmt::format(",{}", v);
  const auto found = kept_.find(key);
  if (found != kept_.end()) return found->second;
  if (kept_.size() >= 8) kept_.clear();
  return kept_[key] = open_(t);
}

bool same_target(const Target& a, const Target& b) {
  const auto plain = [](Request q) {
    if (q.pattern.empty()) q.pattern = "random";  // which is what it means
    if (q.values) q.pattern.clear();
    q.input_name.clear();
    std::sort(q.set.begin(), q.set.end());
    return q;
  };
  return a.file == b.file && a.device == b.device && a.schedule.kind == b.schedule.kind &&
         a.schedule.seed == b.schedule.seed && plain(a.request) == plain(b.request);
}

Cursor find_place(const LessonStep& s, const Run& run, std::vector<Mistake>& mistakes) {
  Cursor c;
  const auto wrong = [&](const char* setting, std::string sentence) {
    mistakes.push_back({s.line_of(setting), std::move(sentence)});
  };
  c.arrows = s.arrows;
  const Spot& spot = s.spot;
  const auto& launches = run.trace.launches;
  if (launches.empty() || !steps(run)) {
    wrong("kernel", "this run has no steps that could be shown: take another n or kernel");
    return c;
  }
  const Flow& flow = run.report.flow;
  if (spot.launch && *spot.launch > int(launches.size()))
    wrong("launch", fmt::format("there is no launch {}: this run has {}", *spot.launch, launches.size()));
  else if (spot.launch)
    c.launch = *spot.launch - 1;
  else if (!spot.phase.empty()) {
    // the first launch that has the phase
    for (const Interval& i : flow.intervals)
      if (i.phase == spot.phase && i.block == spot.block.value_or(i.block)) {
        c.launch = i.launch;
        break;
      }
  }
  const Launch& launch = launches[size_t(c.launch)];
  if (spot.block && *spot.block >= launch.grid)
    wrong("look", fmt::format("there is no block {}: this launch has {}, from 0", *spot.block, launch.grid));
  else
    c.block = spot.block.value_or(0);

  const auto block = flow.of_block(c.launch, c.block);
  std::vector<int> there;  // intervals that the step's number counts
  for (const Interval& i : block)
    if (spot.phase.empty() || i.phase == spot.phase) there.push_back(i.index);
  if (there.empty()) {
    std::string all;
    for (const Interval& i : block)
      if (all.find(i.phase) == std::string::npos) all += (all.empty() ? "" : ", ") + i.phase;
    wrong("phase", fmt::format("there is no phase \"{}\" here: this block has {}", spot.phase, all));
    for (const Interval& i : block) there.push_back(i.index);
  }
  int number = spot.step.value_or(1);
  if (number > int(there.size())) {
    wrong(spot.phase.empty() || s.line_of("step") != s.line ? "step" : "phase",
          fmt::format("there is no step {} here: there are {}", number, there.size()));
    number = 0;
  }
  if (!there.empty()) c.interval = number == 0 ? there.back() : there[size_t(number - 1)];
  c = at_step(run, c, step_of(run, c));

  if (!spot.cell.empty()) {
    c.cell = cell_of(run, c.launch, spot.cell);
    if (!c.cell)
      wrong("cell",
            fmt::format("there is no cell {} here: the run has {}", spot.cell, arrays_of(run, c.launch)));
  }
  if (!spot.array.empty()) {
    const auto place = cell_of(run, c.launch, spot.array + "[0]");
    if (!place)
      wrong("array",
            fmt::format("there is no array {} here: the run has {}", spot.array, arrays_of(run, c.launch)));
    else
      c.array = place->array;
  }
  if (spot.thread >= launch.block)
    wrong("thread", fmt::format("there is no thread {}: a block of this run has {}, from 0", spot.thread,
                                launch.block));
  else
    c.thread = spot.thread;
  if (!spot.line.empty()) {
    const std::string& text = run.trace.sources[size_t(launch.source)].text;
    int given = 0, line = 1;
    std::from_chars(spot.line.data(), spot.line.data() + spot.line.size(), given);
    const auto lines = int(std::count(text.begin(), text.end(), '\n'));
    const size_t at = text.find(spot.line);
    if (at != std::string::npos)
      for (size_t k = 0; k < at; ++k) line += text[k] == '\n';
    else
      line = given;
    if (line < 1 || line > lines)
      wrong("line", fmt::format("the source of this kernel has no line \"{}\": copy a part of the line as it "
                                "stands there",
                                spot.line));
    else
      c.line = line;
  }
  if (s.hand_over && !c.cell) wrong("figure", "this figure is of a flag: name it with cell: published[0]");
  if (s.hand_over && c.cell && hand_overs(flow, *c.cell).empty())
    wrong("figure",
          fmt::format("no thread acquired what another released in {}: name another cell", spot.cell));
  c.zoom = spot.zoom;
  c.scroll = spot.zoom > 1 ? float(spot.first_cell) : 0;
  return c;
}

State at_lesson_step(State s, const Lesson& lesson, int number, const Open& open, int part) {
  if (lesson.steps.empty()) return s;
  number = std::clamp(number, 0, int(lesson.steps.size()) - 1);
  part = std::clamp(part, 0, int(lesson.steps[size_t(number)].parts.size()) - 1);
  const LessonStep& step = shown_at(lesson.steps[size_t(number)], part);
  s.lesson.open = true;
  s.lesson.lesson = lesson.id;
  s.lesson.step = number;
  s.lesson.part = part;
  s.lesson.scroll = 0;
  s.playing = false;
  const bool same = s.run && same_target(s.target, step.target);
  const int before = same ? step_of(*s.run, s.cursor) : -1;
  if (!same) {
    State after = opened(s, step.target, Where::nowhere, open);
    if (!after.error.empty()) {
      s.error = after.error;
      s.error_at = Where::nowhere;
      return s;
    }
    s = std::move(after);
  }
  s.error.clear();
  s.error_at = Where::nowhere;
  std::vector<Mistake> unused;
  s.cursor = find_place(step, *s.run, unused);
  s.held = 0;
  s.tab = step.tab;
  s.of<WatchState>().hand_over = step.hand_over;
  s.of<WatchState>().all_blocks = s.of<WatchState>().all_arrays = false;
  if (step.tab == "compare") {
    const std::string& kernel = step.target.request.kernel;
    const std::string other = step.compare.empty() ? next_rung(kernel) : step.compare;
    if (!s.of<CompareState>().other || s.of<CompareState>().other->trace.kernel != other || !same)
      s = with_other(std::move(s), other, open);
  }
  s.of<BanksState>().request = s.of<MemoryState>().request = -1;
  s.of<BanksState>().playing = s.of<MemoryState>().playing = false;
  if (step.tab == "atomics") {
    // the words speak of the step's own run: its keys, in its order
    s.of<AtomicsState>() = AtomicsState{};
    s.of<AtomicsState>().shuffled = false;
  }
  if (step.padded) s.of<BanksState>().beside = *step.padded;
  if (step.log_n) s.of<TimeState>().log_n = *step.log_n;
  if (step.block) s.of<TimeState>().block = *step.block;
  for (const auto& [name, value] : step.controls)
    for (const Control& c : tab_of(s).controls)
      if (c.name == name) c.set(s, value);
  s = leave_prediction(std::move(s));
  s.lesson.right = s.prediction.right;
  s.lesson.asked = s.prediction.asked;
  if (step.predict && part == 0) s = predict(std::move(s));
  // one barrier further in the same run: the step is seen to happen
  if (same && !s.reduced_motion && step_of(*s.run, s.cursor) == before + 1 && step.tab == "watch" &&
      !step.predict)
    s.cursor.phase = 0;
  return s;
}

State answered(State s, const Lesson& lesson, const Open& open) {
  LessonState& l = s.lesson;
  if (l.lesson != lesson.id || l.step < 0 || l.step >= int(lesson.steps.size())) return s;
  const auto& parts = lesson.steps[size_t(l.step)].parts;
  if (l.part + 1 >= int(parts.size())) return s;
  ++l.part;
  if (s.prediction.hides()) s = reveal(std::move(s));
  if (!parts[size_t(s.lesson.part)].shows) return s;
  const int scroll = s.lesson.scroll;
  const auto [step, part] = std::pair(s.lesson.step, s.lesson.part);
  s = at_lesson_step(std::move(s), lesson, step, open, part);
  s.lesson.scroll = scroll;
  return s;
}

bool asks(const State& s, const Lesson& lesson) {
  const LessonState& l = s.lesson;
  if (!l.open || l.lesson != lesson.id || l.step < 0 || l.step >= int(lesson.steps.size())) return false;
  const LessonStep& step = lesson.steps[size_t(l.step)];
  return l.part + 1 < int(step.parts.size()) && same_target(s.target, shown_at(step, l.part).target);
}

State with_prediction(State s, const Lesson& lesson) {
  LessonState& l = s.lesson;
  if (l.lesson != lesson.id || l.step < 0 || l.step >= int(lesson.steps.size())) return s;
  const LessonStep& step = lesson.steps[size_t(l.step)];
  if (!step.predict) return s;
  const Prediction* p = prediction_on(s);
  if (p && p->revealed && l.part == 0 && step.parts.size() > 1) l.part = 1;
  const Score score{s.prediction.right - l.right, s.prediction.asked - l.asked};
  if (score.asked <= 0 || score.right < 0) return s;
  const int at = l.step;
  if (score_of(l, lesson.id, at) != score) l = with_score(std::move(l), lesson.id, at, score);
  return s;
}

bool strayed(const State& s, const LessonStep& step, const Cursor& place) {
  return s.tab != step.tab || s.cursor.launch != place.launch || s.cursor.block != place.block ||
         s.cursor.interval != place.interval || !same_target(s.target, step.target);
}

std::string filled(const std::string& text, int line, const LessonStep& step, const Run& run,
                   const Cursor& cursor, LessonRuns& runs, std::vector<Mistake>& mistakes) {
  const Filler filler(step, run, cursor, runs);
  std::string out;
  bool fenced = false;
  for (size_t at = 0; at < text.size();) {
    if ((at == 0 || text[at - 1] == '\n') && text.compare(at, 3, "```") == 0) fenced = !fenced;
    if (text[at] == '\n') ++line;
    const size_t end = std::min({text.find('}', at), text.find('\n', at)});
    // what is meant as a brace has a space or nothing behind it
    const bool opens =
        text[at] == '{' && at + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[at + 1]));
    const bool closed = end != std::string::npos && text[end] == '}';
    if (!fenced && opens && (!closed || end - at > longest_placeholder))
      mistakes.push_back({line, closed ? "this placeholder is too long to be one: close it with } before it"
                                       : "this placeholder has no end: close it with }"});
    if (fenced || !opens || !closed || end - at > longest_placeholder) {
      out += text[at++];
      continue;
    }
    try {
      out += filler.expression(text.substr(at + 1, end - at - 1)).text;
    } catch (const std::exception& e) {
      mistakes.push_back({line, e.what()});
      out += text.substr(at, end + 1 - at);
    }
    at = end + 1;
  }
  return out;
}

std::vector<Mistake> check_lesson(const Lesson& lesson, const Open& open) {
  std::vector<Mistake> all = lesson.mistakes;
  LessonRuns runs(open);
  const auto check = [&](const LessonStep& s) {
    std::shared_ptr<const Run> run;
    try {
      run = runs.of(s.target);
      if (!s.compare.empty()) {
        State state;
        state.target = s.target;
        state.run = run;
        state = with_other(std::move(state), s.compare, open);
        if (!state.error.empty()) all.push_back({s.line_of("compare"), state.error});
      }
    } catch (const std::exception& e) {
      // a kernel that is not there has been told of already
      if (std::none_of(all.begin(), all.end(),
                       [&](const Mistake& m) { return m.line == s.line_of("kernel"); }))
        all.push_back({s.line_of("kernel"), e.what()});
      return std::pair(run, Cursor());
    }
    if (!steps(*run)) {
      all.push_back(
          {s.line_of("kernel"), "this run has no steps that could be shown: take another n or kernel"});
      run.reset();
      return std::pair(run, Cursor());
    }
    const Cursor c = find_place(s, *run, all);
    return std::pair(run, c);
  };
  const auto add = [&](std::vector<Mistake> more) { all.insert(all.end(), more.begin(), more.end()); };
  for (const LessonStep& s : lesson.steps) {
    add(title_mistakes(s.title, s.line));
    const LessonStep* shown = nullptr;
    std::pair<std::shared_ptr<const Run>, Cursor> at;
    for (int k = 0; k < int(s.parts.size()); ++k) {
      const LessonStep* const next = &shown_at(s, k);
      if (next != shown) at = check(*next);
      shown = next;
      const auto& part = s.parts[size_t(k)];
      if (!at.first) continue;
      const auto& [run, c] = at;
      const std::string text = filled(part.text, part.line, *shown, *run, c, runs, all);
      add(link_mistakes(text, part.line, {lesson, *run, c, shown->target, open}));
      add(brace_mistakes(part.text, part.line));
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Mistake& a, const Mistake& b) { return a.line < b.line; });
  return all;
}

}  // namespace bscope
