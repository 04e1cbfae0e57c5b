#ifdef __wasm__
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "engine/simt/cpu_fiber.hpp"

extern "C" {
// What the pass puts into the program.
[[clang::import_module("asyncify"), clang::import_name("start_unwind")]] void bscope_start_unwind(void*);
[[clang::import_module("asyncify"), clang::import_name("stop_unwind")]] void bscope_stop_unwind();
[[clang::import_module("asyncify"), clang::import_name("start_rewind")]] void bscope_start_rewind(void*);
[[clang::import_module("asyncify"), clang::import_name("stop_rewind")]] void bscope_stop_rewind();
// Of emscripten's compiler-rt.
void* stackSave();
void stackRestore(void*);
}

namespace bscope::fiber {
namespace {

constexpr uint64_t untouched = 0x62736370'66696272;

struct {
  Fiber* running = nullptr;
  Next next;
  bool unwinding = false, rewinding = false;
} now;

[[noreturn]] void overrun() {
  std::fputs("A thread of this kernel keeps more on its stack than there is room for in a browser.\n",
             stderr);
  std::abort();
}

}  // namespace

bool again() { return now.rewinding; }

void* make(char* stack, void (*run)(void*), Next (*end)(void*)) {
  auto* f = new (stack) Fiber{};
  f->top = stack + stack_bytes;
  f->run = run;
  f->end = end;
  f->canary = reinterpret_cast<uint64_t*>(stack + frames_bytes);
  *f->canary = untouched;
  return f;
}

// Called twice: to leave, and, when all that called it has been gone through again, to be back.
[[gnu::noinline]] void leave(void*&, Next next) {
  if (now.rewinding) {
    now.rewinding = false;
    bscope_stop_rewind();
    return;
  }
  now.next = next;
  Fiber& f = *now.running;
  if (*f.canary != untouched) overrun();
  f.at = stackSave();
  f.asleep = true;
  now.unwinding = true;
  bscope_start_unwind(&f);
}

[[gnu::noinline]] void run(Next first) {
  void* const own = stackSave();
  now.next = first;
  while (now.next.fiber) {
    const Next next = now.next;
    Fiber& f = *static_cast<Fiber*>(next.fiber);
    now.running = &f;
    if (std::exchange(f.asleep, false)) {
      now.rewinding = true;
      stackRestore(f.at);
      bscope_start_rewind(&f);
    } else {
      f.frames = reinterpret_cast<char*>(&f + 1);
      f.frames_end = reinterpret_cast<char*>(f.canary);
      stackRestore(f.top);
    }
    f.run(next.data);
    if (now.unwinding) {
      now.unwinding = false;
      bscope_stop_unwind();
    } else {
      now.next = f.end(next.data);
    }
  }
  stackRestore(own);
}

}  // namespace bscope::fiber
#endif
