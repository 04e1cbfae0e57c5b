#include "app/web/elsewhere.hpp"

#include <emscripten/html5.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "app/run/own_program.hpp"
#include "app/run/target.hpp"
#include "app/session/session_file.hpp"
#include "app/web/browser.hpp"
#include "app/web/reserve.hpp"
#include "app/words/medium.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_serialization.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/own_trace.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/scoped_assign.hpp"

namespace bscope {

namespace {

/// Where the worker finds what became of a program: its trace, if it has one, and the rest as JSON.
constexpr const char *program_file = "/own/run.json", *program_trace = "/own/trace.bscope";
constexpr size_t most_of_a_program = size_t(64) << 20;

std::shared_ptr<cuda::ProgramRun> program_in(const std::string& json) {
  auto program = std::make_shared<cuda::ProgramRun>();
  from_fields_json(*program, parse_json(json, "program"), "program");
  return program;
}
std::string program_text(const cuda::ProgramRun& p) { return json_text(to_fields_json(p)); }

}  // namespace

// ---- the page

void Elsewhere::make(const Target& t, Progress& progress,
                     std::function<void(std::optional<RunResult>)> take) {
  nlohmann::ordered_json asked{
      {"target", target_json(t)}, {"language", name_of(spoken())}, {"in_cuda", t.in_cuda}};
  if (t.is_program()) {
    asked["program"] = to_fields_json(t.program);
    asked["terms"] = to_fields_json(t.terms);
  }
  jobs_.push_back({json_text(asked), t.is_file() ? t.file : t.request.input_file, t.is_program(), &progress,
                   std::move(take)});
  if (jobs_.size() == 1) ask_next();
}

void Elsewhere::ask_next() {
  if (jobs_.empty()) return;
  const RemoteJob& next = jobs_.front();
  page_ask(next.asked.c_str(), next.file.c_str(), next.is_program);
}

void Elsewhere::end(std::optional<RunResult> outcome) {
  const RemoteJob done = std::move(jobs_.front());
  jobs_.pop_front();
  done.take(std::move(outcome));
  ask_next();
}

void Elsewhere::look() {
  while (!jobs_.empty() && jobs_.front().progress->stop) {
    page_dismiss();
    if (taking_) page_took();
    taking_.reset();
    end({});
  }
}

void Elsewhere::told(size_t events, size_t expected, float looked_at) {
  if (jobs_.empty()) return;
  Progress& p = *jobs_.front().progress;
  p.events = events, p.expected = expected, p.looked_at = looked_at;
}

void Elsewhere::failed(const Message& why, const std::string& program, bool refused) {
  if (jobs_.empty()) return;
  std::exception_ptr error;
  if (!program.empty())
    error = std::make_exception_ptr(NothingToShow(why, program_in(program)));
  else if (jobs_.front().is_program && !refused)
    error = std::make_exception_ptr(NotRun(why));
  else
    error = std::make_exception_ptr(UsageError(why));
  end(RunResult{{}, std::move(error)});
}

/// What the worker has made, piece by piece as it comes over.
class Elsewhere::Taking {
 public:
  /// False: all is here.
  bool next() {
    if (deserializer_) return deserializer_->next();
    if (!trace_) trace_ = std::make_unique_for_overwrite<std::byte[]>(all_ = size());
    const size_t now = std::min(all_ - here_, in_a_frame);
    get({trace_.get() + here_, now});
    here_ += now;
    if (here_ < all_ || now == in_a_frame) return true;
    made_.session = text();
    if (const std::string program = text(); !program.empty()) made_.program = program_in(program);
    deserializer_.emplace(read_own_trace({trace_.get(), all_}),
                          [this](std::span<std::byte> into) { get(into); });
    trace_.reset();
    return true;
  }
  OpenedRun made() {
    made_.run = deserializer_->take();
    return std::move(made_);
  }

