// Whether a program prints the same in two places. And where it does not, what differs.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "engine/trace/english_message.hpp"
#include "engine/trace/fields.hpp"

namespace bscope::cuda {

/// The first line that differs, from 1, and what either says there.
struct OutputDifference {
  int line = 0;
  std::string a, b;
  bool operator==(const OutputDifference&) const = default;
  template <class Self, class Visit>
  static void fields(Self& d, Visit&& visit) {
    visit("line", d.line);
    visit("a", d.a);
    visit("b", d.b);
  }
};

enum class Alike : uint8_t {
  same,
  rounded,    ///< but for the last digits of fractions: compilers fuse multiplications and additions
              ///< differently
  reordered,  ///< the same lines, in another order
  different
};
inline constexpr const char* names_of_alike[] = {"same", "rounded", "reordered", "different"};

struct Compared {
  Alike alike = Alike::same;
  OutputDifference first;  ///< where they are not the same
};
Compared compare_outputs(std::string_view a, std::string_view b);

/// The output on a GPU beside the one on the CPU.
struct OutputCheck {
  Alike alike = Alike::same;
  OutputDifference first;  ///< a: on the GPU, b: on the CPU
  int exit_gpu = 0, exit_cpu = 0;
  /// Why nothing follows from a difference, a sentence: the order of the threads decides, times are printed.
  /// Empty: it should print the same.
  EnglishMessage excuse;
  /// It should print the same, and does not.
  bool wrong() const {
    return excuse.empty() && (alike == Alike::different || alike == Alike::reordered || exit_gpu != exit_cpu);
  }
  template <class Self, class Visit>
  static void fields(Self& c, Visit&& visit) {
    visit("alike", c.alike,
          Field{.among = {std::begin(names_of_alike), std::end(names_of_alike)}, .required = true});
    visit("line", c.first.line);
    visit("on_gpu", c.first.a);
    visit("on_cpu", c.first.b);
    visit("exit_on_gpu", c.exit_gpu);
    visit("exit_on_cpu", c.exit_cpu);
    visit("excuse", c.excuse);
    bool is_wrong = c.wrong();
    visit("wrong", is_wrong, Field{.derived = true});
  }
};

}  // namespace bscope::cuda
