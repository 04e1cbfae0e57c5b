#include "app/session/opening.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include "app/run/own_program.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/trace/scoped_assign.hpp"

namespace bscope {
namespace {

/// Where this thread's attempt finds runs; null: they are opened at once, however long that takes.
constinit thread_local RunsBeside* beside = nullptr;

Made made_now(const Target& t) {
  try {
    Made made;
    if (t.is_program()) {
      OpenedRun opened = open_program(t);
      made.run = std::move(opened.run);
      made.program = std::move(opened.program);
    } else {
      made.run = t.is_file() ? open_file(t.file, &made.session) : open_run(t.request, t.device, t.schedule);
    }
    return made;
  } catch (const std::bad_alloc& e) { throw UsageError(failure(e)); }
}

}  // namespace

std::string failure(const std::exception& e) {
  if (dynamic_cast<const std::bad_alloc*>(&e))
    return say("there is not enough memory for this run: take a smaller --n");
  return e.what();
}

bool takes_long(const Target& t) {
  constexpr double in_a_frame = 100'000;         // events, as is_large
  constexpr size_t judged_in_a_frame = 1 << 14;  // elements: to judge a longer run takes a while, too
  constexpr uintmax_t read_in_a_frame = 1 << 18;
  if (t.is_program()) return true;
  if (t.is_file()) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(t.file, error);
    return !error && bytes > read_in_a_frame;
  }
  const RunSpec& r = t.request;
  const size_t n = r.values ? r.values->size() : size_t(std::max(0LL, r.n.value_or(0)));
  return n > judged_in_a_frame || expected_events(find(r.kernel), r) > in_a_frame;
}

MadeOrNot outcome_of(const Target& t) {
  try {
    return {made_now(t), nullptr};
  } catch (const std::exception&) { return {{}, std::current_exception()}; }
}

Made made_run(const Target& t) { return beside ? beside->ask(t) : made_now(t); }

Made RunsBeside::ask(const Target& target) {
  for (const Known& k : known_)
    if (k.target == target) {
      if (k.outcome.failed) std::rethrow_exception(k.outcome.failed);
      return k.outcome.made;
    }
  if (making_ == target) throw NotYet{target};
  if (!wake || !takes_long(target)) return made_now(target);
  throw NotYet{target};
}

void RunsBeside::begin(const Target& target) {
  if (making_ == target) return;
  making_ = target;
  began_ = std::chrono::steady_clock::now();
  if (make_elsewhere)
    work_.start_elsewhere([&](Progress& p, auto take) { make_elsewhere(target, p, std::move(take)); }, wake);
  else
    work_.start([asked = target] { return outcome_of(asked); }, wake);
}

bool RunsBeside::attempt(const std::function<void()>& what) {
  if (auto outcome = work_.take()) {
    known_.push_back({*making_, std::move(*outcome)});
    making_.reset();
  }
  try {
    const ScopedAssign within(beside, this);
    what();
  } catch (const NotYet& n) {
    begin(n.target);
    return false;
  }
  return true;
}

bool RunsBeside::is_late() const {
  return making_ && !ready() && std::chrono::steady_clock::now() - began_ > patience;
}

void RunsBeside::give_up() {
  work_.forget();
  making_.reset();
  known_.clear();
}

void Openings::take(State& s, Step step, Fits fits) {
  State next = s;
  if (runs.attempt([&] { step(next); })) {
    s = std::move(next);
    if (!waiting_) runs.done();
    return;
  }
  waiting_ = Waiting{std::move(step), std::move(fits), s.run, s.lesson.lesson, s.lesson.step};
}

void Openings::go_on(State& s) {
  if (!waiting_) return;
  const Waiting& w = *waiting_;
  const bool fits = w.run == s.run && w.lesson == s.lesson.lesson && w.lesson_step == s.lesson.step &&
                    (!w.fits || w.fits(s));
  if (!fits) return give_up();
  if (!runs.ready()) return;
  Waiting now = std::move(*std::exchange(waiting_, std::nullopt));
  take(s, std::move(now.step), std::move(now.fits));
}

void Openings::give_up() {
  waiting_.reset();
  runs.give_up();
}

}  // namespace bscope
