// Work shared out among the processors, with threads and nothing else.
#pragma once

#include <cstddef>
#include <functional>

namespace bscope {

/// How many threads work is shared out among: the processors that this process may use, at most 16.
/// `limit_workers` lowers it (0: no more), for tests and measurements.
size_t workers();
void limit_workers(size_t most);

/// Calls f(0) ... f(n - 1), each once, from several threads; they begin in that order. Comes back when all
/// have ended. If some throw, the exception of the lowest number goes on, as if they had run one by one, and
/// tasks that have not begun are left out.
void parallel(size_t n, const std::function<void(size_t)>& f);

}  // namespace bscope
