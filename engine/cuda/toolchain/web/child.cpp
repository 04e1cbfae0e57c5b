// Where no process can be started: the page's JavaScript runs compilers and programs, each in a module of its
// own (engine/cuda/worker/own_code.js).
#include "engine/cuda/toolchain/child.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/web/clang_driver.hpp"
#include "engine/trace/fields.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/progress.hpp"

/// Runs what the JSON says and returns JSON, whose memory is the caller's.
extern "C" char* own_code_start(const char* command);

namespace bscope::cuda {
namespace {

/// What JavaScript is asked for.
struct PageCommand {
  bool is_tool = false;                 ///< a compiler or the linker; else the program
  std::vector<std::string> words = {};  ///< of a program, from argv[0] on
  std::string program = {};             ///< its module's file
  std::string where = {};
  std::vector<std::string> environment = {};
  double seconds = 0;
  size_t most_output = 0;
  template <class Self, class Visit>
  static void fields(Self& c, Visit&& visit) {
    visit("isTool", c.is_tool);
    visit("words", c.words);
    visit("program", c.program);
    visit("where", c.where);
    visit("environment", c.environment);
    visit("seconds", c.seconds);
    visit("mostOutput", c.most_output);
  }
};

/// Its answer.
struct PageEnded {
  int exit = -1, signal = 0;
  bool out_of_time = false, cut = false;
  std::string output;
  template <class Self, class Visit>
  static void fields(Self& e, Visit&& visit) {
    visit("exit", e.exit);
    visit("signal", e.signal);
    visit("outOfTime", e.out_of_time);
    visit("cut", e.cut);
    visit("output", e.output);
  }
};

PageCommand page_command(const ProcessCommand& c) {
  if (c.words.front() == find_places().clang)
    return {.is_tool = true,
            .words = tool_command(c.words),
            .where = c.where.string(),
            .most_output = c.most_output};
  PageCommand command{.words = c.words,
                      .program = c.words.front(),
                      .where = c.where.string(),
                      .environment = c.environment,
                      .seconds = c.seconds,
                      .most_output = c.most_output};
  if (!c.called.empty()) command.words.front() = c.called;
  return command;
}

}  // namespace

std::string name_of_signal(int signal) { return ::strsignal(signal); }

Ended run(const ProcessCommand& c) {
  throw_if_cancelled();
  const std::unique_ptr<char, decltype(&std::free)> said(
      ::own_code_start(json_text(to_fields_json(page_command(c))).c_str()), std::free);
  PageEnded ended;
  from_fields_json(ended, parse_json(said.get(), "own_code.js"), {});
  return {.exit = ended.exit,
          .signal = ended.signal,
          .out_of_time = ended.out_of_time,
          .cut = ended.cut,
          .output = std::move(ended.output)};
}

}  // namespace bscope::cuda