 private:
  /// Asking the page costs more than what most are: it is asked for many at once.
  void get(std::span<std::byte> into) {
    while (!into.empty()) {
      if (at_ == end_) {
        const bool large = into.size() >= room;
        const size_t came = large ? page_take(into.data(), into.size()) : page_take(bytes_.data(), room);
        if (!came) throw UsageError(message("the run has come in part: ask for it again"));
        if (large)
          into = into.subspan(came);
        else
          at_ = 0, end_ = came;
        continue;
      }
      const size_t n = std::min(into.size(), end_ - at_);
      std::memcpy(into.data(), bytes_.data() + at_, n);
      at_ += n;
      into = into.subspan(n);
    }
  }
  std::string text() {
    std::string s(size(), '\0');
    get(std::as_writable_bytes(std::span(s)));
    return s;
  }
  size_t size() {
    uint32_t n = 0;
    get(std::as_writable_bytes(std::span(&n, 1)));
    return n;
  }

  static constexpr size_t room = 1 << 16, in_a_frame = 1 << 24;
  std::vector<std::byte> bytes_ = std::vector<std::byte>(room);
  size_t at_ = 0, end_ = 0;
  std::unique_ptr<std::byte[]> trace_;  ///< its bytes, `here_` of `all_`
  size_t here_ = 0, all_ = 0;
  OpenedRun made_;
  std::optional<RunDeserializer> deserializer_;
};

Elsewhere::Elsewhere() = default;
Elsewhere::~Elsewhere() = default;

void Elsewhere::answered() {
  if (!jobs_.empty()) taking_ = std::make_unique<Taking>();
}

bool Elsewhere::take_over() {
  if (!taking_) return false;
  RunResult outcome;
  try {
    if (taking_->next()) return true;
    outcome.opened = taking_->made();
  } catch (const std::exception& e) { outcome.error = std::make_exception_ptr(UsageError(failure(e))); }
  taking_.reset();
  page_took();
  end(std::move(outcome));
  return false;
}

// ---- the worker (app/web/site/worker.js)

namespace {

void give_sized(const void* from, size_t size) {
  const auto n = uint32_t(size);
  page_give(&n, sizeof n);
  page_give(from, size);
}

/// Now and then: each message wakes the page.
void tell(const Progress& p) {
  static double last = 0;
  const double now = emscripten_get_now();
  if (now - last < 50) return;
  last = now;
  page_tell(double(p.events), double(p.expected), p.looked_at);
}

/// The run that the request asks for. A program has been run, and is opened from what it has left.
OpenedRun opened_for(const nlohmann::ordered_json& asked) {
  Target target = target_in(asked.at("target"));
  target.in_cuda = asked.value("in_cuda", false);
  if (!target.is_program()) return open_now(target);
  cuda::ProgramRun ran = std::move(*program_in(read_file(program_file, most_of_a_program)));
  if (std::filesystem::exists(program_trace)) ran.trace = load(program_trace);
  return open_program(target, std::move(ran));
}

}  // namespace
}  // namespace bscope

/// Makes the run that is asked for and gives the page its bytes.
extern "C" [[gnu::used]] void page_make(const char* text) {
  using namespace bscope;
  Message why;
  std::string program;
  try {
    const auto asked = parse_json(text, "request");
    speak(parse_language(asked.at("language")));
    speak_in_page();
    keep_reserve();
    Progress progress;
    progress.tell = tell;
    const ScopedAssign watched(current_progress, &progress);
    const OpenedRun opened = opened_for(asked);
    const auto trace = write_trace(opened.run->trace);
    give_sized(trace.data(), trace.size());
    give_sized(opened.session.data(), opened.session.size());
    if (opened.program) program = program_text(*opened.program);
    give_sized(program.data(), program.size());
    serialize_run(*opened.run, [](std::span<const std::byte> b) { page_give(b.data(), b.size()); });
    return page_is_made();
  } catch (const NothingToShow& e) {
    why = e.message();
    program = program_text(*e.program);
  } catch (const std::exception& e) { why = failure(e); }
  page_is_not_made(why.serialized().c_str(), program.c_str());
}
