#include "app/lessons/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/programs.hpp"
#include "app/measure/library_times.hpp"
#include "app/measure/recorded.hpp"
#include "app/measure/timeline_bench.hpp"
#include "app/run/run.hpp"
#include "app/run/run_store.hpp"
#include "app/run/values.hpp"
#include "app/session/choices.hpp"
#include "app/session/input.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/active_lanes.hpp"
#include "engine/analysis/array_range_words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/constants.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/machine_code/occupancy.hpp"
#include "engine/timing/kinds.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/trimmed.hpp"

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

/// The whole text as a number; nothing if it is anything else.
template <class T>
std::optional<T> as_number(std::string_view text) {
  T v{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(v) : std::nullopt;
}

/// A counted figure, written as the tabs write it: 1,024.
Answer count_answer(long n) { return {grouped(n), double(n)}; }

/// "67108864 ints" as "2^26 ints": powers of two from 2^20 on are written as such, thousands of others are
/// grouped.
std::string with_powers(const std::string& text) {
  std::string all;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    const long long n = as_number<long long>(std::string_view(text).substr(at, end - at)).value_or(0);
    if (n >= 1 << 20 && (n & (n - 1)) == 0)
      all += fmt::format("2^{}", std::countr_zero(uint64_t(n)));
    else
      all += grouped(text.substr(at, end - at));
    if (end < text.size()) all += text[end];
    at = end + 1;
  }
  return all;
}

/// Whole numbers with their thousands grouped, others as short as a person says them: 4.65, 31.7, 280.
Answer number_answer(double v) {
  if (v == std::floor(v) && std::abs(v) < 1e15) return {grouped((long long)v), v};
  if (std::abs(v) >= 1000) return {grouped(std::llround(v)), v};
  const int digits = std::abs(v) >= 100 ? 0 : std::abs(v) >= 10 ? 1 : 2;
  std::string text = fmt::format("{:.{}f}", v, digits);
  if (text.find('.') != std::string::npos) {
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
  }
  return {text, v};
}

/// What a cell holds, written as its picture writes it: thousands of counts are grouped, those of values are
/// not.
Answer value_answer(double v) {
  if (v == std::floor(v) && std::abs(v) < 1e15) return {fmt::format("{:.0f}", v), v};
  return number_answer(v);
}

/// Everything that one run can answer.
class RunAnswers {
 public:
  RunAnswers(const Run& run, const Cursor& cursor) : run_(run), cursor_(cursor) {}

  Answer answer(const std::string& what) const {
    if (const auto word = words().find(what); word != words().end()) return word->second(*this);
    if (const auto n = counted(what)) return count_answer(*n);
    const size_t space = what.find(' ');
    const auto question = questions().find(what.substr(0, space));
    if (question != questions().end() && space != std::string::npos)
      return (this->*question->second)(question->first, what.substr(space + 1));
    return unknown(what);
  }

  /// A figure that adds up, of the launch of that number, from 1.
  Answer of_launch(const std::string& what, long long number) const {
    const std::optional<int> place = launch_at(run_.trace, number);
    if (!place)
      throw Unanswered{message("there is no launch {}: this run has {}", number, launch_count(run_.trace))};
    const int launch = *place;
    for (const Fact* f : facts()) {
      if (f->asked_as() != what || !(f->adds_up() || f->of_lines)) continue;
      long sum = 0;
      if (f->adds_up() && f->of_step) {
        for (size_t k = 0; k < flow().intervals.size(); ++k)
          if (flow().intervals[k].launch == launch) sum += f->of_step(run_.report, k);
      } else {
        for (const LineCount& l : lines_of(*f, run_.report)) sum += l.launch == launch ? l.count : 0;
      }
      return count_answer(sum);
    }
    throw Unanswered{message("\"{}\" is no figure that launches add up to", what)};
  }

