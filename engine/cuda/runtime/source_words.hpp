// What the student has written in a line that the debug information names: the words for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/runtime/call_site.hpp"

namespace bscope::cuda {

/// The argument of that number in a call of `function` that begins in the line, as it is written there;
/// number -1: the last. Empty: there is no such call, or the source cannot be read.
std::string argument_of_call(const RuntimeSettings&, const HostLine&, std::string_view function, int number);
/// The stream that a launch in that line names; empty: none.
std::string stream_of_launch(const RuntimeSettings&, const HostLine&);
/// The variable in "&p", "(void**)&s.p"; empty: it is no such expression.
std::string variable_in_address(std::string_view argument);
/// The variable that memory which `function` allocates in that line goes to: "p" in cudaMalloc(&p, n), "v" in
/// thrust::device_vector<int> v(n) and in v = f(n). Empty: not known.
std::string variable_of_allocation(const RuntimeSettings&, const HostLine&, std::string_view function);
/// "int", of a thrust::device_vector<int> in that line; empty: there is none.
std::string element_of_vector(const RuntimeSettings&, const HostLine&);
/// Whether that line's file declares the variable as a void*.
bool is_untyped(const RuntimeSettings&, const HostLine&, const std::string& variable);
/// Whether it is a variable, a member or an element: what a message can name.
bool is_name(std::string_view);

/// The first line of the student's files that holds all of these words; line 0: there is none.
HostLine line_with(const RuntimeSettings&, const std::vector<std::string>& words);

}  // namespace bscope::cuda
