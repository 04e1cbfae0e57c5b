// cuRAND's host API. How numbers lie in memory is documented ("Host API Overview", Order): the n-th number of
// XORWOW is number n / 4096 of sequence n % 4096; Philox takes four numbers of each of 65536 sequences in
// turn.
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/cuda/machine/random_sequences.hpp"
#include "engine/cuda/machine/special_functions.hpp"
#include "engine/cuda/runtime/host_library_call.hpp"

#pragma GCC visibility push(default)
#include "engine/cuda/include/barrierscope/curand_api.h"
#pragma GCC visibility pop

using namespace bscope::cuda;

namespace {
constexpr float step = 2.3283064e-10F, turn = step * 6.2831855F;  // 2^-32
constexpr double fine_step = 1.1102230246251565e-16;              // 2^-53

float share(uint32_t x) { return std::fma(float(x), step, step / 2); }
double share(uint32_t low, uint32_t high) {
  return std::fma(double(low ^ (uint64_t(high) << 21)), fine_step, fine_step / 2);
}
struct Normals {
  double first, second;
};
Normals normals(uint32_t x, uint32_t y) {
  const float length = std::sqrt(-2.0F * std::log(share(x))), angle = std::fma(float(y), turn, turn / 2);
  return {length * std::sin(angle), length * std::cos(angle)};
}
Normals normals(uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
  const double length = std::sqrt(-2.0 * std::log(share(x, y)));
  const double half_turns = std::fma(double(z ^ (uint64_t(w) << 21)), fine_step * 2, fine_step);
  return {length * sine_of_half_turns(half_turns), length * cosine_of_half_turns(half_turns)};
}

/// A generator's sequences, and which of them comes next.
class Sequences {
 public:
  Sequences() = default;
  Sequences(const Sequences&) = delete;
  virtual ~Sequences() = default;
  /// The next four numbers of the sequence whose turn it is: so many of them are used, then it is the next
  /// one's turn.
  virtual std::array<uint32_t, 4> take(int used) = 0;
  /// Numbers of a sequence that lie side by side in memory.
  virtual int side_by_side() const = 0;
};

class XorwowSequences : public Sequences {
 public:
  XorwowSequences(uint64_t seed, uint64_t offset)
      : newest_(seed), offset_(offset), turn_(size_t(offset % count)) {
    all_.reserve(count);
  }
  std::array<uint32_t, 4> take(int used) override {
    while (all_.size() <= turn_) {
      if (!all_.empty()) newest_.skip_sequences(1);
      all_.push_back(newest_);
      all_.back().skip(offset_ / count + (all_.size() - 1 < offset_ % count));
    }
    std::array<uint32_t, 4> numbers = {};
    for (int k = 0; k < used; ++k) numbers[size_t(k)] = all_[turn_].next();
    turn_ = (turn_ + 1) % count;
    return numbers;
  }
  int side_by_side() const override { return 1; }

 private:
  static constexpr size_t count = 4096;
  Xorwow newest_;
  uint64_t offset_;
  size_t turn_;
  std::vector<Xorwow> all_;
};

class PhiloxSequences : public Sequences {
 public:
  PhiloxSequences(uint64_t seed, uint64_t offset)
      : key_{uint32_t(seed), uint32_t(seed >> 32)}, turn_(offset / 4 % count), blocks_(count) {
    for (size_t k = 0; k < count; ++k) blocks_[k] = offset / 4 / count + (k < turn_);
  }
  std::array<uint32_t, 4> take(int used) override {
    const uint64_t block = blocks_[turn_] + (taken_ ? 1 : 0);
    const auto numbers = philox({uint32_t(block), uint32_t(block >> 32), uint32_t(turn_), 0}, key_);
    // two halves of a double's pair come from one sequence
    if (used > 4 && !std::exchange(taken_, !taken_)) return numbers;
    blocks_[turn_] = block + 1;
    turn_ = (turn_ + 1) % count;
    return numbers;
  }
  int side_by_side() const override { return 4; }

 private:
  static constexpr size_t count = 65536;
  std::array<uint32_t, 2> key_;
  size_t turn_;
  bool taken_ = false;
  std::vector<uint64_t> blocks_;
};
}  // namespace

struct curandGenerator_st {
  curandRngType_t type;
  bool for_host;
  uint64_t seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  std::unique_ptr<Sequences> sequences = {};

