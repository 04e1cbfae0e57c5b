// Bad input: one clear sentence, the right exit code, nothing on stdout, nothing half written.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <regex>
#include <set>

#include "engine/simt/device.hpp"
#include "engine/trace/file.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/places.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

using test::barrierscope;
using ::testing::HasSubstr;
using Errors = test::Folder;

void expect_refused(const std::vector<std::string>& args, int code, const std::string& part) {
  const auto r = barrierscope(args);
  std::string line;
  for (const auto& a : args) line += a + " ";
  SCOPED_TRACE(line);
  EXPECT_EQ(r.code, code);
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(r.err, HasSubstr(part));
  EXPECT_EQ(r.err.find("barrierscope: "), 0u);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

TEST_F(Errors, OfUse) {
  expect_refused({"show", "scan/bleloch"}, 2, "scan/blelloch");
  expect_refused({"show", "nothing/like-it"}, 2, "nothing/like-it");
  expect_refused({"frobnicate"}, 2, "frobnicate");
  expect_refused({"show"}, 2, "needs the name of a kernel");
  expect_refused({"show", "scan/blelloch", "--frobnicate"}, 2, "--frobnicate");
  expect_refused({"show", "scan/blelloch", "--n", "0"}, 2, "0");
  expect_refused({"show", "scan/blelloch", "--n", "-3"}, 2, "-3");
  expect_refused({"show", "scan/blelloch", "--n", "many"}, 2, "many is not a number");
  expect_refused({"show", "scan/blelloch", "--n", "99999999999999999999"}, 2, "out of range");
  expect_refused({"show", "scan/blelloch", "--n"}, 2, "--n");
  expect_refused({"show", "scan/blelloch", "--block", "1025"}, 2, "1025");
  expect_refused({"show", "scan/blelloch", "--block", "0"}, 2, "0");
  expect_refused({"show", "scan/blelloch", "--values", "3,x,1"}, 2,
                 "value 2 of --values, 'x', is not a number");
  expect_refused({"show", "scan/blelloch", "--values", "3,,1"}, 2, "value 2");
  expect_refused({"show", "scan/blelloch", "--values", ""}, 2, "not a number");
  expect_refused({"show", "scan/blelloch", "--values", "nan"}, 2, "not a number");
  expect_refused({"show", "scan/blelloch", "--values", "0.5"}, 2, "0.5");
  expect_refused({"show", "histogram/racy", "--values", "3,-1"}, 2, "-1");
  expect_refused({"show", "scan/blelloch", "--pattern", "zigzag"}, 2, "zigzag");
  expect_refused({"show", "scan/blelloch", "--set", "type"}, 2, "has no value");
  expect_refused({"show", "scan/blelloch", "--set", "colour=red"}, 2, "colour");
  expect_refused({"show", "scan/blelloch", "--set", "type=int7"}, 2, "int7");
  expect_refused({"show", "scan/blelloch", "--preset", "none"}, 2, "none");
  expect_refused({"show", "scan/blelloch", "--device", "tpu"}, 2, "tpu");
  expect_refused({"show", "scan/blelloch", "--schedule", "random"}, 2, "random");
  expect_refused({"show", "scan/blelloch", "--seed", "-1"}, 2, "-1");
  expect_refused({"show", "scan/blelloch", "--max-memory", "much"}, 2, "much");
  expect_refused({"show", "scan/blelloch", "scan/kogge-stone"}, 2, "scan/kogge-stone is one too many");
  expect_refused({"trace", "scan/blelloch"}, 2, "-o FILE.bscope");
  expect_refused({"time"}, 2, "names of kernels");
  expect_refused({"render", "scan/blelloch"}, 2, "-o FILE.png");
  expect_refused({"render", "scan/blelloch", "-o", "x.png", "--view", "inside"}, 2, "inside");
  expect_refused({"render", "scan/blelloch", "-o", "x.png", "--size", "1x1"}, 2, "1x1");
  expect_refused({"render", "scan/blelloch", "-o", "x.png", "--steps", "5..2"}, 2, "5..2");
}

TEST_F(Errors, SuggestWhatWasMeant) {
  expect_refused({"shw", "scan/blelloch"}, 2, "There is no command \"shw\": did you mean show?");
  expect_refused({"chekc"}, 2, "did you mean check?");
  expect_refused({"compare", "scan/blelloch"}, 2, "There is no command \"compare\": choose one of list");
  expect_refused({"shw", "--help"}, 2, "did you mean show?");
  expect_refused({"show", "scan/blelloch", "-n", "64"}, 2, "There is no option -n: did you mean --n?");
  expect_refused({"show", "scan/blelloch", "--blcok=4"}, 2,
                 "There is no option --blcok: did you mean --block?");
  expect_refused({"--them", "dark"}, 2, "did you mean --theme?");
  expect_refused({"show", "scan/blelloch", "--bogus"}, 2,
                 "`show` takes no --bogus: `barrierscope show --help`");
  expect_refused({"--bogus"}, 2, "There is no option --bogus: `barrierscope --help`");
  expect_refused({"show", "scan/blelloch", "--values"}, 2, "--values has no value: write --values 3,1,7,...");
  expect_refused({"show", "scan/blelloch", "--n", "1e6"}, 2,
                 "--n 1e6 is no whole number: write 1000000 or 2^20");
  expect_refused({"show", "scan/blelloch", "--n", "1.5"}, 2, "1.5 is not a number");
  expect_refused({"show", "scan/blelloch", "--pattern", "rnadom"}, 2, "did you mean random?");
  expect_refused({"show", "scan/blelloch", "--device", "gpuu"}, 2, "did you mean gpu?");
  expect_refused({"check", "x.cu", "--assignment", "nothing"}, 2, "the assignments are ");
  expect_refused({"check", "x.cu", "--assignment", "tree-smu"}, 2, "did you mean tree-sum?");
  expect_refused({"new", "tree-smu"}, 2, "did you mean tree-sum?");
  expect_refused({"timeline", "x.cu"}, 2, "`barrierscope time x.cu` times its launches");
}

TEST_F(Errors, HelpIsACommand) {
  EXPECT_EQ(barrierscope({"help"}).out, barrierscope({"--help"}).out);
  EXPECT_EQ(barrierscope({"help", "show"}).out, barrierscope({"show", "--help"}).out);
  EXPECT_NE(barrierscope({"help", "show"}).out, barrierscope({"help"}).out);
}

TEST_F(Errors, InTheLanguageAskedFor) {
  const std::vector<std::vector<std::string>> some{
      {"show"},
      {"show", "scan/bleloch"},
      {"show", "scan/blelloch", "--frobnicate"},
      {"shw", "scan/blelloch"},
      {"show", "scan/blelloch", "-n", "64"},
      {"show", "scan/blelloch", "--n"},
      {"show", "scan/blelloch", "--n", "many"},
      {"show", "scan/blelloch", "--n", "99999999999999999999"},
      {"show", "scan/blelloch", "--seed", "-1"},
      {"show", "scan/blelloch", "--values", "3,x,1"},
      {"show", "scan/blelloch", "--pattern", "zigzag"},
      {"show", "scan/blelloch", "--set", "type"},
      {"show", "scan/blelloch", "--set", "type=int7"},
      {"show", "scan/blelloch", "--globals", "-1"},
      {"show", "scan/blelloch", "--globals", "99"},
      {"show", "scan/blelloch", "--max-memory", "much"},
      {"show", "scan/blelloch", "--input", "/none.txt"},
      {"show", "scan/blelloch", "scan/kogge-stone"},
      {"show", "/none.bscope"},
      {"check", "lesson.md"},
      {"check", "lesson.md", "--json"},
      {"trace", "scan/blelloch"},
      {"trace", "scan/blelloch", "-o", "/dev/full"},
      {"time"},
      {"render", "scan/blelloch"},
      {"render", "scan/blelloch", "-o", "x.png", "--view", "inside"},
      {"render", "scan/blelloch", "-o", "x.png", "--size", "1x1"},
      {"render", "scan/blelloch", "-o", "x.png", "--size", "big"},
      {"render", "scan/blelloch", "-o", "x.png", "--steps", "5..2"},
      {"render", "scan/blelloch", "-o", "x.png", "--steps", "5"},
      {"render", "scan/blelloch", "-o", "x.png", "--step", "1", "--steps", "1..2"},
      {"render", "scan/blelloch", "scan/kogge-stone", "-o", "x.png"},
      {"--lesson", "nothing"},
      {"--lesson", "blelloch:0"},
      {"--lesson", "blelloch:99"},
  };
  // words of English that are no names: two in a row, outside of quotes and commands
  const std::regex aside("`[^`]*`|“[^”]*”|--[a-z-]+"), english("[a-z]{2,} [a-z]{2,}");
  for (std::vector<std::string> args : some) {
    for (const bool apart : {true, false}) {
      std::vector<std::string> asked = args;
      if (apart)
        asked.insert(asked.begin() + long(asked[0].starts_with("-") ? 0 : 1), {"--language", "zh"});
      else
        asked.emplace_back("--language=zh");
      const auto r = barrierscope(asked);
      EXPECT_NE(r.code, 0) << r.err;
      EXPECT_NE(r.err.find("。\n"), std::string::npos) << r.err;
      EXPECT_FALSE(std::regex_search(std::regex_replace(r.err, aside, ""), english)) << r.err;
      if (args.size() == 4 && args[3] == "--n") break;  // it would take the language as its value
    }
  }
  const auto help = barrierscope({"--language", "zh", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("元素个数"), std::string::npos);
  EXPECT_NE(barrierscope({"show", "--help", "--language=zh"}).out.find("每块的线程数"), std::string::npos);
  // and English again by default
  EXPECT_NE(barrierscope({"show"}).err.find("needs the name of a kernel"), std::string::npos);
}

TEST_F(Errors, OfInputFiles) {
  expect_refused({"show", "scan/blelloch", "--input", in("none.txt")}, 2, "none.txt");
  expect_refused({"show", "scan/blelloch", "--input", write("empty.txt", "")}, 2, "empty.txt");
  expect_refused({"show", "scan/blelloch", "--input", write("words.txt", "3 1\n7 seven\n")}, 2, "line 2");
  expect_refused({"show", "scan/blelloch", "--input", write("binary.txt", std::string("\x7f\0\1\2", 4))}, 2,
                 "binary");
  write("huge.txt", "");
  ASSERT_EQ(truncate(in("huge.txt").c_str(), off_t(5) << 30), 0);
  expect_refused({"show", "scan/blelloch", "--input", in("huge.txt")}, 2, "too large");
  EXPECT_EQ(
      barrierscope({"show", "scan/blelloch", "--input", write("good.txt", "# a comment\n3, 1 7\t0\n")}).code,
      0);
}

TEST_F(Errors, OfTraceFiles) {
  const std::string good = in("good.bscope");
  ASSERT_EQ(barrierscope({"trace", "scan/blelloch", "-o", good}).code, 0);
  const std::string bytes = test::read_file(good);
  for (const char* verb : {"show", "check"}) {
    expect_refused({verb, in("none.bscope")}, 2, "there is no file");
    expect_refused({verb, write("empty.bscope", "")}, 2, "it is empty");
    expect_refused({verb, write("binary.bscope", std::string(5000, '\x7f'))}, 2, "it is no .bscope file");
    expect_refused({verb, write("short.bscope", bytes.substr(0, bytes.size() / 2))}, 2, "cut short");
    std::string forged = bytes;
    for (size_t k = 100; k < forged.size(); k += 7) forged[k] = char(0xee);
    expect_refused({verb, write("forged.bscope", forged)}, 2, "forged.bscope");
    expect_refused({verb, good, "--n", "8"}, 2, "already holds its input");
    expect_refused({verb, good, "--device", "cpu"}, 2, "already holds its input");
  }
  expect_refused({"trace", good, "-o", in("x.bscope")}, 2, "is a trace already");
  write("huge.bscope", "");
  ASSERT_EQ(truncate(in("huge.bscope").c_str(), off_t(5) << 30), 0);
  expect_refused({"show", in("huge.bscope")}, 2, "5.3 GB");
}

TEST_F(Errors, OfMissingDevices) {
  if (gpu()) GTEST_SKIP() << "there is a GPU here";
  expect_refused({"show", "scan/blelloch", "--device", "gpu"}, 1, "--device cpu");
  expect_refused({"trace", "scan/blelloch", "--device", "gpu", "-o", in("x.bscope")}, 1, "--device cpu");
  EXPECT_EQ(files(), 0u);
  expect_refused({"render", "scan/blelloch", "-o", in("x.png")}, 1, "without the window");
}

TEST_F(Errors, OfMemory) {
  expect_refused({"show", "scan/kogge-stone", "--n", "2^20", "--max-memory", "100M"}, 2, "use at most --n");
  EXPECT_EQ(barrierscope({"trace", "scan/kogge-stone", "--n", "20000", "-o", in("x.bscope")}).code, 0);
  expect_refused({"show", in("x.bscope"), "--max-memory", "1M"}, 2,
                 "MB of memory, more than the 1 MB allowed");
  EXPECT_EQ(barrierscope({"check", in("x.bscope")}).code, 0);
}

TEST_F(Errors, OfAFullDisk) {
  expect_refused({"trace", "scan/blelloch", "-o", "/dev/full"}, 1, "No space left");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  expect_refused({"trace", "scan/blelloch", "-o", in("missing/x.bscope")}, 1, "missing/x.bscope");

  ASSERT_EQ(barrierscope({"trace", "scan/blelloch", "-o", in("x.bscope")}).code, 0);
  const std::string before = test::read_file(in("x.bscope"));
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto r = barrierscope({"trace", "scan/blelloch", "--n", "256", "-o", in("x.bscope")});
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("x.bscope"));
  EXPECT_EQ(test::read_file(in("x.bscope")), before);
  EXPECT_EQ(files(), 1u);
}

/// Everything that prints to stdout.
[[nodiscard]] std::vector<std::vector<std::string>> printing(const std::string& lesson) {
  return {{"list"},
          {"list", "--json"},
          {"show", "scan/blelloch"},
          {"show", "scan/blelloch", "--json"},
          {"show", lesson},
          {"check", "scan/blelloch"},
          {"check", "scan/blelloch", "--json"},
          {"check", lesson},
          {"time", "reduce/shared", "--device", "cpu", "--n", "1000", "--seconds", "0.001", "--samples", "1"},
          {"scan/blelloch"},
          {"--help"},
          {"time", "--help"},
          {"--version"}};
}
constexpr const char* small_lesson = "# T\n## S\n```show\nkernel: scan/blelloch\n```\nIt is {n}.\n";

TEST_F(Errors, OfAStdoutThatCannotBeWritten) {
  for (const auto& args : printing(write("lesson.md", small_lesson))) {
    SCOPED_TRACE(args[0] + (args.size() > 1 ? " " + args[1] : ""));
    std::ofstream full("/dev/full");
    std::ostringstream err;
    Console c{full, err};
    testing::internal::CaptureStdout();
    EXPECT_EQ(command(args, c), 1);
    EXPECT_THAT(err.str(), HasSubstr("barrierscope: cannot write to stdout"));
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << "beside the console";
  }
}

#ifdef BARRIERSCOPE_PROGRAM
TEST_F(Errors, OfAStdoutThatIsClosed) {
  const auto lines = [&](const std::string& name) {
    const std::string text = test::read_file(in(name));
    return std::count(text.begin(), text.end(), '\n');
  };
  for (const char* to : {">&-", ">/dev/full"})
    for (const std::string args : {"list", "show scan/blelloch --json", "--version", "scan/blelloch",
                                   "time reduce/shared --device cpu --n 1000 --seconds 0.001 --samples 1"}) {
      SCOPED_TRACE(args + to);
      const std::string line =
          std::string(BARRIERSCOPE_PROGRAM " ") + args + " 2>" + in("err") + " " + to + " </dev/null";
      EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 1);
      EXPECT_THAT(test::read_file(in("err")), HasSubstr("barrierscope: cannot write to stdout"));
    }
  // what is printed does not go into the file that is written
  const std::string trace = std::string(BARRIERSCOPE_PROGRAM) + " trace scan/blelloch -o " + in("x.bscope");
  EXPECT_EQ(WEXITSTATUS(std::system((trace + " >&- 2>&-").c_str())), 0);
  EXPECT_NO_THROW(load(in("x.bscope")));
  const std::string input =
      std::string(BARRIERSCOPE_PROGRAM) + " show scan/blelloch --input - >/dev/null 2>" + in("err");
  EXPECT_EQ(WEXITSTATUS(std::system((input + " <&-").c_str())), 2);
  EXPECT_EQ(lines("err"), 1);
  EXPECT_EQ(WEXITSTATUS(std::system(("printf '3 1 7' | " + input).c_str())), 0);
  EXPECT_EQ(WEXITSTATUS(std::system(("printf '3 x' | " + input).c_str())), 2);
}
#endif

