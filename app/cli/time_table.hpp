// What `time` measured, as text: tables and ratios.
#pragma once

#include <string>
#include <vector>

namespace bscope {

struct Ratio;
struct Recording;

/// Device, driver, date and what its memory reached: one line.
std::string heading(const Recording&);
/// A table of the records, family after family, shorter inputs first: columns that hold nothing are left out,
/// parameters are shown where they differ. Medians are of cold runs; `of CUB` (and, of TBB, `of one core`) is
/// how many times as fast, with the spread that the quartiles of both leave open.
std::string time_table(const Recording&);
/// One line for each family and input at its largest N: the fastest right kernel against CUB, Thrust and a
/// copy or a pure read of as many bytes, all with their spread; of CPU baselines TBB against one core.
std::string verdicts(const Recording&);

/// "12.34 us", "1.312 ms", "0.512 s"; empty for none.
std::string time_text(double seconds);
/// Four digits, as many behind the point as that leaves.
std::string four_digits(double);
/// "87.1%"; empty for none.
std::string share_text(double share);
/// "1.312 ± 0.004"; "-" for none.
std::string ratio_text(const Ratio&);

}  // namespace bscope
