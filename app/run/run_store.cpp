#include "app/run/run_store.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>

#include "app/run/async_task.hpp"
#include "app/run/run.hpp"
#include "app/run/target.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {

Message failure(const std::exception& e) {
  if (dynamic_cast<const std::bad_alloc*>(&e))
    return message("there is not enough memory for this run: take a smaller --n");
  return message_of(e);
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

size_t bytes_of(const Run& r) { return size_t(r.trace.events()) * 160 + 65536; }

static RunResult result_of(const RunStore::Load& load, const Target& t) {
  try {
    return {load(t)};
  } catch (const std::bad_alloc& e) {
    return {{}, std::make_exception_ptr(UsageError(failure(e)))};
  } catch (const std::exception&) { return {{}, std::current_exception()}; }
}

/// When the files of a program were written, and how large they are.
using FileStamps = std::vector<std::pair<std::filesystem::file_time_type, uintmax_t>>;
static FileStamps stamps_of(const Target& t) {
  FileStamps all;
  std::error_code none;
  const auto add = [&](const std::string& file) {
    all.emplace_back(std::filesystem::last_write_time(file, none), std::filesystem::file_size(file, none));
  };
  add(t.file);
  for (const std::string& file : t.program.files) add(file);
  return all;
}

// ---- entries

struct RunStore::Entry {
  std::optional<Target> target;  ///< of a run
  std::string name;              ///< of what is derived
  std::vector<RunPtr> of;        ///< those that it is derived from
  AsyncTask<Outcome> task = {};
  std::optional<Outcome> outcome = {};  ///< nothing while it is made
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  size_t bytes = 0;                     ///< that it holds, estimated when its outcome came
  uint64_t used = 0;                    ///< the question that asked for it last
  FileStamps stamps = {};               ///< of a program's files, when it was asked for
  bool is_given = false;                ///< by `put`
  bool is_past = false;                 ///< its file or its GPU may give another run now: no target finds it
  bool asked = true, was_asked = true;  ///< since the frame began; in the frame before
  Loading progress(std::chrono::milliseconds patience) const;
  bool is_lasting() const;
  bool is_kept_without_frames() const;
};

RunStore::Loading RunStore::Entry::progress(std::chrono::milliseconds patience) const {
  return {task.share(), std::chrono::steady_clock::now() - began > patience};
}

/// Whether the same question always has the same answer. A file may change, a GPU may run a race otherwise,
/// and what was refused for want of memory may run later.
bool RunStore::Entry::is_lasting() const {
  if (!target || is_given) return true;
  if (target->is_file() || !target->request.input_file.empty() || target->device != Device::cpu) return false;
  return outcome && !std::get<RunResult>(*outcome).error;
}

/// On the command line and in tests, where a lesson asks for the run of its program again and again: a
/// program lasts as long as its files are as they were.
bool RunStore::Entry::is_kept_without_frames() const {
  if (is_lasting()) return true;
  const bool ran = target && target->is_program() && outcome && !std::get<RunResult>(*outcome).error;
  return ran && stamps == stamps_of(*target);
}

RunStore::RunStore(Load load, size_t most) : most_bytes(most), load_(std::move(load)) {}
RunStore::~RunStore() { cancel(); }

/// The entry, with its outcome if that is ready; null: it was not asked for yet.
RunStore::Entry* RunStore::find_entry(const auto& is_it) {
  const auto found = std::ranges::find_if(entries_, is_it);
  if (found == entries_.end()) return nullptr;
  found->used = ++questions_;
  found->asked = true;
  if (!found->outcome) {
    if (auto outcome = found->task.take()) finish(*found, std::move(*outcome));
  }
  return &*found;
}

RunStore::Entry& RunStore::add(const std::vector<RunPtr>& of) {
  Entry& e = entries_.emplace_back();
  e.of = of;
  e.used = ++questions_;
  return e;
}

void RunStore::finish(Entry& e, Outcome outcome) {
  e.outcome = std::move(outcome);
  ++version_;
  const auto add = [&](const RunPtr& run) { e.bytes += run ? bytes_of(*run) : 0; };
  e.bytes = 4096;
  std::ranges::for_each(e.of, add);
  if (const auto* result = std::get_if<RunResult>(&*e.outcome)) add(result->opened.run);
}

// ---- questions

std::optional<RunResult> RunStore::find(const Target& t) {
  if (!has_frames_)
    std::erase_if(entries_,
                  [&](const Entry& k) { return k.target == t && k.outcome && !k.is_kept_without_frames(); });
  Entry* e = find_entry([&](const Entry& k) { return k.target == t; });
  if (!e) {
    bool in_background = false;
    try {
      in_background = wake && takes_long(t);
    } catch (const std::exception&) { return RunResult{{}, std::current_exception()}; }
    e = &add({});
    e->target = t;
    if (t.is_program()) e->stamps = stamps_of(t);
    if (in_background && load_remotely)
      e->task.start_elsewhere(
          [&](Progress& progress, auto take) {
            load_remotely(t, progress, [take](std::optional<RunResult> result) {
              take(result ? std::optional(Outcome{std::move(*result)}) : std::nullopt);
            });
          },
          wake);
    else if (in_background)
      e->task.start([load = load_, t] { return Outcome{result_of(load, t)}; }, wake);
    else
      finish(*e, {result_of(load_, t)});
  }
  if (!e->outcome) return {};
  RunResult result = std::get<RunResult>(*e->outcome);
  if (!has_frames_) forget_oldest();
  return result;
}

void RunStore::put(const Target& t, OpenedRun opened) {
  std::erase_if(entries_, [&](const Entry& k) { return k.target == t && k.outcome; });
  Entry& e = add({});
  e.target = t;
  e.is_given = true;
  finish(e, {RunResult{std::move(opened)}});
}

void RunStore::retain(OpenedRun opened) {
  Entry& e = add({});
  e.is_past = true;
  finish(e, {RunResult{std::move(opened)}});
}

std::shared_ptr<const void> RunStore::derived(const std::string& name, const std::vector<RunPtr>& of,
                                              std::function<std::shared_ptr<const void>()> make,
                                              bool may_take_long) {
  Entry* e =
      find_entry([&](const Entry& k) { return k.name == name && k.of == of && !k.target && !k.is_past; });
  if (!e) {
    const auto outcome = [make = std::move(make)]() -> Outcome {
      try {
        return make();
      } catch (const std::exception&) { return std::current_exception(); }
    };
    e = &add(of);
    e->name = name;
    if (may_take_long && wake &&
        std::ranges::any_of(of, [](const RunPtr& run) { return run && is_large(*run); }))
      e->task.start(outcome, wake);
    else
      finish(*e, outcome());
  }
  if (!e->outcome) return nullptr;
  const Outcome outcome = *e->outcome;
  if (!has_frames_) forget_oldest();
  if (const auto* error = std::get_if<std::exception_ptr>(&outcome)) std::rethrow_exception(*error);
  return std::get<std::shared_ptr<const void>>(outcome);
}

std::optional<RunStore::Loading> RunStore::loading(const Target& t) const {
  for (const Entry& e : entries_)
    if (e.target == t && !e.outcome) return e.progress(patience);
  return {};
}

std::optional<RunStore::Loading> RunStore::loading_beside(const Target* t) const {
  std::optional<Loading> all;
  int count = 0;
  for (const Entry& e : entries_) {
    if (e.outcome || !e.asked || (t && e.target == *t)) continue;
    const Loading one = e.progress(patience);
    all = Loading{all ? all->share + one.share : one.share, (all && all->is_late) || one.is_late};
    ++count;
  }
  if (all) all->share /= float(count);
  return all;
}

// ---- what is kept

/// Cancelled work ends at its next check, and no frame waits for it.
void RunStore::drop(std::list<Entry>::iterator e) {
  e->task.forget();
  cancelled_.splice(cancelled_.end(), entries_, e);
}

/// A run stays for undo, though no target finds it any more. Undo goes back to no run of a program that is
/// judged.
void RunStore::set_past(std::list<Entry>::iterator e) {
  const auto* result = e->outcome ? std::get_if<RunResult>(&*e->outcome) : nullptr;
  const bool is_judged = e->target && e->target->terms != cuda::Terms();
  if (!result || !result->opened.run || is_judged) return drop(e);
  e->target.reset();
  e->is_past = true;
}

void RunStore::forget(const Target& t) {
  const auto found = std::ranges::find(entries_, t, &Entry::target);
  if (found != entries_.end()) set_past(found);
}

void RunStore::forget_file(const std::string& file) {
  for (auto e = entries_.begin(); e != entries_.end();)
    if (const auto here = e++; here->target && here->target->file == file) set_past(here);
}

void RunStore::end_frame(bool keep) {
  has_frames_ = true;
  for (auto e = entries_.begin(); e != entries_.end();) {
    const auto here = e++;
    here->was_asked = std::exchange(here->asked, false);
    if (!here->was_asked && (!here->outcome || (!keep && !here->is_lasting()))) set_past(here);
  }
  std::erase_if(cancelled_, [](const Entry& e) { return e.task.ended(); });
  forget_oldest();
}

/// Whatever the last frame asked for stays: the next one asks for it again. Without frames the last answer
/// stays, where it lasts.
void RunStore::forget_oldest() {
  const auto is_needed = [&](const Entry& e) {
    if (e.is_given || !e.outcome) return true;
    return has_frames_ ? e.asked || e.was_asked : e.used == questions_ && e.is_kept_without_frames();
  };
  if (!has_frames_)
    std::erase_if(entries_, [](const Entry& e) { return e.outcome && !e.is_kept_without_frames(); });
  size_t held = 0;
  for (const Entry& e : entries_) held += e.bytes;
  while (held > most_bytes) {
    auto oldest = entries_.end();
    for (auto e = entries_.begin(); e != entries_.end(); ++e)
      if (!is_needed(*e) && (oldest == entries_.end() || e->used < oldest->used)) oldest = e;
    if (oldest == entries_.end()) return;
    held -= oldest->bytes;
    entries_.erase(oldest);
  }
}

void RunStore::cancel() {
  for (auto e = entries_.begin(); e != entries_.end();)
    if (const auto here = e++; !here->outcome) drop(here);
}

}  // namespace bscope
