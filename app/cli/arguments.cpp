#include "app/cli/arguments.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "app/cli/command.hpp"
#include "app/measure/sweep.hpp"
#include "app/run/memory.hpp"
#include "app/run/numbers.hpp"
#include "app/run/run.hpp"
#include "app/words/words.hpp"

#ifndef BARRIERSCOPE_VERSION
#define BARRIERSCOPE_VERSION "unknown"
#endif

namespace bscope {
namespace {

/// The options as text, before any is judged: so that every error is ours, one sentence each.
struct Typed {
  std::string n, values, input, pattern, seed, skew, entropy, block, preset, device, schedule, memory;
  std::string part, gpus, noise, samples, seconds, most_seconds;
  std::string view, step, steps, theme, size, language, lesson, out, globals;
  std::vector<std::string> set, sweep, targets;
  bool json = false, plain = false, predict = false, merge = false;
};

std::vector<double> parse_values(const std::string& text) {
  std::vector<double> values;
  size_t at = 0;
  for (;;) {
    const size_t end = std::min(text.find(',', at), text.size());
    size_t from = at, to = end;
    while (from < to && text[from] == ' ') ++from;
    while (to > from && text[to - 1] == ' ') --to;
    const std::string word = text.substr(from, to - from);
    double v = 0;
    const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [stop, error] = std::from_chars(begin, word.data() + word.size(), v);
    if (word.empty() || error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(v) ||
        word.starts_with("+-"))
      throw UsageError(say("value {} of --values, '{}', is no number: write for example --values 3,1,7,0",
                           values.size() + 1, word));
    values.push_back(v);
    if (end == text.size()) return values;
    at = end + 1;
  }
}

void need_one_of(const std::string& option, const std::string& value,
                 std::initializer_list<const char*> choices) {
  std::string all;
  for (const char* c : choices) {
    if (value == c) return;
    all += (all.empty() ? "" : ", ") + std::string(c);
  }
  throw UsageError(say("{} {} is not known: choose one of {}", option, value, all));
}

void add_input_options(CLI::App& app, Typed& t) {
  const std::string group = "Input";
  app.add_option("--n", t.n, "Number of elements")->type_name("N")->group(group);
  app.add_option("--values", t.values, "The elements themselves")->type_name("3,1,7,...")->group(group);
  app.add_option("--input", t.input, "A file of numbers (- for stdin), or an image for histograms")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--pattern", t.pattern, "ones, ramp, random, sine or skewed; of keys also zipf or entropy")
      ->type_name("P")
      ->group(group);
  app.add_option("--seed", t.seed, "Of random patterns")->type_name("S")->group(group);
  app.add_option("--skew", t.skew, "Share of the favourite key, 0 to 1")->type_name("X")->group(group);
  app.add_option("--entropy", t.entropy, "Of keys: 1 (uniform), 0.811, 0.544, 0.337, 0.201 or 0 (one key)")
      ->type_name("E")
      ->group(group);
  app.add_option("--block", t.block, "Threads a block")->type_name("B")->group(group);
  app.add_option("--set", t.set, "A parameter of the kernel; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all()
      ->group(group);
  app.add_option("--preset", t.preset, "A set-up by name, see `list`")->type_name("NAME")->group(group);
  app.add_option("--device", t.device, "cpu or gpu")->type_name("D")->group(group);
}
/// Those of a trace alone.
void add_trace_options(CLI::App& app, Typed& t) {
  const std::string group = "Input";
  app.add_option("--schedule", t.schedule, "auto, to-barrier, lockstep or shuffle:SEED")
      ->type_name("S")
      ->group(group);
  app.add_option("--max-memory", t.memory, "Refuse a trace that would need more (default 2G)")
      ->type_name("BYTES")
      ->group(group);
}

void add_time_options(CLI::App& app, Typed& t) {
  const std::string group = "Measuring";
  app.add_option("-o,--output", t.out, "Also write the samples, after every point")
      ->type_name("F.json|F.csv");
  app.add_option("--sweep", t.sweep, "n, block, skew, entropy, pattern, seed or a parameter; may be repeated")
      ->type_name("NAME=A..B|V,V")
      ->expected(1)
      ->take_all()
      ->group(group);
  app.add_option("--noise", t.noise, "Sampling ends when the median is as sure as this (default 0.5%)")
      ->type_name("SHARE")
      ->group(group);
  app.add_option("--samples", t.samples, "Samples of a point (default 11..200)")
      ->type_name("LEAST..MOST")
      ->group(group);
  app.add_option("--seconds", t.seconds,
                 "Seconds that sampling may take (default 1; of several points 0.25 each)")
      ->type_name("S")
      ->group(group);
  app.add_option("--most-seconds", t.most_seconds,
                 "Leave out a kernel that needs longer for one run (default 2)")
      ->type_name("S")
      ->group(group);
  app.add_option("--gpus", t.gpus, "GPUs of this host that work together, or all")
      ->type_name("N")
      ->group(group);
  app.add_option("--part", t.part, "Every M-th point from K on, 0 to M-1: for a job array")
      ->type_name("K/M")
      ->group(group);
  app.add_flag("--merge", t.merge,
               "Put recordings of one device together: time --merge A.json B.json -o ALL.json")
      ->group(group);
}

void add_look_options(CLI::App& app, Typed& t) {
  app.add_option("--theme", t.theme, "dark, light or projector")->type_name("T");
  app.add_option("--lesson", t.lesson, "A lesson beside it, see `list`; :3 for its third step")
      ->type_name("NAME|FILE.md[:STEP]");
}

/// A name that ends like something else would be a trap for who opens the file later.
void check_output(const std::string& verb, const std::string& out) {
  using Endings = std::vector<std::string>;
  const Endings endings = verb == "trace"  ? Endings{".bscope"}
                          : verb == "time" ? Endings{".json", ".csv"}
                                           : Endings{".png", ".svg", ".pdf", ".mp4", ".webp"};
  if (out.empty()) throw UsageError(say("-o needs the name of a file"));
  if (std::any_of(endings.begin(), endings.end(), [&](const std::string& e) { return out.ends_with(e); }))
    return;
  std::error_code ignored;
  const auto there = std::filesystem::status(out, ignored);
  if (verb == "trace" && std::filesystem::is_other(there)) return;  // a device or a pipe
  std::string all;
  for (const std::string& e : endings)
    all = all.empty() ? e : e == endings.back() ? say("{} or {}", all, e) : all + ", " + e;
  throw UsageError(say("`{}` does not write {}: name a file that ends in {}", verb, out, all));
}

/// The help in the spoken language.
void say_help(CLI::App& app) {
  app.group(said(app.get_group()));
  app.description(said(app.get_description()));
  app.footer(said(app.get_footer()));
  for (const auto& [label, words] : {std::pair{"Usage", say("Usage")},
                                     {"Positionals", say("Positionals")},
                                     {"Options", say("Options")},
                                     {"Subcommands", say("Subcommands")},
                                     {"OPTIONS", say("OPTIONS")},
                                     {"SUBCOMMAND", say("SUBCOMMAND")}})
    app.get_formatter()->label(label, std::string(words));
  for (CLI::Option* o : app.get_options()) {
    o->description(said(o->get_description()));
    o->group(said(o->get_group()));
  }
}

constexpr const char* footer =
    "\nExit code: 0 done; 1 a check failed, there is no such device, or the output cannot be written; 2 bad "
    "usage or "
    "bad input.\nExamples:\n"
    "  barrierscope                                          the app on Blelloch's scan\n"
    "  barrierscope show scan/blelloch --values 3,1,7,0,4,1,6,3 --block 4 --json\n"
    "  barrierscope check histogram/racy --preset queue-7x20\n"
    "  barrierscope trace reduce/shared --n 64 -o sum.bscope && barrierscope sum.bscope\n";

/// 0.5% or 0.005.
double noise(const std::string& text) {
  const bool percent = text.ends_with('%');
  const double v = number<double>("--noise", percent ? text.substr(0, text.size() - 1) : text,
                                  later("a share like 0.5%"), text);
  if (!(v > 0 && std::isfinite(v)))
    throw UsageError(say("--noise {} is no share: write for example 0.5%", text));
  return percent ? v / 100 : v;
}
double positive(const std::string& option, const std::string& text) {
  const auto v = number<double>(option, text, later("a number of seconds"));
  if (!(v > 0 && std::isfinite(v)))
    throw UsageError(say("{} {} is too short: give more than 0 seconds", option, text));
  return v;
}

constexpr const char* time_footer =
    "\nWithout --n or --sweep n: 2^10 to 2^29 on a GPU, 2^10 to 2^26 on the CPU.\n"
    "Without an input: sine, int(10 sin(0.02 * 3.14 * i)); for histograms uniform random keys.\n"
    "Every combination of the --sweep values is measured. Ctrl-C keeps what was measured (exit code 130).\n"
    "Examples:\n"
    "  barrierscope time scan/look-back scan/blelloch --n 2^29 -o scans.json\n"
    "  barrierscope time reduce/shared --n 2^27 --sweep unroll=1..8 --sweep block=64..1024\n"
    "  barrierscope time histogram/privatised --n 2^31 --sweep entropy=1,0.811,0.544,0.337,0.201,0\n";

}  // namespace

Device Arguments::device_or(Device otherwise) const {
  return !device ? otherwise : *device == "gpu" ? Device::gpu : Device::cpu;
}

Arguments parse(const std::vector<std::string>& args) {
  CLI::App app("Barrierscope: watch a GPU kernel barrier by barrier", "barrierscope");
  Typed t;
  app.set_version_flag("--version", std::string("barrierscope " BARRIERSCOPE_VERSION));
  app.set_help_flag("-h,--help", "This text; `barrierscope VERB --help` for one verb");
  app.footer(footer);
  app.get_formatter()->column_width(34);
  app.require_subcommand(0, 1);

  auto verb = [&](const char* name, const char* what) {
    CLI::App& v = *app.add_subcommand(name, what);
    v.footer("");
    return &v;
  };
  auto targets = [&](CLI::App& v, const char* name, const char* what) {
    v.add_option(name, t.targets, what)->expected(0, 1000)->type_name("");
  };
  auto json = [&](CLI::App& v) { v.add_flag("--json", t.json, "One JSON object on stdout, for scripts"); };

  CLI::App& list = *verb("list", "The kernels, their parameters and presets");
  json(list);
  CLI::App& trace = *verb("trace", "Trace a kernel into a file");
  targets(trace, "KERNEL", "Name of a kernel, see `list`");
  trace.add_option("-o,--output", t.out, "The file to write")->type_name("FILE.bscope");
  CLI::App& show = *verb("show", "Every interval between barriers, as text or JSON");
  targets(show, "KERNEL|FILE", "Name of a kernel, or a .bscope file");
  json(show);
  show.add_option("--globals", t.globals, "Global arrays after each interval of this block, too")
      ->type_name("BLOCK");
  CLI::App& check = *verb("check", "Hazards, barriers, result, proof; exit code 1 if any fails");
  targets(check, "KERNEL|FILE", "Name of a kernel, a .bscope file, or a lesson's .md file");
  json(check);
  CLI::App& time = *verb("time", "Full-size runs, measured");
  targets(time, "KERNEL|FILE", "Names of kernels; of recordings with --merge");
  add_time_options(time, t);
  time.footer(time_footer);
  CLI::App& render = *verb("render", "A picture of a step");
  targets(render, "KERNEL|FILE", "Name of a kernel, or a .bscope file; two for --view compare");
  render.add_option("--view", t.view, "watch, run, banks, memory, atomics, compare or time")->type_name("V");
  render
      .add_option("--step", t.step,
                  "Interval of the whole run, from 0 (the window counts a block's steps from 1)")
      ->type_name("K");
  render.add_option("--steps", t.steps, "Several, for a video: .mp4 or .webp")->type_name("A..B");
  render.add_option("--size", t.size, "Pixels (default 1600x900)")->type_name("WxH");
  render.add_flag("--predict", t.predict, "As a question: what the step changes is left open");
  render.add_flag("--plain", t.plain, "A PNG without the window's controls, as in SVG and PDF");
  render.add_option("-o,--output", t.out, "The picture to write")->type_name("F.png|svg|pdf|mp4|webp");
  add_look_options(render, t);
  targets(app, "KERNEL|FILE", "Name of a kernel, or a .bscope file (default scan/blelloch)");
  add_look_options(app, t);
  for (CLI::App* v : {&trace, &show, &check, &time, &render, &app}) add_input_options(*v, t);
  for (CLI::App* v : {&trace, &show, &check, &render, &app}) add_trace_options(*v, t);
  for (CLI::App* v : {&list, &trace, &show, &check, &time, &render, &app})
    v->add_option("--language", t.language, "en or zh")->type_name("L");
  for (CLI::App* v : {&list, &trace, &show, &check, &time, &render, &app}) say_help(*v);

  try {
    std::vector<std::string> reversed(args.rbegin(), args.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const auto used = app.get_subcommands();
    throw Answer{used.empty() ? app.help() : used.front()->help()};
  } catch (const CLI::CallForVersion& e) {
    throw Answer{std::string(e.what()) + "\n"};
  } catch (const CLI::ParseError& e) {
    throw UsageError(say("{}; `barrierscope --help` lists verbs and options", said(e.what())));
  }

  Arguments a;
  if (const auto used = app.get_subcommands(); !used.empty()) a.verb = used.front()->get_name();
  const CLI::App& v = a.verb.empty() ? app : *app.get_subcommand(a.verb);
  auto given = [&](const char* option) {
    for (const CLI::App* at : {&v, static_cast<const CLI::App*>(&app)})
      if (const auto* o = at->get_option_no_throw(option); o && o->count() > 0) return true;
    return false;
  };
  // the app's own options may stand before the verb, if it is one that takes them
  for (const CLI::Option* o : app.get_options()) {
    const std::string name = o->get_name();
    if (o->count() > 0 && name.starts_with("-") && &v != &app && !v.get_option_no_throw(name))
      throw UsageError(
          say("`{}` takes no {}: `barrierscope {} --help` lists what it takes", a.verb, name, a.verb));
  }
  a.targets = t.targets;
  const size_t most = a.verb == "time" ? 1000 : a.verb == "render" ? 2 : a.verb == "list" ? 0 : 1;
  if (a.targets.size() > most)
    throw UsageError(say("{} is one too many: {} takes {}", a.targets[most],
                         a.verb.empty() ? say("the app") : "`" + a.verb + "`",
                         most == 0   ? say("no kernel")
                         : most == 1 ? say("one kernel or file")
                                     : say("two of them")));
  a.json = t.json;
  a.out = t.out;
  if (given("--globals")) {
    a.globals = number<int>("--globals", t.globals, later("the number of a block, from 0,"));
    if (*a.globals < 0) throw UsageError(say("--globals {} is no block: blocks count from 0", t.globals));
  }
  if (given("--n")) a.request.n = whole("--n", t.n);
  if (given("--values")) a.request.values = parse_values(t.values);
  if (given("--input") && (a.request.input_file = t.input).empty())
    throw UsageError(say("--input needs the name of a file"));
  if (given("--pattern")) {
    need_one_of("--pattern", t.pattern, {"ones", "ramp", "random", "sine", "skewed", "zipf", "entropy"});
    a.request.pattern = t.pattern;
  }
  if (given("--seed")) a.request.seed = seed_number("--seed", t.seed);
  if (given("--skew")) a.request.skew = share("--skew", t.skew);
  if (given("--entropy")) a.request.entropy = share("--entropy", t.entropy);
  if (given("--block")) a.request.block = whole("--block", t.block);
  for (const std::string& s : t.set) {
    const size_t sign = s.find('=');
    if (sign == 0) throw UsageError(say("--set {} names no parameter: write --set NAME=VALUE", s));
    if (sign == std::string::npos || sign + 1 == s.size())
      throw UsageError(say("--set {} has no value: write --set NAME=VALUE", s));
    a.request.set.emplace_back(s.substr(0, sign), s.substr(sign + 1));
  }
  if (given("--preset") && (a.request.preset = t.preset).empty())
    throw UsageError(say("--preset needs a name: `barrierscope list` shows them"));
  if (given("--device")) {
    need_one_of("--device", t.device, {"cpu", "gpu"});
    a.device = t.device;
  }
  if (given("--schedule")) a.schedule = t.schedule;
  if (given("--max-memory")) a.most_memory = parse_bytes(t.memory);
  for (const char* o : {"--n", "--values", "--input", "--pattern", "--seed", "--skew", "--entropy", "--block",
                        "--set", "--preset", "--device", "--schedule"})
    a.input_given |= given(o);

  for (const std::string& s : t.sweep) a.time.sweep.push_back(parse_axis(s));
  if (given("--noise")) a.time.noise = noise(t.noise);
  if (given("--samples")) {
    const size_t dots = t.samples.find("..");
    a.time.least = number<int>("--samples", t.samples.substr(0, dots), "LEAST..MOST", t.samples);
    a.time.most = dots == std::string::npos
                      ? a.time.least
                      : number<int>("--samples", t.samples.substr(dots + 2), "LEAST..MOST", t.samples);
    if (a.time.least < 1 || a.time.most < a.time.least)
      throw UsageError(say("--samples {} is no range: write for example 11..200", t.samples));
  }
  if (given("--seconds")) a.time.seconds = positive("--seconds", t.seconds);
  if (given("--most-seconds")) a.time.most_seconds = positive("--most-seconds", t.most_seconds);
  if (given("--gpus") && t.gpus == "all")
    a.time.gpus = 0;
  else if (given("--gpus") &&
           (a.time.gpus = number<int>("--gpus", t.gpus, later("a number of GPUs, or all,"))) < 1)
    throw UsageError(say("--gpus {} is too few: give 1 or more, or all", t.gpus));
  if (given("--part")) {
    const size_t slash = t.part.find('/');
    if (slash == std::string::npos)
      throw UsageError(say("--part {} is no part: write for example 0/8", t.part));
    a.time.part = {number<int>("--part", t.part.substr(0, slash), "K/M", t.part),
                   number<int>("--part", t.part.substr(slash + 1), "K/M", t.part)};
    if (a.time.part.of < 1 || a.time.part.index < 0 || a.time.part.index >= a.time.part.of)
      throw UsageError(say("--part {} is no part: of M parts the first is 0/M and the last (M-1)/M", t.part));
  }
  a.time.merge = t.merge;

  if (given("--view")) {
    need_one_of("--view", t.view, {"watch", "run", "banks", "memory", "atomics", "compare", "time"});
    a.render.view = t.view;
  }
  if (given("--step") && given("--steps")) throw UsageError(say("--step and --steps exclude each other"));
  if (given("--step")) a.render.step = number<int>("--step", t.step, later("a whole number from 0"));
  if (given("--steps")) {
    const size_t dots = t.steps.find("..");
    if (dots == std::string::npos)
      throw UsageError(say("--steps {} is no range: write --steps A..B", t.steps));
    a.render.step = number<int>("--steps", t.steps.substr(0, dots), "A..B", t.steps);
    a.render.last_step = number<int>("--steps", t.steps.substr(dots + 2), "A..B", t.steps);
    if (a.render.last_step < a.render.step)
      throw UsageError(say("--steps {} goes backwards: write the smaller step first", t.steps));
  }
  if ((given("--step") || given("--steps")) && a.render.step < 0)
    throw UsageError(say("--step counts from 0"));
  if (given("--theme")) {
    need_one_of("--theme", t.theme, {"dark", "light", "projector"});
    a.render.theme = a.theme = t.theme;
  }
  if (given("--language")) {
    need_one_of("--language", t.language, {"en", "zh"});
    a.render.language = a.language = t.language;
  }
  if (given("--lesson") && (a.render.lesson = t.lesson).empty())
    throw UsageError(say("--lesson needs the name of a lesson: `barrierscope list` shows them"));
  if (given("--size")) {
    const size_t x = t.size.find('x');
    if (x == std::string::npos)
      throw UsageError(say("--size {} is no size: write for example 1600x900", t.size));
    a.render.width = number<int>("--size", t.size.substr(0, x), "WIDTHxHEIGHT", t.size);
    a.render.height = number<int>("--size", t.size.substr(x + 1), "WIDTHxHEIGHT", t.size);
    if (a.render.width < 320 || a.render.height < 180 || a.render.width > 16384 || a.render.height > 16384)
      throw UsageError(say("--size {} is out of range: from 320x180 to 16384x16384", t.size));
  }
  if (given("--output")) check_output(a.verb, t.out);
  // what a target or a mode brings along cannot be asked for beside it
  const bool own_run = given("--lesson") && t.lesson != "all";
  if (own_run && (a.input_given || !a.targets.empty()))
    throw UsageError(say("--lesson {} brings its own run: leave out the {}", t.lesson,
                         a.targets.empty() ? say("options that say what to trace") : say("kernel or file")));
  if (a.time.merge)
    for (const CLI::Option* o : v.get_options())
      if (const std::string name = o->get_name(); o->count() > 0 && name.starts_with("-") &&
                                                  name != "--merge" && name != "--output" &&
                                                  name != "--language")
        throw UsageError(say("--merge puts recordings together and measures nothing: leave out {}", name));
  if (t.predict && !a.render.view.empty() && a.render.view != "watch" && a.render.view != "run")
    throw UsageError(say("--predict is for --view watch and run: leave out one of them"));
  a.render.plain = t.plain;
  a.render.predict = t.predict;
  a.render.out = t.out;
  return a;
}

Target target_of(const Arguments& a, const std::string& word) {
  Target t;
  std::error_code ignored;
  const bool file = word.ends_with(".bscope") || std::filesystem::exists(word, ignored);
  if (!algorithm_of(word) && file) {
    if (a.input_given)
      throw UsageError(
          say("{} already holds its input and its run: leave out the options that say what to trace", word));
    t.file = word;
    return t;
  }
  t.request = a.request;
  t.request.kernel = word;
  find(word);
  t.device = a.device_or(Device::cpu);
  if (a.schedule) try {
      t.schedule = parse_schedule(*a.schedule);
    } catch (const std::invalid_argument& e) { throw UsageError(e.what()); }
  if (t.device == Device::gpu && a.schedule)
    throw UsageError(say("--schedule is the CPU executor's: leave it out, or leave out --device gpu"));
  return t;
}

}  // namespace bscope
