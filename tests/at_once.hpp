// Steps of the state with runs that are opened at once: what tests mean where they name no store.
#pragma once

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
  static RunStore store(open_now, 0);  // keeps no run longer than it must
  return store;
}

State opened(State, const Target&, Where, RunStore& = runs_at_once());
State with_kernel(State, const std::string& kernel, Where, RunStore& = runs_at_once());
State with_values(State, std::vector<double>, Where, RunStore& = runs_at_once());
Opening opened_path(State, const std::string& path, RunStore& = runs_at_once());
State with_session(State, const std::string& text, RunStore& = runs_at_once());
State load_session(State, const std::string& path, RunStore& = runs_at_once());
State with_link(State, std::string_view link, RunStore& = runs_at_once());
State obeyed(State, const HostMessage&, const std::string& embed, RunStore& = runs_at_once());
State beside_lesson(State, const std::string& words, RunStore& = runs_at_once());
State with_lesson(State, const std::string& words, RunStore& = runs_at_once());
State at_lesson_step(State, const Lesson&, int step, RunStore& = runs_at_once(), int part);
State answered(State, const Lesson&, RunStore& = runs_at_once());
std::vector<Mistake> check_lesson(const Lesson&, RunStore& = runs_at_once());
State followed(State, const std::string& target, RunStore& = runs_at_once());
State compared(State, RunStore& = runs_at_once());
State with_other(State, const std::string& kernel, RunStore& = runs_at_once());
State with_other(State, const Target&, RunStore& = runs_at_once());
State with_open_length(State, long long n, Where, RunStore& = runs_at_once());
std::optional<long long> telling_length(const State&, RunStore& = runs_at_once());
State with_queues(State, RunStore& = runs_at_once());
State with_needs(State, RunStore& = runs_at_once());

}  // namespace bscope