/// The options with a value that a verb's help names.
std::vector<std::string> options_of(const std::string& verb) {
  const std::string help = barrierscope(verb.empty() ? std::vector<std::string>{"--help"}
                                                     : std::vector<std::string>{verb, "--help"})
                               .out;
  std::vector<std::string> all;
  const std::regex option("(^|\\n)  (-o,)?(--[a-z-]+) [A-Z0-9]");
  for (std::sregex_iterator it(help.begin(), help.end(), option), end; it != end; ++it)
    if ((*it)[3] != "--version") all.push_back((*it)[3]);
  return all;
}

TEST_F(Errors, OfEveryOptionOfEveryVerb) {
  const std::vector<std::string> verbs{"", "list", "trace", "show", "check", "time", "render", "timeline"};
  std::map<std::string, std::vector<std::string>> takes;
  std::set<std::string> every;
  for (const std::string& verb : verbs) {
    takes[verb] = options_of(verb);
    every.insert(takes[verb].begin(), takes[verb].end());
  }
  EXPECT_GE(every.size(), 29u);
  EXPECT_THAT(takes["time"], testing::Not(testing::Contains("--schedule")));
  const auto with = [&](const std::string& verb, std::vector<std::string> more) {
    std::vector<std::string> args;
    if (!verb.empty()) args.push_back(verb);
    if (verb != "list") args.push_back("scan/blelloch");
    args.insert(args.end(), more.begin(), more.end());
    if ((verb == "trace" || verb == "render") && (more.empty() || more[0] != "--output"))
      args.insert(args.end(), {"-o", in(verb == "trace" ? "x.bscope" : "x.png")});
    return args;
  };
  for (const std::string& verb : verbs)
    for (const std::string& option : every) {
      const auto& own = takes[verb];
      const bool taken = std::find(own.begin(), own.end(), option) != own.end();
      const std::vector<const char*> bad{"nope", "", "=", "2^", "-", "\xff\n"};
      const size_t tried = test::all_or_part(bad.size(), size_t(1));  // another one for each option
      for (size_t k = 0; k < (taken ? tried : 1); ++k) {
        const char* value = taken ? bad[(option.size() + verb.size() + k) % bad.size()] : "8";
        if (taken && option == "--input" && *value == '-') continue;  // stdin
        const auto args = with(verb, {option, value});
        const auto r = barrierscope(args);
        EXPECT_EQ(r.code, 2) << verb << " " << option << " '" << value << "': " << r.out.substr(0, 200);
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
        if (*value) {  // what was typed, not a part of it
          EXPECT_EQ(r.err.find("''"), std::string::npos) << r.err;
        }
      }
      if (!taken && !verb.empty()) {  // nor before the verb
        auto args = with(verb, {});
        args.insert(args.begin(), {option, "8"});
        EXPECT_EQ(barrierscope(args).code, 2) << option << " before " << verb;
      }
    }
  EXPECT_EQ(files(), 0u);
}

