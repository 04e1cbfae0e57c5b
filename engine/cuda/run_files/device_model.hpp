// The device that is played: limits and figures of a GPU, by its compute capability. Without a choice it is a
// small fictitious one, so that programs which ask make grids that can be watched.
#pragma once

#include <string_view>

namespace bscope::cuda {

struct DeviceModel {
  std::string_view name = "";     ///< "sm_90"; empty: the fictitious one
  std::string_view product = "";  ///< a GPU of that capability, whose figures these are
  int major = 7, minor = 0;
  int multiprocessors = 2, threads_of_multiprocessor = 2048, blocks_of_multiprocessor = 32;
  int shared_of_multiprocessor = 98304, most_shared_of_block = 232448, reserved_shared = 0;  ///< bytes
  int clock_khz = 1'000'000, memory_clock_khz = 1'000'000, memory_bus_bits = 256, l2_bytes = 4 << 20;
  bool has_clusters = true;

  int capability() const { return 10 * major + minor; }
};

/// Limits from the table "Technical Specifications per Compute Capability" of the CUDA C++ Programming Guide;
/// multiprocessors, clocks and caches from the vendor's data sheets of one product each.
inline constexpr DeviceModel device_models[] = {
    {},
    {"sm_75", "T4", 7, 5, 40, 1024, 16, 65536, 65536, 0, 1'590'000, 5'001'000, 256, 4 << 20, false},
    {"sm_80", "A100", 8, 0, 108, 2048, 32, 167936, 166912, 1024, 1'410'000, 1'215'000, 5120, 40 << 20, false},
    {"sm_86", "RTX 3090", 8, 6, 82, 1536, 16, 102400, 101376, 1024, 1'695'000, 9'751'000, 384, 6 << 20,
     false},
    {"sm_89", "RTX 4090", 8, 9, 128, 1536, 24, 102400, 101376, 1024, 2'520'000, 10'501'000, 384, 72 << 20,
     false},
    {"sm_90", "H100", 9, 0, 132, 2048, 32, 233472, 232448, 1024, 1'980'000, 2'619'000, 5120, 50 << 20, true},
    {"sm_120", "RTX 5090", 12, 0, 170, 1536, 24, 102400, 101376, 1024, 2'407'000, 14'001'000, 512, 96 << 20,
     true},
};

/// The one that is played where none is chosen.
constexpr const DeviceModel& default_device_model() { return device_models[0]; }
/// By its name; nullptr: there is none of that name.
constexpr const DeviceModel* device_model(std::string_view name) {
  for (const DeviceModel& m : device_models)
    if (m.name == name) return &m;
  return nullptr;
}

}  // namespace bscope::cuda
