// One numbering of steps, launches and barriers on screen: the first is 1. Whatever is read says
// them through these; threads, blocks, lanes, banks and cells count from 0, as CUDA does, and so do JSON and
// `--step`.
#pragma once

#include <optional>
#include <string>

namespace bscope {

struct Trace;

/// Of an interval of a block, or of any list of steps.
constexpr int step_number(int interval) { return interval + 1; }
/// Of a launch of the run, by its place in Trace::launches: the student's kernels are counted. What changed
/// memory between two launches has the number of the launch before it, and is not shown by a number.
int launch_number(const Trace&, int launch);
/// Of a launch by its place in a list that holds launches of kernels alone, as a timeline does.
constexpr int number_among_launches(int place) { return place + 1; }
/// How many kernels the run launched.
int launch_count(const Trace&);
/// The place in Trace::launches of the launch with that number; nothing: there is none.
std::optional<int> launch_at(const Trace&, long long number);

/// Of the barrier that ends an interval.
constexpr int barrier_number(int interval) { return interval + 1; }

/// 12345 as 12,345. Counts and lengths are written so; the values of cells, code and line numbers are not.
std::string grouped(long long);
/// The same of a parameter's value; what is no whole number stays as it is.
std::string grouped(const std::string& value);

}  // namespace bscope
