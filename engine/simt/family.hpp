// What the algorithms of one folder have in common: each family is declared once, and no code compares its
// name to know what it means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

struct Family {
  std::string name;         ///< reduce: the first part of its algorithms' names
  std::string title;        ///< of the whole family: "Reduction"
  std::string suffix = {};  ///< behind an algorithm's title, as in "Kogge-Stone scan"; may be empty
  bool listed = true;  ///< in the catalog; else it has lessons alone, or is to copy, to compile and to test
  int default_n = 16;  ///< elements of a trace, where the algorithm says nothing else
  bool takes_keys = false;  ///< keys of some bins, a byte each; else numbers
  int passes = 2;           ///< over the memory that any algorithm needs: reads once, or also writes as much
  /// What others do with the same job at full size: the CPU's baselines, CUB, Thrust, a copy or a read. Of
  /// `none` nothing is timed.
  enum class Job { none, sum, scan, count } job = Job::none;

  bool timed() const { return job != Job::none; }
};

/// Those that are known, in the order in which they are shown.
const std::vector<Family>& families();
/// By its name, or of an algorithm of it ("scan/blelloch"). An undeclared one has its name as title,
/// and is like the others in nothing.
Family family_of(std::string_view name);

}  // namespace bscope
