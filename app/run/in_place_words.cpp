#include "app/run/in_place_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/words/words.hpp"
#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/cuda/on_gpu/output_check.hpp"

namespace bscope {
namespace {

using cuda::Alike;
using cuda::InPlace;
using cuda::OutputCheck;

std::string lines_that_differ(const cuda::OutputDifference& d) {
  return tr("line {}: \"{}\" on the GPU, \"{}\" on the CPU", d.line, d.a, d.b);
}

std::string what_it_prints(const OutputCheck& c) {
  if (c.exit_gpu != c.exit_cpu)
    return tr("It ends with exit code {} on the GPU, and with {} on the CPU", c.exit_gpu, c.exit_cpu);
  switch (c.alike) {
    case Alike::same: return tr("It prints the same on the GPU as on the CPU");
    case Alike::rounded:
      return tr("It prints the same on the GPU as on the CPU but for rounding, first in {}",
                lines_that_differ(c.first));
    case Alike::reordered:
      return tr("It prints the same lines on the GPU as on the CPU, in another order, first in {}",
                lines_that_differ(c.first));
    case Alike::different: break;
  }
  return tr("It prints something else on the GPU than on the CPU, first in {}", lines_that_differ(c.first));
}

}  // namespace

std::string extent_text(const std::array<uint64_t, 3>& e) {
  std::string text = fmt::format("{}", e[0]);
  if (e[1] > 1 || e[2] > 1) text += fmt::format(" x {}", e[1]);
  if (e[2] > 1) text += fmt::format(" x {}", e[2]);
  return text;
}

std::string output_sentence(const InPlace& p) {
  if (!p.check) return {};
  const std::string what = what_it_prints(*p.check);
  const bool differs = p.check->alike != Alike::same || p.check->exit_gpu != p.check->exit_cpu;
  const bool excused = differs && !p.check->excuse.empty();
  return excused ? tr("{}. That is not judged: {}.", what, tr(p.check->excuse)) : what + tr(".");
}

std::vector<std::string> sentences_of(const InPlace& p) {
  std::vector<std::string> all;
  if (!p.ended.empty()) all.push_back(tr(p.ended) + tr("."));
  if (p.ended.empty() && p.exit != 0 && !p.check) all.push_back(tr("It ended with exit code {}.", p.exit));
  if (std::string output = output_sentence(p); !output.empty()) all.push_back(std::move(output));
  const auto counted = [](const cuda::TimedKernel& k) { return k.bytes > 0; };
  if (std::ranges::any_of(p.kernels, counted))
    all.push_back(
        tr("GB/s: bytes that must be moved, each cell once, as its trace counts them; fetched: the sectors "
           "that warps ask for, beside that."));
  if (std::ranges::any_of(p.kernels, &cuda::TimedKernel::estimated))
    all.push_back(tr("~: of a launch or an array that is traced in part, worked out from its beginning."));
  if (p.check && !std::ranges::all_of(p.kernels, counted))
    all.push_back(tr("What is not traced has no GB/s: a smaller run (--const) is."));
  const auto fastest =
      std::ranges::min_element(p.kernels, {}, [](const auto& k) { return k.seconds.median; });
  if (p.empty_seconds > 0 && fastest != p.kernels.end() && fastest->seconds.median < 4 * p.empty_seconds)
    all.push_back(
        tr("A kernel that does nothing takes {} us when it is timed like this: what takes little more says "
           "nothing of "
           "its memory, so measure a larger problem, too.",
           fmt::format("{:.2f}", p.empty_seconds * 1e6)));
  else if (p.empty_seconds > 0)
    all.push_back(
        tr("A kernel that does nothing takes {} us when it is timed like this: so much is in every time.",
           fmt::format("{:.2f}", p.empty_seconds * 1e6)));
  return all;
}

}  // namespace bscope
