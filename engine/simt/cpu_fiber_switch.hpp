// From one stack to another. On x86-64 by the few instructions that it takes, inlined into the function that
// leaves: no call and return lie on different stacks, so the processor goes on guessing where functions
// return to. Other processors go by Boost.Context, as this one does where BARRIERSCOPE_PORTABLE_FIBERS is
// defined.
#pragma once

#include <cstddef>

#if defined(__x86_64__) && !defined(BARRIERSCOPE_PORTABLE_FIBERS)

namespace bscope::fiber {

/// Switches to the context `to` and stores the way back in `from`; returns when a fiber switches there. A new
/// context is given `data`. Floating-point modes stay the OS thread's: kernels do not change them.
[[gnu::always_inline]] inline void change(void*& from, void* to, void* data) {
  void** place = &from;
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // what functions may keep below their stack's end
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rcx\n\t"
      "pushq %%rcx\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rsi, %%rsp\n\t"
      "popq %%rcx\n\t"
      "jmpq *%%rcx\n"
      "1:\tpopq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(place), "+S"(to), "+d"(data)
      :
      : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "memory", "cc");
}

/// Where a new context begins: its entry lies on the stack. No function called it.
[[gnu::naked, gnu::noinline]] inline void begin() {
  asm(".cfi_undefined rip\n\t"
      "movq %rdx, %rdi\n\t"
      "popq %rax\n\t"
      "callq *%rax\n\t"
      "ud2");
}

/// A context that calls entry(data) at the first change to it, on the stack below `top`. The entry never
/// returns.
inline void* new_context(char* top, size_t, void (*entry)(void*)) {
  auto** kept = reinterpret_cast<void**>(top - reinterpret_cast<size_t>(top) % 16) - 2;
  kept[0] = reinterpret_cast<void*>(begin);
  kept[1] = reinterpret_cast<void*>(entry);
  return kept;
}

}  // namespace bscope::fiber

#else

#include <boost/context/detail/fcontext.hpp>

namespace bscope::fiber {

/// A change on its way: what it carries, and where the context that it left belongs. Only the one it went to
/// can put it there.
struct ContextSwitch {
  void*& from;
  void* data;
  static void* arrive(boost::context::detail::transfer_t t) {
    const ContextSwitch& c = *static_cast<ContextSwitch*>(t.data);
    c.from = t.fctx;
    return c.data;
  }
};
inline void change(void*& from, void* to, void* data) {
  ContextSwitch c{from, data};
  ContextSwitch::arrive(boost::context::detail::jump_fcontext(to, &c));
}
template <class Entry>
void* new_context(char* top, size_t size, Entry) {
  return boost::context::detail::make_fcontext(
      top, size, [](boost::context::detail::transfer_t t) { Entry{}(ContextSwitch::arrive(t)); });
}

}  // namespace bscope::fiber

#endif
