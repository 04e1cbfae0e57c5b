// What a traced run will take, judged before anything of it is made; and how much a run may take.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace bscope {

struct Algorithm;
struct Problem;
struct RunSpec;

/// Bytes that one traced run and its analyses may take: 2 GB by default (--max-memory).
double memory_limit();
void limit_memory(double bytes);
/// "1 byte", "512 KB", "2.5 GB".
std::string memory_text(double bytes);
/// So many events fit into the limit.
size_t most_events();

/// At most, as far as short runs tell.
struct Cost {
  double events = 0, bytes = 0;
};
/// Of a run of this problem, whose input may be said only (Problem::made): a few beginnings of it, each some
/// tiles long, are run to the next barrier, and what they take is drawn on. Takes some milliseconds and
/// little memory, whatever the length.
Cost expected_cost(const Algorithm&, const Problem&);

/// So many events a run of the request will make at most; 0: few. Judged without making its input. Throws
/// UsageError as make_problem does.
double expected_events(const Algorithm&, const RunSpec&);

/// The problem of the same request at another length (its block may depend on it), input said or held.
using AtLength = std::function<Problem(long long n)>;
/// What a run of length n will take; nothing for one that is too short to be judged. Throws UsageError, which
/// names the largest length that goes, if it would be more than the limit.
Cost cost_or_refusal(const Algorithm&, long long n, const AtLength&);

}  // namespace bscope