 private:
  using AnswerFunction = Answer (*)(const RunAnswers&);
  /// What is asked for by a word alone.
  static const std::map<std::string, AnswerFunction>& words() {
    static const std::map<std::string, AnswerFunction> all{
        {"n", [](const RunAnswers& a) { return a.size("n"); }},
        {"block", [](const RunAnswers& a) { return a.size("block"); }},
        {"launch",
         [](const RunAnswers& a) { return number_answer(launch_number(a.run_.trace, a.cursor_.launch)); }},
        {"look", [](const RunAnswers& a) { return number_answer(a.cursor_.block); }},
        {"launches", [](const RunAnswers& a) { return number_answer(double(launch_count(a.run_.trace))); }},
        {"blocks", [](const RunAnswers& a) { return number_answer(a.launch().grid); }},
        {"threads",
         [](const RunAnswers& a) { return number_answer(double(a.launch().grid) * a.launch().block); }},
        {"warps",
         [](const RunAnswers& a) { return number_answer((a.launch().block + warp_size - 1) / warp_size); }},
        {"steps",
         [](const RunAnswers& a) {
           return number_answer(double(a.flow().of_block(a.cursor_.launch, a.cursor_.block).size()));
         }},
        {"step", [](const RunAnswers& a) { return number_answer(step_number(a.interval().index)); }},
        {"phase step", [](const RunAnswers& a) { return number_answer(a.step().phase_number); }},
        {"phase steps", [](const RunAnswers& a) { return number_answer(a.step().phase_count); }},
        {"changed", [](const RunAnswers& a) { return number_answer(double(a.step().written().size())); }},
        {"stride", [](const RunAnswers& a) { return a.stride(); }},
        {"workers", [](const RunAnswers& a) { return a.workers(); }},
        {"working", [](const RunAnswers& a) { return number_answer(a.working()); }},
        {"idle", [](const RunAnswers& a) { return number_answer(a.launch().block - a.working()); }},
        {"lost", [](const RunAnswers& a) { return a.lost("lost", ""); }},
        {"outputs", [](const RunAnswers& a) { return number_answer(double(a.run_.report.output.size())); }},
    };
    return all;
  }

  using Question = Answer (RunAnswers::*)(const std::string& first, const std::string& rest) const;
  /// What is asked for by its first word, about the words behind it.
  static const std::map<std::string, Question>& questions() {
    static const std::map<std::string, Question> all{
        {"log2", &RunAnswers::log2},      {"set", &RunAnswers::set},          {"lost", &RunAnswers::lost},
        {"rule", &RunAnswers::formula},   {"formula", &RunAnswers::formula},  {"input", &RunAnswers::element},
        {"output", &RunAnswers::element}, {"expected", &RunAnswers::element}, {"value", &RunAnswers::cell},
        {"lanes", &RunAnswers::lanes},    {"before", &RunAnswers::cell},      {"word", &RunAnswers::cell},
        {"inputs", &RunAnswers::cell},    {"fit", &RunAnswers::fit},
    };
    return all;
  }

  [[noreturn]] static Answer unknown(const std::string& what) {
    throw Unanswered{
        message("nothing is known as \"{}\": docs/lessons.md lists what a sentence can ask of a run", what)};
  }

  const Launch& launch() const { return run_.trace.launches[size_t(cursor_.launch)]; }
  const Interval& interval() const { return interval_at(run_, cursor_); }
  const DataflowGraph& flow() const { return run_.report.flow; }
  double working() const { return double(active_threads(flow(), interval()).size()); }
  /// The run's queries; the run lives as long as they are used.
  const RunQueries& model() const {
    if (!model_) model_.emplace(std::shared_ptr<const Run>(std::shared_ptr<void>(), &run_));
    return *model_;
  }
  /// What the pictures say of the step itself.
  const Step& step() const {
    const Step* step = model().step(cursor_);
    if (!step) throw Unanswered{message("this run has no steps")};
    return *step;
  }

  Answer size(const char* name) const {
    if (const auto value = as_whole(parameter_of(run_.trace, name))) return number_answer(double(*value));
    throw Unanswered{message("this run has no {}", name)};
  }
  Answer log2(const std::string&, const std::string& of) const {
    return number_answer(std::log2(answer(of).number.value_or(1)));
  }
  Answer set(const std::string&, const std::string& name) const {
    const std::string value = parameter_of(run_.trace, name);
    if (value.empty()) throw Unanswered{message("this run has no parameter \"{}\"", name)};
    return {value, as_number<double>(value)};
  }

  /// A counted figure: of the run, or of "... step".
  std::optional<long> counted(const std::string& what) const {
    for (const Fact* f : facts()) {
      if (f->of_run && f->asked_as() == what) return f->of_run(run_.report);
      if (f->of_step && f->asked_as() + " step" == what)
        return f->of_step(run_.report, size_t(step_of(run_, cursor_)));
    }
    return {};
  }

