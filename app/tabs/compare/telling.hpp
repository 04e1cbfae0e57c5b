// Two kernels may count the same on a short input: at which length they do not.
#pragma once

#include <optional>

#include "app/session/state.hpp"
#include "app/tabs/compare/picture.hpp"

namespace bscope {

/// Do both sides count the same in every scale, in as many steps?
bool counts_alike(const Comparison&);
/// The next power of two beyond the open run's length at which what Compare shows counts differently, on the
/// same kind of input; nothing where that is a file's, or up to 512.
std::optional<long long> telling_length(const State&, const Open& = open_target);
/// The open run with that length.
State with_open_length(State, long long n, Where, const Open& = open_target);

}  // namespace bscope
