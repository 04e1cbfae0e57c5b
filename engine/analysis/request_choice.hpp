// The requests of one moment: those of a kind of memory, the one that is looked at, the same one of another
// run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/analysis/moment.hpp"
#include "engine/analysis/requests.hpp"

namespace bscope {

struct Run;

enum class MemorySpace : uint8_t { shared, global };

/// What a request is known by: the node of its first lane's access.
int number_of(const WarpAccess&);
std::vector<const WarpAccess*> requests_at(const Run&, const Moment&, MemorySpace);
/// What is looked at: the request of that number, or else the one that wastes most. Null: there is none.
const WarpAccess* request_at(const Run&, const Moment&, MemorySpace, int number);
/// The same, those that waste most first (answers beyond the fewest), else in their order.
std::vector<const WarpAccess*> costliest_first(std::vector<const WarpAccess*>);
/// All that can be chosen in the interval: requests, then bulk copies, which waste nothing.
std::vector<int> numbers_at(const Run&, const Moment&, MemorySpace, bool by_cost = false);
/// The request of the whole run that wastes most, the first of several; null where none wastes anything.
const WarpAccess* worst_request(const Run&, MemorySpace);
/// Where a request is made.
Moment moment_of(const WarpAccess&);
/// The same request of a run of the same steps: the same op, array, warp and place in the interval; else
/// null.
const WarpAccess* same_request(const Run& of, const Moment& there, const WarpAccess&, const Run& in,
                               const Moment& here);
std::string array_name(const Run&, const WarpAccess&);

/// How often memory must answer in a whole run: all launches and blocks.
struct RequestSums {
  RequestTotals of_warps;
  long engine = 0, engine_ideal = 0;  ///< sectors that the copy engine moves, and the fewest that would do
  /// Of global memory, by warps and the copy engine; as the facts count them.
  long sectors() const { return of_warps.global_sectors + engine; }
  long ideal_sectors() const { return of_warps.global_sectors_ideal + engine_ideal; }
};
RequestSums request_sums(const Run&);

}  // namespace bscope