  /// "line 13", or "line out[i] = x": the active lanes of its instructions in the run, on average.
  Answer lanes(const std::string& first, const std::string& rest) const {
    if (!rest.starts_with("line ")) unknown(first + " " + rest);
    const std::string words = rest.substr(5);
    const int found = line_with(run_.trace.sources[size_t(launch().source)].text, words);
    const long long line = found ? found : as_whole(words).value_or(0);
    ActiveLanes all;
    const auto& launches = run_.report.active_lanes();
    for (size_t k = 0; k < launches.size(); ++k)
      if (const auto there = launches[k].find(int(line));
          there != launches[k].end() && run_.trace.launches[k].source == launch().source)
        all += there->second;
    if (!all.instructions) throw Unanswered{message("no instruction was counted in the line \"{}\"", words)};
    return {fmt::format("{:.1f}", all.average()), all.average()};  // as beside the source
  }

  /// How many blocks of the launch a multiprocessor of an H100 or H200 holds, "blocks 40" with 40 registers a
  /// thread; or by one of its resources alone.
  Answer fit(const std::string& first, const std::string& rest) const {
    const size_t space = std::min(rest.find(' '), rest.size());
    const std::string what = rest.substr(0, space);
    const auto registers = as_whole(rest.substr(std::min(space + 1, rest.size())));
    const Occupancy o = occupancy(launch().block, int(registers.value_or(1)), launch().shared_bytes);
    const auto by = [&](Occupancy::Resource resource) {
      return number_answer(std::ranges::find(o.limits, resource, &Occupancy::Limit::what)->blocks);
    };
    if (what == "blocks") return number_answer(o.blocks);
    if (what == "warps") return number_answer(o.warps);
    if (what == "share") return number_answer(std::round(100 * o.share()));
    if (what == "by-threads") return by(Occupancy::by_warps);
    if (what == "by-shared") return by(Occupancy::by_shared);
    if (what == "by-slots") return by(Occupancy::by_blocks);
    if (what == "by-registers" && registers) return by(Occupancy::by_registers);
    return unknown(first + " " + rest);
  }

  Answer stride() const {
    if (!step().stride()) throw Unanswered{message("the moves of this step have no stride in common")};
    return number_answer(step().stride());
  }
  Answer workers() const {
    std::string all;
    int named = 0;
    for (size_t k = 0; k < step().works.size(); ++k)
      if (step().works[k])
        all += fmt::format("{}t{}", !named++ ? "" : spoken() == Language::zh ? "、" : ", ", k);
    if (named == 0 || named > 8)
      throw Unanswered{message("{} threads work in this step, too many or too few to be named", named)};
    return {all, {}};
  }

  /// Of the whole run, or "lost in warps bins[5]" of one cell.
  Answer lost(const std::string&, const std::string& rest) const {
    std::optional<decltype(LostUpdate::where)> only;
    std::string name = rest;
    for (const auto& [words, where] : {std::pair{"in warps", LostUpdate::in_warp},
                                       {"in blocks", LostUpdate::in_block},
                                       {"between blocks", LostUpdate::between_blocks}})
      if (rest.starts_with(words)) {
        only = where;
        name = trimmed(rest.substr(std::string_view(words).size()));
      }
    const auto cell = name.empty() ? std::nullopt : cell_of(run_, cursor_.launch, name);
    if (!name.empty() && !cell) unknown("lost " + rest);
    return number_answer(double(std::ranges::count_if(run_.report.lost().updates, [&](const LostUpdate& u) {
      return (!cell || u.place == *cell) && (!only || u.where == *only);
    })));
  }

  Answer formula(const std::string& kind, const std::string& of) const {
    const auto& all = run_.trace.formulas;
    const auto f = std::ranges::find(all, of, &Formula::of);
    if (f == all.end()) throw Unanswered{message("{} states no formula for \"{}\"", run_.trace.kernel, of)};
    return kind == "rule" ? Answer{translated(f->text), {}} : number_answer(f->value);
  }

  Answer element(const std::string& side, const std::string& index) const {
    const Report& r = run_.report;
    const auto& all = side == "input" ? r.input : side == "output" ? r.output : r.expected;
    if (index == "last" && !all.empty()) return value_answer(all.back());
    const auto k = as_number<size_t>(index);
    if (!k || *k >= all.size())
      throw Unanswered{
          message("\"{}\" is out of range: the run has {} of them, from 0", side + " " + index, all.size())};
    return value_answer(all[*k]);
  }

