// What a run is asked for: the kernel, its elements, its parameters, the device, and the schedule
// (engine/simt/schedule.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/image.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {

/// Where a run is traced.
enum class Device { cpu, gpu };

/// What a user asked for, before defaults.
struct RunSpec {
  std::string kernel = {};
  std::optional<long long> n = {};
  std::optional<std::vector<double>> values = {};
  /// Numbers separated by white space or commas, # starts a comment; or, for histograms, a PNG or JPEG image,
  /// scaled to at most `n` pixels if that is given.
  std::string input_file = {};
  /// An image that was read already, scaled as one in a file.
  std::optional<GreyImage> image = {};
  /// The name of the values or the image: the file that they came in. The run does not depend on it.
  std::string input_name = {};
  /// ones|ramp|random|sine|skewed, for histograms also zipf|entropy; empty: random (timed numbers: sine)
  std::string pattern = {};
  uint32_t seed = 1;
  std::optional<double> skew = {};     ///< 0 uniform .. 1 one key (histograms); share of the favourite
  std::optional<double> entropy = {};  ///< one of key_entropies(), as NVBench's axis (histograms)
  std::optional<long long> block = {};
  std::vector<std::pair<std::string, std::string>> set = {};
  std::string preset = {};
  bool operator==(const RunSpec&) const = default;
  /// Its members: sessions, links, the command line, sweeps and lessons follow from this list.
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("kernel", r.kernel);
    visit("n", r.n, Field{.value = "N", .help = "Number of elements", .input = true, .omit_empty = true});
    visit("values", r.values,
          Field{.value = "3,1,7,...", .help = "The elements themselves", .input = true, .omit_empty = true});
    visit("input", r.input_file,
          Field{.value = "FILE",
                .help = "A file of numbers (- for stdin), or an image for histograms",
                .if_empty = "--input needs the name of a file",
                .input = true,
                .linked = false,
                .omit_empty = true});
    visit("image", r.image, Field{.input = true, .omit_empty = true});
    visit("input_name", r.input_name, Field{.input = true, .omit_empty = true});
    visit("pattern", r.pattern,
          Field{.value = "P",
                .help = "ones, ramp, random, sine or skewed; of keys also zipf or entropy",
                .input = true,
                .omit_empty = true,
                .among = {"ones", "ramp", "random", "sine", "skewed", "zipf", "entropy"}});
    visit("seed", r.seed, Field{.value = "S", .help = "Of random patterns", .input = true});
    visit(
        "skew", r.skew,
        Field{.value = "X", .help = "Share of the favourite key, 0 to 1", .input = true, .omit_empty = true});
    visit("entropy", r.entropy,
          Field{.value = "E",
                .help = "Of keys: 1 (uniform), 0.811, 0.544, 0.337, 0.201 or 0 (one key)",
                .input = true,
                .omit_empty = true});
    visit("block", r.block, Field{.value = "B", .help = "Threads a block", .omit_empty = true});
    visit("set", r.set, Field{.value = "NAME=VALUE", .help = "A parameter of the kernel; may be repeated"});
    visit("preset", r.preset,
          Field{.value = "NAME",
                .help = "A set-up by name, see `list`",
                .if_empty = "--preset needs a name: `barrierscope list` shows them",
                .input = true,
                .omit_empty = true});
  }
};
/// Whether the one request takes its elements from where the other does.
bool same_input(const RunSpec&, const RunSpec&);
/// The request with the elements of another.
RunSpec with_input_of(RunSpec, const RunSpec& other);

}  // namespace bscope
