// Runs for tests of what is computed of them.
#pragma once

#include <memory>
#include <string>

#include "engine/analysis/run_queries.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

/// Traced on the CPU.
std::shared_ptr<const Run> traced_run(const RunSpec&);
/// A kernel's run; 0: its own default.
RunQueries model_of(const std::string& kernel, long long n = 0, long long block = 0);
/// The beginning of the run's step, counted through its blocks and launches.
Moment moment_at(const Run&, int step);

}  // namespace bscope
