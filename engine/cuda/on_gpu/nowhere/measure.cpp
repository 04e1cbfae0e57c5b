// Where no program can be started, as in a browser: launches are timed elsewhere.
#include "engine/cuda/on_gpu/measure.hpp"

#include "engine/simt/device.hpp"
#include "engine/timing/meter.hpp"

namespace bscope::cuda {

GpuTools GpuTools::of_this_machine() { return {}; }

MeasuredInPlace measure_in_place(const Program&, const GpuTools&, const InPlaceOptions&) {
  throw NoDevice(message("no CUDA device: a browser can run nothing on a GPU"));
}

}  // namespace bscope::cuda
