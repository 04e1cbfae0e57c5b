// Made-up inputs that teach: small numbers that can be read from the last row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bscope {

struct MadeInput;
struct Problem;

/// ones, ramp, random, sine, skewed.
const std::vector<std::string>& pattern_names();
/// The pattern of a timed problem (timed_problem); empty for values that were given.
std::string pattern_of(const Problem&);
/// zipf and entropy: of keys alone, so for histograms.
bool is_pattern_of_keys(const std::string& name);
/// n values of a pattern; empty if there is none of that name. The same seed gives the same values
/// everywhere.
std::vector<double> value_pattern(const std::string& name, int n, uint32_t seed);
/// n keys in 0..bins-1. `skew` is the share of the favourite key in the skewed pattern.
std::vector<double> key_pattern(const std::string& name, int n, uint32_t seed, int bins, double skew);
/// A trace's input for what was said: one of the patterns above, or keys by zipf or entropy. At most 2^31 - 1
/// values.
std::vector<double> taught_values(const MadeInput&);

}  // namespace bscope
