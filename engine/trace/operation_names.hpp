// The name of each operation in each dialect: sentences for users contain them.
#pragma once

#include <string>

#include "engine/trace/trace.hpp"

namespace bscope {

/// The name of an operation in the source: "sync" or "__syncthreads()".
std::string operation_name(Dialect, Op);
/// How it is called there: "t.sync()" or "__syncthreads()".
std::string call(Dialect, Op);
/// A block's barrier in a sentence: "a barrier" or "__syncthreads()".
std::string a_barrier(Dialect);

}  // namespace bscope
