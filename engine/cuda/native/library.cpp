#include "engine/cuda/native/library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace bscope::cuda {

NativeLibrary::NativeLibrary(const std::filesystem::path& file)
    : library_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!library_) throw std::runtime_error(::dlerror());
  entry_ = reinterpret_cast<Entry>(::dlsym(library_, "bscope_kernel"));
  if (entry_) return;
  ::dlclose(library_);
  throw std::runtime_error(file.string() + " has no kernel");
}

NativeLibrary::~NativeLibrary() { ::dlclose(library_); }

void NativeLibrary::clear_stack() {}  // it is the thread's own

}  // namespace bscope::cuda
