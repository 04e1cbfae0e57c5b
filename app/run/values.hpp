// How values, operators and phases are written.
#pragma once

#include <cstdint>
#include <string>

#include "engine/trace/trace.hpp"

namespace bscope {

struct ArrayState;
struct Interval;

/// The phase that a step is in, by name; a launch that names no phases goes by its own name.
std::string phase_name(const Trace&, const Interval&);
/// The same of a phase by its name in the trace.
std::string phase_name(const Trace&, const Launch&, const std::string& phase);
/// The same as a title: "Up-sweep". A kernel of a user's program keeps its name: "reduce".
std::string phase_title(const Trace&, const Interval&);
/// Which of a phase's steps this is: "Doubling, step 2 of 8". A phase of one step is its title alone.
/// `index`: from 0. `future`: how many there are may be shown.
std::string step_of_phase(const std::string& title, int index, int count, bool future);
/// A value in about three characters: 18k, 1M, 0.5, 120k; maps are longer and become "...".
std::string brief(double);
std::string brief(const ArrayState&, int cell);
/// A whole value: integers exactly, others with at most six digits.
std::string value_text(const ArrayState&, int cell);
std::string value_text(ElementType, uint64_t bits);
/// The same of a value that a double holds, exactly: the shortest text that reads back.
std::string exact_text(ElementType, double);
/// The sign of an arrow's operator: +, -, =, min ...
std::string sign(const std::string& op);

}  // namespace bscope
