// Registration before its time: a static constructor of the program uses CUDA before clang's own constructors
// have run.
#include <elf.h>
#include <link.h>

#include <utility>

#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {
namespace {

/// Calls the constructors that clang has added to each file of the program for its device code: they stand
/// behind the file's own in the list of what runs before main.
int call_registrations(dl_phdr_info* program, size_t, void*) {
  // NOLINTBEGIN(performance-no-int-to-ptr): addresses that the loader has filled in
  for (int k = 0; k < program->dlpi_phnum; ++k) {
    if (program->dlpi_phdr[k].p_type != PT_DYNAMIC) continue;
    using Constructor = void (*)(int, char**, char**);
    const Constructor* all = nullptr;
    size_t count = 0;
    for (auto* d = reinterpret_cast<const ElfW(Dyn)*>(program->dlpi_addr + program->dlpi_phdr[k].p_vaddr);
         d->d_tag != DT_NULL; ++d) {
      if (d->d_tag == DT_INIT_ARRAY)
        all = reinterpret_cast<const Constructor*>(program->dlpi_addr + d->d_un.d_ptr);
      if (d->d_tag == DT_INIT_ARRAYSZ) count = d->d_un.d_val / sizeof(Constructor);
    }
    for (size_t n = 0; all && n < count; ++n)
      if (symbol_at(reinterpret_cast<const void*>(all[n])) == "__cuda_module_ctor")
        all[n](0, nullptr, nullptr);
  }
  // NOLINTEND(performance-no-int-to-ptr)
  return 1;  // the first is the program; no other object has device code
}

}  // namespace

bool register_early() {
  static bool is_done = false;
  if (std::exchange(is_done, true)) return false;
  dl_iterate_phdr(call_registrations, nullptr);
  return true;
}

}  // namespace bscope::cuda
