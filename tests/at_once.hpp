// Steps of the state with runs that are opened at once: what tests mean where they name no store.
#pragma once

#include <cstddef>

#include "app/lessons/links.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/links/host_message.hpp"
#include "app/links/link.hpp"
#include "app/links/place.hpp"
#include "app/run/run_store.hpp"
#include "app/session/session_file.hpp"
#include "app/session/tab.hpp"
#include "app/session/typed.hpp"
#include "app/tabs/atomics/steps.hpp"
#include "app/tabs/compare/steps.hpp"

namespace bscope {

inline RunStore& runs_at_once() {
  static RunStore store(
      open_now, size_t(1) << 30);  // tests ask for the same runs again and again, and programs are compiled
  return store;
}

LoadedState opened(LoadedState, const Target&, Where, RunStore& = runs_at_once());
LoadedState with_kernel(LoadedState, const std::string& kernel, Where, RunStore& = runs_at_once());
LoadedState with_values(LoadedState, std::vector<double>, Where, RunStore& = runs_at_once());
Opening opened_path(LoadedState, const std::string& path, RunStore& = runs_at_once());
LoadedState with_session(LoadedState, const std::string& text, RunStore& = runs_at_once());
LoadedState load_session(LoadedState, const std::string& path, RunStore& = runs_at_once());
LoadedState with_link(LoadedState, std::string_view link, RunStore& = runs_at_once());
LoadedState obeyed(LoadedState, const HostMessage&, const std::string& embed, RunStore& = runs_at_once());
LoadedState beside_lesson(LoadedState, const std::string& words, RunStore& = runs_at_once());
LoadedState with_lesson(LoadedState, const std::string& words, RunStore& = runs_at_once());
LoadedState at_lesson_step(LoadedState, const Lesson&, int step, RunStore& = runs_at_once(), int part);
LoadedState answered(LoadedState, const Lesson&, RunStore& = runs_at_once());
std::vector<Mistake> check_lesson(const Lesson&, RunStore& = runs_at_once());
LoadedState followed(LoadedState, const std::string& target, RunStore& = runs_at_once());
LoadedState compared(LoadedState, RunStore& = runs_at_once());
LoadedState with_other(LoadedState, const std::string& kernel, RunStore& = runs_at_once());
LoadedState with_other(LoadedState, const Target&, RunStore& = runs_at_once());
LoadedState with_open_length(LoadedState, long long n, Where, RunStore& = runs_at_once());
std::optional<long long> telling_length(const LoadedState&, RunStore& = runs_at_once());
LoadedState with_queues(LoadedState, RunStore& = runs_at_once());
LoadedState with_needs(LoadedState, RunStore& = runs_at_once());

}  // namespace bscope
