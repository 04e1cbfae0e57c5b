// What a record is of, for code that shows or compares records: a kernel, a reference, a limit; and its data.
#pragma once

#include <string>

#include "engine/timing/recording.hpp"

namespace bscope {

/// Measured on a CPU, serially and with TBB; else on a GPU.
bool is_of_cpu(const Recording&);
/// When it was measured: 2026-11-22.
std::string day_of(const Recording&);
/// copy/FAMILY or read/FAMILY: what the memory allows, with nothing computed.
bool is_limit(const Record&);
/// cub/FAMILY or thrust/FAMILY.
bool is_reference(const Record&);
/// serial/FAMILY or tbb/FAMILY: what a CPU does with the same job.
bool is_baseline(const Record&);
/// Over several GPUs, or of that series' first point: its exchange costs one GPU too.
bool is_of_several(const Record&);
/// The share of the favourite key that was asked for, the entropy's or pattern's name: "skew 0.5", "entropy
/// 0.337", "one key", "zipf"; "uniform" when the data are the family's usual ones.
std::string keys_of(const Record&);
/// From 0 for uniform data to 1 for one key: an order to show them in, no measure.
double unevenness(const std::string& keys);
/// One GPU on the family's usual data: what a curve over N is made of.
bool is_usual(const Record&);

/// "NVIDIA H200" as H200: what fits beside a curve.
std::string short_device(const std::string&);

}  // namespace bscope
