#include "engine/simt/cpu_program.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
inline namespace on_cpu {
namespace {
constexpr std::align_val_t alignment{256};  // as cudaMalloc's
}

std::string key_of_form(const char* name) {
  constexpr std::string_view before = "run_untracedI", after = "EE";
  const std::string_view all = name;
  const size_t at = all.find(before);
  if (at == std::string_view::npos || !all.ends_with(after)) return {};
  return std::string(all.substr(at + before.size(), all.size() - at - before.size() - after.size()));
}

Gpu::~Gpu() {
  for (void* p : memory_) ::operator delete(p, alignment);
}

void* Gpu::allocate(const char* name, int n, ElementType kind, const void* values) {
  if (trace.arrays.size() >= first_shared)
    throw UsageError(
        message("A program has at most {} global arrays and {} is one too many: use a larger --block or a "
                "smaller --n.",
                first_shared, name));
  if (n < 0) throw std::length_error(std::string("array ") + name + " of negative size");
  const size_t bytes = size_t(n) * size_t(bytes_of(kind));
  ArrayInfo info{name, kind, n, 0, std::vector<std::byte>(bytes)};
  if (values && bytes) memcpy(info.initial.data(), values, bytes);
  memory_.reserve(memory_.size() + 1);
  trace.arrays.push_back(std::move(info));
  // A little more than asked for, so that an array of no elements has an address too.
  memory_.push_back(::operator new(bytes + 16, alignment));
  if (bytes) memcpy(memory_.back(), trace.arrays.back().initial.data(), bytes);
  return memory_.back();
}

void Gpu::run(const char* name, LaunchShape shape, const char* file, std::function<void(CpuThread&)> kernel) {
  if (shape.grid < 1 || shape.block < 1 || shape.block > 1024)
    throw std::length_error("launch " + std::string(name) + " of " + std::to_string(shape.grid) +
                            " blocks of " + std::to_string(shape.block) + " threads");
  size_t source = 0;
  while (source < trace.sources.size() && trace.sources[source].path != file) ++source;
  if (source == trace.sources.size()) trace.sources.push_back({file, ""});

  Launch& l = trace.launches.emplace_back();
  l.name = name;
  l.source = int(source);
  l.grid = shape.grid;
  l.block = shape.block;
  Schedule schedule = within(schedule_, file);
  if (shape.together) schedule.resident_blocks = std::max(schedule.resident_blocks, shape.grid);
  Executor::here().run(l, int(trace.launches.size()) - 1, trace.findings, trace.arrays, schedule,
                       std::move(kernel));
  for (size_t k = 0; k < memory_.size(); ++k) {
    const auto* begin = static_cast<const std::byte*>(memory_[k]);
    l.after.emplace_back(begin, begin + trace.arrays[k].initial.size());
  }
}

}  // namespace on_cpu
}  // namespace bscope
