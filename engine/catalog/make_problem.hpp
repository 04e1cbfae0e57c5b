// From a request to the problem that an algorithm solves. The app, which includes nothing of simt, has
// Problem from here.
#pragma once

#include "engine/simt/problem.hpp"

namespace bscope {

struct Algorithm;
struct RunSpec;

/// Checks the request against the algorithm and fills in every default. Throws UsageError.
Problem make_problem(const Algorithm&, const RunSpec&);
/// The same for a full-size run: a pattern is said (Problem::made) and not held, so that n may be any that a
/// device has room for; the default pattern is sine, the published test data int(10 sin(0.02 * 3.14 * i)), or
/// random keys; the default block is the kernel's full-size one. Throws UsageError.
Problem timed_problem(const Algorithm&, const RunSpec&);

}  // namespace bscope
