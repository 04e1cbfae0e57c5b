#include "app/cli/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <list>
#include <new>
#include <ostream>

#include "app/cli/console.hpp"
#include "app/cli/parse_error.hpp"
#include "app/cli/program_text.hpp"
#include "app/cli/verb.hpp"
#include "app/draw/letters.hpp"
#include "app/links/link.hpp"
#include "app/links/query.hpp"
#include "app/run/first_kernel.hpp"
#include "app/run/own_program.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"

#ifndef BARRIERSCOPE_VERSION
#define BARRIERSCOPE_VERSION "unknown"
#endif

namespace bscope {
namespace {

/// What one command line lets runs take ends with it.
class MemoryLimit {
 public:
  MemoryLimit() = default;
  ~MemoryLimit() { limit_memory(before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  const double before_ = memory_limit();
};

/// The help in the spoken language.
void say_help(CLI::App& app) {
  app.group(tr(app.get_group()));
  app.description(tr(app.get_description()));
  app.footer(tr(app.get_footer()));
  for (const char* label : {tr_noop("Usage"), tr_noop("Positionals"), tr_noop("Options"),
                            tr_noop("Subcommands"), tr_noop("OPTIONS"), tr_noop("SUBCOMMAND")})
    app.get_formatter()->label(label, tr(label));
  for (CLI::Option* o : app.get_options()) {
    o->description(tr(o->get_description()));
    o->group(tr(o->get_group()));
  }
}

/// Known before anything else is, so that mistakes and help are said in it, too.
Language language_of(const std::vector<std::string>& args) {
  Language language = Language::en;
  const std::string option = "--language";
  const auto take = [&](const std::string& name) {
    try {
      language = parse_language(name);
    } catch (const UsageError&) {  // reported when the option is parsed
    }
  };
  for (const std::string& a : args) {
    if (a.starts_with('-') || !is_link(a)) continue;
    try {
      for (const auto& [key, value] : pairs_in(a))
        if (key == "language") take(value);
    } catch (const UsageError&) {  // reported when the option is parsed
    }
  }
  for (size_t i = 0; i < args.size(); ++i) {
    const bool apart = args[i] == option && i + 1 < args.size();
    if (!apart && !args[i].starts_with(option + "=")) continue;
    take(apart ? args[i + 1] : args[i].substr(option.size() + 1));
  }
  return language;
}

/// Names of files may hold anything; a terminal would obey some of it.
std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : clean_utf8(text)) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return line;
}

/// A verb as this command line meets it.
struct VerbCommand {
  VerbCommand(const Verb& v, CLI::App& to) : app(to), options(to, v.name), action(v.takes(options)) {
    options.group("");
    options.option("--language", "L", "en or zh", one_of({"en", "zh"})).in_link();  // spoken already
  }
  CLI::App& app;
  Options options;
  Action action;
};

/// The arguments after -- belong to users' own programs.
std::vector<std::string> taken_behind(std::vector<std::string>& args) {
  const auto mark = std::ranges::find(args, "--");
  std::vector<std::string> behind(mark == args.end() ? mark : mark + 1, args.end());
  args.erase(mark, args.end());
  return behind;
}

/// `barrierscope help show` is `barrierscope show --help`.
void take_help_word(std::vector<std::string>& args) {
  std::error_code ignored;
  if (args.empty() || args.front() != "help" || std::filesystem::exists("help", ignored)) return;
  args.erase(args.begin());
  args.emplace_back("--help");
}

/// A link stands among the words, in a kernel's place: what it says is taken out.
Pairs taken_link(std::vector<std::string>& args) {
  const auto link =
      std::ranges::find_if(args, [](const std::string& a) { return !a.starts_with('-') && is_link(a); });
  if (link == args.end()) return {};
  Pairs said = checked_link(*link);
  args.erase(link);
  if (const auto more = std::ranges::find_if(args, is_link); more != args.end())
    throw UsageError(message("{} is one too many: only one link can be opened", *more));
  for (auto& [key, value] : said)  // what tabs remember
    if (key.find('.') != std::string::npos) value = std::exchange(key, "state") + "=" + value;
  const auto says = [&](const char* key) {
    return std::ranges::count(said, key, &Pairs::value_type::first) > 0;
  };
  if (!says("kernel") && !says("lesson")) said.emplace_back("kernel", first_kernel);
  return said;
}

/// The verb that takes its whole line, if the line begins with it and does not ask for help.
const Verb* verb_of_line(const std::vector<std::string>& args) {
  const auto& all = verbs();
  const auto verb = std::ranges::find_if(
      all, [&](const Verb* v) { return v->takes_line && !args.empty() && args.front() == v->name; });
  const bool help = args.size() == 2 && (args[1] == "--help" || args[1] == "-h");
  return verb == all.end() || help ? nullptr : *verb;
}

int dispatch(std::vector<std::string> args, Console& c, const Window& window) {
  if (const Verb* verb = verb_of_line(args)) return verb->takes_line({args.begin() + 1, args.end()}, c);
  const MemoryLimit as_before;
  CLI::App app("", "barrierscope");
  app.set_version_flag("--version", std::string("barrierscope " BARRIERSCOPE_VERSION));
  app.set_help_flag("-h,--help", "This text; `barrierscope VERB --help` for one verb");
  app.get_formatter()->column_width(34);
  app.require_subcommand(0, 1);
  // The first has no name. Making options is most of a short command's time: those of other verbs are not
  // needed.
  std::list<VerbCommand> mentioned;
  for (const Verb* v : verbs()) {
    CLI::App& own = *v->name ? *app.add_subcommand(v->name, v->what) : app;
    own.description(v->what);
    own.footer(v->footer);
    if (!*v->name || std::ranges::find(args, v->name) != args.end()) mentioned.emplace_back(*v, own);
    say_help(own);
  }

  const std::vector<std::string> behind = taken_behind(args);
  take_help_word(args);
  const Pairs link = taken_link(args);
  for (std::string& a : args)
    if (a == "-std" || a.starts_with("-std=")) a.insert(0, "-");  // as compilers have it
  const auto used = [&] {
    const auto verb = app.get_subcommands();
    return verb.empty() ? &app : verb.front();
  };
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForHelp&) {
    need_no_misspelt_verb(app);
    c.out << used()->help();
    return 0;
  } catch (const CLI::CallForVersion& e) {
    c.out << e.what() << "\n";
    return 0;
  } catch (const CLI::ParseError& e) { throw usage_error(e, app, *used()); }
  need_no_misspelt_verb(app);
  for (VerbCommand& m : mentioned) {
    if (&m.app != used()) continue;
    m.options.read(mentioned.front().options, behind,
                   link.empty() || m.options.has_key("lesson") ? link : run_of(link));
    return m.action(c, window);
  }
  return 0;
}

}  // namespace