  Sequences& ready() {
    if (!sequences && type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
      sequences = std::make_unique<PhiloxSequences>(seed, offset);
    else if (!sequences)
      sequences = std::make_unique<XorwowSequences>(seed, offset);
    return *sequences;
  }
};

namespace {
const char* name_of(curandRngType_t type) {
  switch (type) {
    case CURAND_RNG_PSEUDO_MRG32K3A: return "CURAND_RNG_PSEUDO_MRG32K3A";
    case CURAND_RNG_PSEUDO_MTGP32: return "CURAND_RNG_PSEUDO_MTGP32";
    case CURAND_RNG_PSEUDO_MT19937: return "CURAND_RNG_PSEUDO_MT19937";
    default: return "CURAND_RNG_QUASI_DEFAULT";
  }
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool for_host) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
    __bscope_missing("cuRAND", name_of(type));
  if (!generator) return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st{.type = type, .for_host = for_host};
  return CURAND_STATUS_SUCCESS;
}

/// Puts what `make` adds to the numbers, again and again, where the generator puts its numbers.
template <class T, class Make>
curandStatus_t generate(curandGenerator_t g, const char* name, T* to, size_t count, Make make) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  std::vector<T> numbers;
  numbers.reserve(count + 4);
  while (numbers.size() < count) make(g->ready(), numbers);
  numbers.resize(count);
  if (g->for_host) {
    std::ranges::copy(numbers, to);
    return CURAND_STATUS_SUCCESS;
  }
  bool good = true;
  const cudaError_t error = api([&](Runtime& runtime) {
    HostLibraryCall call(runtime, name, g->stream);
    call.write(to, std::span<const T>(numbers));
    good = call.good();
    return cudaSuccess;
  });
  return good && error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class Put>
curandStatus_t generate_normal(curandGenerator_t g, const char* name, float* to, size_t count, Put put) {
  if (count % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(g, name, to, count, [&](Sequences& s, std::vector<float>& all) {
    const auto x = s.take(s.side_by_side() == 4 ? 4 : 2);
    const auto add = [&](Normals n) {
      all.push_back(put(float(n.first)));
      all.push_back(put(float(n.second)));
    };
    add(normals(x[0], x[1]));
    if (s.side_by_side() == 4) add(normals(x[2], x[3]));
  });
}
template <class Put>
curandStatus_t generate_normal(curandGenerator_t g, const char* name, double* to, size_t count, Put put) {
  if (count % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(g, name, to, count, [&](Sequences& s, std::vector<double>& all) {
    for (int k = 0; k < (s.side_by_side() == 4 ? 2 : 1); ++k) {
      const auto x = s.take(s.side_by_side() == 4 ? 8 : 4);
      const Normals n = normals(x[0], x[1], x[2], x[3]);
      all.push_back(put(n.first));
      all.push_back(put(n.second));
    }
  });
}
}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  delete g;
  return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGetVersion(int* version) {
  constexpr int ours = 10300;
  *version = ours;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  g->seed = seed;
  g->sequences.reset();
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  g->offset = offset;
  g->sequences.reset();
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t ordering) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (ordering == CURAND_ORDERING_PSEUDO_SEEDED) __bscope_missing("cuRAND", "CURAND_ORDERING_PSEUDO_SEEDED");
  if (ordering == CURAND_ORDERING_PSEUDO_DYNAMIC)
    __bscope_missing("cuRAND", "CURAND_ORDERING_PSEUDO_DYNAMIC");
  return ordering == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_OUT_OF_RANGE : CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
  return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* to, size_t count) {
  return generate(g, "curandGenerate", to, count, [](Sequences& s, std::vector<unsigned>& all) {
    const auto x = s.take(s.side_by_side());
    all.insert(all.end(), x.begin(), x.begin() + s.side_by_side());
  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float* to, size_t count) {
  return generate(g, "curandGenerateUniform", to, count, [](Sequences& s, std::vector<float>& all) {
    const auto x = s.take(s.side_by_side());
    for (int k = 0; k < s.side_by_side(); ++k) all.push_back(share(x[size_t(k)]));
  });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* to, size_t count) {
  return generate(g, "curandGenerateUniformDouble", to, count, [](Sequences& s, std::vector<double>& all) {
    if (s.side_by_side() == 1) {
      const auto x = s.take(2);
      all.push_back(share(x[0], x[1]));
      return;
    }
    for (int k = 0; k < 2; ++k) {
      const auto x = s.take(8);
      all.push_back(share(x[0], x[1]));
      all.push_back(share(x[2], x[3]));
    }
  });
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float* to, size_t count, float mean,
                                    float deviation) {
  return generate_normal(g, "curandGenerateNormal", to, count,
                         [=](float v) { return std::fma(deviation, v, mean); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* to, size_t count, double mean,
                                          double deviation) {
  return generate_normal(g, "curandGenerateNormalDouble", to, count,
                         [=](double v) { return std::fma(deviation, v, mean); });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* to, size_t count, float mean,
                                       float deviation) {
  return generate_normal(g, "curandGenerateLogNormal", to, count,
                         [=](float v) { return std::exp(std::fma(deviation, v, mean)); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* to, size_t count, double mean,
                                             double deviation) {
  return generate_normal(g, "curandGenerateLogNormalDouble", to, count,
                         [=](double v) { return std::exp(std::fma(deviation, v, mean)); });
}