  Answer cell(const std::string& kind, const std::string& words) const {
    constexpr std::string_view before = "before ";
    const bool earlier = kind == "word" && words.starts_with(before);
    const std::string name = earlier ? words.substr(before.size()) : words;
    const auto place = cell_of(run_, cursor_.launch, name);
    if (!place)
      throw Unanswered{
          message("there is no cell {} here: the run has {}", name, arrays_of(run_, cursor_.launch))};
    const ArrayRange part{place->array, place->index, 1};
    if (kind == "word" || kind == "inputs") {
      const auto held_in = earlier ? model().words_before(step(), part) : model().words_after(step(), part);
      const Word* known = held_in->of(place->index);
      const Word held = known ? *known : Word{};
      if (kind == "inputs" && held.known) {
        double inputs = 0;
        for (const auto& [first, last] : held.runs) inputs += last - first + 1;
        return number_answer(inputs);
      }
      const std::string word = held.text();
      if (word.empty()) throw Unanswered{message("{} holds no word of inputs in this step", name)};
      return {word, {}};
    }
    const StatePtr state = kind == "before" ? model().before(step(), part) : model().after(step(), part);
    if (!state->is_known(place->index))
      throw Unanswered{message("{} has not been written yet in this step", name)};
    return {value_text(*state, place->index), state->value(place->index)};
  }

  const Run& run_;
  const Cursor& cursor_;
  mutable std::optional<RunQueries> model_;
};

