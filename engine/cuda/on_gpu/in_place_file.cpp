// barrierscope.in_place/1: written and read.
#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/timing/recorded_json.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

constexpr const char* format_name = "barrierscope.in_place/1";
constexpr size_t largest_file = size_t(64) << 20, most_kernels = 10'000;

}  // namespace

std::string to_json(const InPlace& p) { return recorded_text(format_name, p, "kernels"); }

bool is_in_place(std::string_view json) {
  return json.substr(0, 200).find(format_name) != std::string_view::npos;
}

InPlace read_in_place(std::string_view text, const std::string& name) {
  const Message again = message("measure again with `barrierscope time FILE.cu -o FILE.json`");
  auto p = recorded_in<InPlace>(text, name, format_name, again);
  if (p.kernels.size() > most_kernels) p.kernels.resize(most_kernels);
  for (TimedKernel& k : p.kernels) {
    if (k.samples.empty()) throw BadFile(message("{}: a kernel has no samples: {}", name, again));
    k.seconds = summarise(k.samples);
  }
  const std::string output = p.output;  // as it was printed
  for_each_text(p, [](std::string& one) { one = as_shown(one); });
  p.output = output;
  return p;
}

InPlace load_in_place(const std::filesystem::path& path) {
  return read_in_place(as_text(read_file(path, largest_file), path.string()), path.string());
}

void save_in_place(const InPlace& p, const std::filesystem::path& path) { write_whole(path, to_json(p)); }

}  // namespace bscope::cuda