int command(const std::vector<std::string>& args, Console& c, const Window& window) {
  auto fail = [&](int code, const Message& what) {
    c.out.flush();
    const std::string sentence = one_line(tr(what));
    const bool ended = sentence.ends_with('.') || sentence.ends_with('?') || sentence.ends_with("\u3002");
    c.err << "barrierscope: " << sentence << (ended ? "" : tr(".")) << "\n";
    return code;
  };
  int code = 0;
  speak(language_of(args));
  try {
    code = dispatch(args, c, window);
  } catch (const NothingToShow& e) {
    if (!e.reported) tell_failed_program(*e.program, c);
    const cuda::ProgramReport& report = e.program->report;
    const bool at_fault =
        e.program->compiled && !is_stopped(report) && (!report.warnings.empty() || report.ended == "crashed");
    return fail(at_fault ? 1 : 2, e.brief.empty() ? e.message() : e.brief);
  } catch (const UsageError& e) { return fail(2, e.message()); } catch (const BadFile& e) {
    return fail(2, e.message());
  } catch (const std::bad_alloc&) {
    return fail(1, message("there is not enough memory for this run: take a smaller --n"));
  } catch (const std::exception& e) { return fail(1, message_of(e)); }
  if (!c.out.flush())
    return fail(1, message("cannot write to stdout: the disk is full, or the other end is closed"));
  return code;
}

}  // namespace bscope