/// The best run of a kernel that adds, with these parameters, in the recording that {device} names, which is
/// the first; of the largest length if none is given.
const Record* recorded(const std::vector<Recording>& all, const std::string& kernel, long long n,
                       const std::vector<std::pair<std::string, std::string>>& set) {
  const Record* best = nullptr;
  if (all.empty()) return best;
  for (const Record& r : all.front().records) {
    if (r.kernel != kernel || (n && r.n != n) || !is_usual(r)) continue;
    if (r.type != "int32" && r.type != "uint8") continue;
    const auto with = r.parameters.find("operator");
    if (with != r.parameters.end() && with->second != "add") continue;
    if (std::ranges::any_of(set, [&](const auto& p) {
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
        throw Unanswered{message("\"{}\" cannot be reckoned: one side is not a number", words)};
      if (sign[1] == '/' && *r.number == 0) throw Unanswered{message("\"{}\" divides by zero", words)};
      return number_answer(sign[1] == '/'   ? *l.number / *r.number
                           : sign[1] == '-' ? *l.number - *r.number
                           : sign[1] == '+' ? *l.number + *r.number
                                            : *l.number * *r.number);
    }
    return one(std::string(trimmed(words)));
  }

 private:
  Answer one(const std::string& words) const {
    if (const auto literal = as_number<double>(words)) return number_answer(*literal);
    if (const size_t at = words.rfind(" of launch "); at != std::string::npos)
      return of_launch(words.substr(0, at), words.substr(at + 11));
    const size_t of = words.find(" of ");
    const std::string what(trimmed(words.substr(0, of)));
    if (what == "time n") {
      if (step_.log_n) return {fmt::format("2^{}", *step_.log_n), {}};
      throw Unanswered{message("this step sets no length of the Time tab: write time: n=28")};
    }
    if (what == "gbps" || what == "of-copy" || what == "copy" || what == "device")
      return from_recordings(what, of == std::string::npos ? "" : words.substr(of + 4));
    if (what.starts_with("full-size "))
      return from_library_times(what.substr(10), of == std::string::npos ? "" : words.substr(of + 4));
    if (what.starts_with("timeline "))
      return from_timelines(what.substr(9), of == std::string::npos ? "" : words.substr(of + 4));
    if (of == std::string::npos && step_.target.is_program() && what.starts_with("set "))
      return constant(std::string(trimmed(what.substr(4))));
    if (of == std::string::npos) return RunAnswers(run_, cursor_).answer(what);
    const auto other = runs_.of(target_of(words.substr(of + 4)));
    if (!other) throw Unanswered{message("The kernels are being run.")};
    // the same number of steps into the other run
    const Cursor cursor = at_step(*other, {}, std::min(step_of(run_, cursor_), steps(*other) - 1));
    return RunAnswers(*other, cursor).answer(what);
  }

  /// A figure of one launch, from 1: "sectors", or of another run "sectors of PAD=1".
  Answer of_launch(const std::string& words, const std::string& number) const {
    const size_t of = words.find(" of ");
    const auto other = of == std::string::npos ? nullptr : runs_.of(target_of(words.substr(of + 4)));
    if (of != std::string::npos && !other) throw Unanswered{message("The kernels are being run.")};
    return RunAnswers(other ? *other : run_, cursor_)
        .of_launch(std::string(trimmed(words.substr(0, of))), as_whole(number).value_or(0));
  }

  /// A constant of the step's program.
  Answer constant(const std::string& name) const {
    const auto& changed = step_.target.program.constants;
    const auto set = std::ranges::find(changed, name, &cuda::Setting::name);
    for (const Source& source : run_.trace.sources) {
      const std::vector<cuda::Constant> all = cuda::constants(source.text);
      const auto declared = std::ranges::find(all, name, &cuda::Constant::name);
      if (set == changed.end() && declared == all.end()) continue;
      const std::string& value = set != changed.end() ? set->value : declared->value;
      const auto number = cuda::worked_out(value, all);
      return number ? value_answer(*number) : Answer{value, {}};
    }
    throw Unanswered{message("this program has no constant \"{}\"", name)};
  }

  /// Another run: "scan/blelloch n=2^10 block=512", or of the step's own program "PAD=1", or of one beside it
  /// "transpose.cu PAD=1".
  Target target_of(const std::string& words) const {
    Target target = step_.target;
    const std::string first = words.substr(0, words.find(' '));
    if (target.is_program() && !algorithm_of(first)) return program_of(std::move(target), words);
    auto [kernel, n, set] = spec(words);
    target.file.clear();
    target.program = {};
    if (kernel != target.request.kernel) {
      target.request.kernel = kernel;
      const auto& declared = find(kernel).parameters;
      std::erase_if(target.request.set, [&](const auto& p) {
        return std::ranges::count(declared, p.first, &Parameter::name) == 0;
      });
    }
    if (n) {
      target.request = without_given(std::move(target.request));
      target.request.n = n;
      target.request.block.reset();
    }
    for (auto& [name, value] : set) {
      if (name == "block")
        target.request.block = as_whole(value);
      else
        put(target.request, name, value);
    }
    return target;
  }
  static Target program_of(Target target, const std::string& words) {
    std::istringstream in(words);
    for (std::string word; in >> word;) {
      if (cuda::is_cuda_source(word)) {
        const std::string file = program_beside(target.file, word);
        if (file.empty()) throw Unanswered{message("there is no file {} beside the step's program", word)};
        if (file != target.file) target.program = {};
        target.file = file;
        continue;
      }
      cuda::Setting one = cuda::parse_setting(word);
      std::erase_if(target.program.constants, [&](const auto& c) { return c.name == one.name; });
      target.program.constants.push_back(std::move(one));
    }
    return target;
  }

  struct Spec {
    std::string kernel;
    long long n = 0;
    std::vector<std::pair<std::string, std::string>> set;
  };
  /// "scan/blelloch n=2^10 block=512"
  Spec spec(const std::string& words) const {
    Spec s;
    std::istringstream in(words);
    for (std::string word; in >> word;) {
      const size_t sign = word.find('=');
      if (sign == std::string::npos) {
        s.kernel = word;
        continue;
      }
      const std::string name = word.substr(0, sign), value = word.substr(sign + 1);
      if (name != "n") {
        if (name == "block" && as_whole(value).value_or(0) < 1)
          throw Unanswered{message("\"{}\" is not a number of threads", word)};
        s.set.emplace_back(name, value);
        continue;
      }
      const bool power = value.starts_with("2^");
      const auto v = as_whole(std::string_view(value).substr(power ? 2 : 0));
      if (!v || *v < 0 || (power && *v > 40))
        throw Unanswered{message("\"{}\" is no length: write for example n=1024 or n=2^20", word)};
      s.n = power ? 1ll << *v : *v;
    }
    if (s.kernel.empty()) s.kernel = step_.target.request.kernel;
    return s;
  }

  Answer from_recordings(const std::string& what, const std::string& words) const {
    if (Message awaited = recorded_curves_awaited(); !awaited.empty()) {
      runs_.await(awaited);
      throw Unanswered{std::move(awaited)};
    }
    const std::vector<Recording>& all = recorded_curves();
    if (what == "copy" || what == "device") {
      if (all.empty()) throw Unanswered{message("no recorded times come with this program")};
      return what == "copy" ? number_answer(std::round(all[0].copy_gb_per_s)) : Answer{all[0].device, {}};
    }
    const Spec s = spec(words);
    // the length that the Time tab stands on
    const long long n = s.n || !step_.log_n ? s.n : 1ll << *step_.log_n;
    const Record* r = recorded(all, s.kernel, n, s.set);
    if (!r) throw Unanswered{message("no recorded time fits \"{}\"", words)};
    return what == "gbps" ? number_answer(r->gb_per_s) : number_answer(std::round(100 * r->of_copy));
  }

  /// Of a program at full size beside its library: "ms" or "ratio" of "merge: tiled"; "size" of "merge".
  static Answer from_library_times(const std::string& what, const std::string& words) {
    const LibraryTimes& all = library_times();
    if (what == "device") return {all.device, {}};
    if (what == "runs") return number_answer(all.runs);
    const size_t colon = std::min(words.find(": "), words.size());
    const LibraryTimesTask* task = all.task(words.substr(0, colon));
    if (!task)
      throw Unanswered{message("no task is called \"{}\" in full_size.json", words.substr(0, colon))};
    if (what == "size") return {translated(with_powers(task->size)), {}};
    const LibraryTimesWay* way = colon == words.size() ? nullptr : task->way(words.substr(colon + 2));
    if (!way) throw Unanswered{message("\"{}\" names no way of its task in full_size.json", words)};
    // Three digits, so that a reader who divides two of these times gets the ratio that is shown.
    if (what == "ms") return {fmt::format("{:#.3g}", way->median_ms), way->median_ms};
    if (what == "ratio") return {fmt::format("{:.1f}", way->times_library), way->times_library};
    throw Unanswered{message(
        "\"{}\" is nothing that full_size.json knows: ask for ms, ratio, size, device or runs", what)};
  }

  /// Of a launch that was recorded on a GPU, with so many blocks on a multiprocessor: the longest of its run.
  Answer from_timelines(const std::string& what, const std::string& words) const {
    const Spec s = spec(words);
    int resident = 0;
    for (const auto& [name, value] : s.set)
      if (name == "resident") resident = int(as_whole(value).value_or(0));
    for (const auto& file : timeline_files(s.kernel)) {
      const Timeline& t = runs_.timeline(file);
      if (t.limit != resident || t.launches.empty()) continue;
      const TimelineLaunch& l = *std::ranges::max_element(t.launches, {}, &TimelineLaunch::end);
      const TimelineMeasures m = measures_of(t, l);
      const auto tenths = [](double v) { return number_answer(std::round(v * 10) / 10); };
      if (what == "resident") return number_answer(l.resident);
      if (what == "us") return tenths(double(m.cycles) / t.clock_mhz);
      if (what == "warps") return tenths(m.warps);
      if (what == "waiting")
        return number_answer(std::round(100 * (m.waiting_warps + m.awaiting_warps) / m.warps));
      if (what == "blocks") return number_answer(l.grid);
      if (what == "waves") return tenths(double(l.grid) / (double(l.resident) * t.multiprocessors));
      if (what == "multiprocessors") return number_answer(t.multiprocessors);
      throw Unanswered{message(
          "a timeline has no \"{}\": ask for us, warps, waiting, blocks, resident, waves or multiprocessors",
          what)};
    }
    throw Unanswered{message("no recorded timeline fits \"{}\"", words)};
  }

  const LessonStep& step_;
  const Run& run_;
  const Cursor& cursor_;
  LessonRuns& runs_;
};

}  // namespace

const Timeline& LessonRuns::timeline(const std::filesystem::path& file) {
  const auto kept = timelines_.find(file);
  return kept != timelines_.end() ? kept->second
                                  : timelines_.emplace(file, load_timeline(file)).first->second;
}

std::shared_ptr<const Run> LessonRuns::of(Target t) {
  t.in_cuda = in_cuda && !t.is_program();
  loading_.reset();
  if (open_run_ && same_target(t, open_)) return open_run_;
  const std::optional<RunResult> result = runs_.find(t);
  if (result) return result->value().run;
  awaited_ = message("The kernels are being run.");
  loading_ = std::move(t);
  return nullptr;
}

void LessonRuns::know(const Target& program, std::shared_ptr<const Run> run) {
  if (!program.is_program()) return open_run_.reset();
  open_ = program;
  open_.in_cuda = false;
  open_run_ = std::move(run);
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
      mistakes.push_back(
          {line, closed ? message("this placeholder is too long to be one: close it with } before it")
                        : message("this placeholder has no end: close it with }")});
    if (fenced || !opens || !closed || end - at > longest_placeholder) {
      out += text[at++];
      continue;
    }
    try {
      out += filler.expression(text.substr(at + 1, end - at - 1)).text;
    } catch (const std::exception& e) {
      mistakes.push_back({line, message_of(e)});
      out += text.substr(at, end + 1 - at);
    }
    at = end + 1;
  }
  return out;
}

}  // namespace bscope
