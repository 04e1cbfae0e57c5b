// In a page a library is a module of WebAssembly in the machine's own memory
// (engine/cuda/worker/native_code.js).
#include "engine/cuda/native/library.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>

// engine/cuda/worker/library.js
extern "C" {
/// The kernel of that file; nullptr: it is no library.
bscope::cuda::NativeLibrary::Entry own_code_load_kernel(const char* file);
void own_code_unload_kernel(bscope::cuda::NativeLibrary::Entry);
void own_code_clear_stack();
}

extern "C" void __multi3();  // of compiler-rt: a product of 128 bits

namespace bscope::cuda {
namespace {

using Function = void (*)();
struct LibraryFunction {
  std::string_view name;
  Function function;
};

template <class F>
Function any(F* f) {
  return reinterpret_cast<Function>(f);
}
using OneDouble = double(double);
using OneFloat = float(float);
using TwoDoubles = double(double, double);
using TwoFloats = float(float, float);

/// What native code calls: the functions that the interpreter calls, too, so that both have the same last
/// bits.
const LibraryFunction library_functions[] = {
#define MATH_1(name) {#name, any<OneDouble>(::name)}, {#name "f", any<OneFloat>(::name##f)},
#define MATH_2(name) {#name, any<TwoDoubles>(::name)}, {#name "f", any<TwoFloats>(::name##f)},
#include "engine/cuda/native/library_functions.def"
    {"fma", any<double(double, double, double)>(::fma)},
    {"fmaf", any<float(float, float, float)>(::fmaf)},
    {"memcpy", any(::memcpy)},
    {"memmove", any(::memmove)},
    {"memset", any(::memset)},
    {"__multi3", any(::__multi3)},
};

}  // namespace

NativeLibrary::NativeLibrary(const std::filesystem::path& file)
    : entry_(::own_code_load_kernel(file.c_str())) {
  std::error_code ignored;
  std::filesystem::remove(file, ignored);  // files lie in the worker's memory
  if (!entry_) throw std::runtime_error(file.string() + " has no kernel");
}

NativeLibrary::~NativeLibrary() { ::own_code_unload_kernel(entry_); }

void NativeLibrary::clear_stack() { ::own_code_clear_stack(); }

}  // namespace bscope::cuda

/// A function that native code imports, as an index of the table; 0: there is none of that name.
extern "C" [[gnu::used, gnu::visibility("default")]] void (*native_function(const char* name))() {
  for (const bscope::cuda::LibraryFunction& f : bscope::cuda::library_functions)
    if (f.name == name) return f.function;
  return nullptr;
}