TEST_F(Errors, OfWhatBringsItsOwnRun) {
  const std::string lesson = write("lesson.md", small_lesson);
  expect_refused({"show", lesson, "--n", "8"}, 2, "brings its own runs");
  expect_refused({"check", lesson, "--schedule", "lockstep"}, 2, "brings its own runs");
  expect_refused({"check", lesson, "-o", in("x.bscope")}, 2, "brings its own runs");
  expect_refused({"check", "x.cu", "--assignment", "tree-sum", "-o", in("x.bscope")}, 2, "leave out -o");
  expect_refused({"show", lesson, "--globals", "0"}, 2, "brings its own runs");
  expect_refused({"--lesson", "blelloch", "--n", "8"}, 2, "brings its own run");
  expect_refused({"scan/blelloch", "--lesson", "blelloch"}, 2, "brings its own run");
  expect_refused({"time", "--merge", in("a.json"), "--n", "8", "-o", in("b.json")}, 2, "leave out --n");
  expect_refused({"render", "scan/blelloch", "--view", "banks", "--predict", "-o", in("x.svg")}, 2,
                 "--predict");
}

TEST_F(Errors, OfTheWordThatWasTyped) {
  expect_refused({"show", "scan/blelloch", "--n", "2^"}, 2, "--n 2^ is not a number");
  expect_refused({"show", "scan/blelloch", "--set", "=3"}, 2, "names no parameter");
  expect_refused({"show", "scan/blelloch", "--set", "type="}, 2, "has no value");
  expect_refused({"time", "scan/blelloch", "--sweep", "=3"}, 2, "names nothing");
  expect_refused({"time", "scan/blelloch", "--samples", "3.."}, 2, "--samples 3.. is not a number");
  expect_refused({"time", "scan/blelloch", "--part", "1/"}, 2, "--part 1/ is not a number");
  expect_refused({"time", "scan/blelloch", "--noise", "%"}, 2, "--noise % is not a number");
  expect_refused({"render", "scan/blelloch", "-o", in("x.png"), "--size", "800x"}, 2,
                 "--size 800x is not a number");
  expect_refused({"render", "scan/blelloch", "-o", in("x.png"), "--steps", "..3"}, 2,
                 "--steps ..3 is not a number");
  expect_refused({"show", "scan/blelloch", "--n", "+-3"}, 2, "+-3 is not a number");
  expect_refused({"show", "a\nb\x1b[2J\xff"}, 2, "a?b [2J");
}

TEST_F(Errors, OfANameThatEndsLikeSomethingElse) {
  const std::string kernel = "scan/blelloch";
  for (const char* name : {"x.png", "x.json", "x.md", "x.txt", "x", "x.bscope.gz", "x.BSCOPE"})
    expect_refused({"trace", kernel, "-o", in(name)}, 2, "ends in .bscope");
  for (const char* name : {"x.bscope", "x.jpg", "x", "x.json"})
    expect_refused({"render", kernel, "-o", in(name)}, 2, "ends in .png, .svg, .pdf, .mp4 or .webp");
  for (const char* name : {"x.txt", "x", "x.bscope", "x.png"})
    expect_refused({"time", kernel, "-o", in(name)}, 2, "ends in .json or .csv");
  EXPECT_EQ(files(), 0u);
  EXPECT_EQ(barrierscope({"trace", kernel, "-o", "/dev/null"}).code, 0);
}

}  // namespace
}  // namespace bscope
