// The list of algorithms. Each kernel file registers itself here, once from the C++ compiler (CPU) and once
// from nvcc (GPU); nothing else writes to it. The app, which includes nothing of simt, has Algorithm, Family
// and Parameter from here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simt/algorithm.hpp"
#include "engine/simt/family.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/simt/schedule.hpp"

namespace bscope {

enum class Device;
struct GreyImage;
struct Problem;
struct RunSpec;
struct Trace;

/// All algorithms, by family in the order of `families`, and by source file within.
const std::vector<const Algorithm*>& catalog();
/// By name. Throws UsageError that names the nearest spellings.
const Algorithm& find(std::string_view name);
/// The text of a kernel source file as compiled in; empty if unknown.
std::string_view source_text(std::string_view path);

/// The same request with what its input file holds: it needs that file no more. An image of more pixels than
/// are taken one by one is scaled. Throws UsageError.
RunSpec with_input_read(RunSpec);
/// The request's image as it is counted: scaled to at most `n` pixels if that is given. It must have one.
GreyImage counted_image(const RunSpec&);
/// Entropies that keys can be asked for, relative to uniform ones: 1, 0.811, 0.544, 0.337, 0.201, 0. The k-th
/// joins k more random words by AND (NVBench's histogram axis).
const std::vector<double>& key_entropies();
/// Numbers of an input file. Throws UsageError: missing, empty, binary, too large, or not a number (line
/// named).
std::vector<double> read_numbers(const std::string& path);
/// The legal block sizes of an algorithm, smallest first: 1..most_block or the powers of two.
std::vector<int> legal_blocks(const Algorithm&);

/// Runs the algorithm traced and fills in everything a Trace holds: kernel, parameters, sources, property,
/// expected, formulas. With Schedule::automatic the CPU runs to_barrier first and, if `order_matters` says so
/// of that trace (analysis: order_matters), again in lockstep. Throws NoDevice, UsageError.
Trace run(const Algorithm&, const Problem&, Device, const Schedule& = {},
          const std::function<bool(const Trace&)>& order_matters = {});

}  // namespace bscope
