#include "app/web/elsewhere.hpp"

#include <emscripten/html5.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "app/session/session_file.hpp"
#include "app/web/browser.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run_bytes.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/for_now.hpp"

namespace bscope {

// ---- the page

void Elsewhere::make(const Target& t, Progress& progress,
                     std::function<void(std::optional<MadeOrNot>)> take) {
  const nlohmann::ordered_json asked{{"target", target_json(t)}, {"language", name_of(spoken())}};
  jobs_.push_back({asked.dump(), t.is_file() ? t.file : t.request.input_file, &progress, std::move(take)});
  if (jobs_.size() == 1) ask_next();
}

void Elsewhere::ask_next() {
  if (!jobs_.empty()) page_ask(jobs_.front().asked.c_str(), jobs_.front().file.c_str());
}

void Elsewhere::end(std::optional<MadeOrNot> outcome) {
  const Job done = std::move(jobs_.front());
  jobs_.pop_front();
  done.take(std::move(outcome));
  ask_next();
}

void Elsewhere::look() {
  while (!jobs_.empty() && jobs_.front().progress->stop) {
    page_dismiss();
    end({});
  }
}

void Elsewhere::told(size_t events, size_t expected, float looked_at) {
  if (jobs_.empty()) return;
  Progress& p = *jobs_.front().progress;
  p.events = events, p.expected = expected, p.looked_at = looked_at;
}

void Elsewhere::failed(const std::string& sentence) {
  if (!jobs_.empty()) end(MadeOrNot{{}, std::make_exception_ptr(UsageError(sentence))});
}

namespace {

size_t size_taken() {
  uint32_t size = 0;
  page_take(&size, sizeof size);
  return size;
}

Made made_elsewhere() {
  Made made;
  std::vector<std::byte> bytes(size_taken());
  page_take(bytes.data(), bytes.size());
  made.session.resize(size_taken());
  page_take(made.session.data(), made.session.size());
  Trace trace = read_trace(bytes);
  bytes = {};  // before the replay comes
  made.run =
      run_known(std::move(trace), [](std::span<std::byte> into) { page_take(into.data(), into.size()); });
  return made;
}

}  // namespace

void Elsewhere::answered() {
  if (jobs_.empty()) return;
  MadeOrNot outcome;
  try {
    outcome.made = made_elsewhere();
  } catch (const std::exception& e) { outcome.failed = std::make_exception_ptr(UsageError(failure(e))); }
  end(std::move(outcome));
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

}  // namespace
}  // namespace bscope

/// Makes the run that is asked for and gives the page its bytes.
extern "C" [[gnu::used]] void page_make(const char* text) {
  using namespace bscope;
  std::string sentence;
  try {
    const auto asked = nlohmann::ordered_json::parse(text);
    speak(parse_language(asked.at("language")));
    Progress progress;
    progress.tell = tell;
    const ForNow watched(watcher, &progress);
    const MadeOrNot outcome = outcome_of(target_in(asked.at("target")));
    if (outcome.failed) std::rethrow_exception(outcome.failed);
    const auto trace = write_trace(outcome.made.run->trace);
    give_sized(trace.data(), trace.size());
    give_sized(outcome.made.session.data(), outcome.made.session.size());
    put_known(*outcome.made.run, [](std::span<const std::byte> b) { page_give(b.data(), b.size()); });
    return page_is_made();
  } catch (const std::exception& e) { sentence = failure(e); }
  page_is_not_made(sentence.c_str());
}
