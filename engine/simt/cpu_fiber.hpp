// One step below the executor: fibers, on stacks of their own or, in WebAssembly, without. Both kinds have
//   Stacks          whose guarded(k) is the k-th stack; throws std::bad_alloc;
//   make<Body>(stack, k)  the k-th fiber, not yet started. Entered with some data, it calls Body::run(data),
//   then goes on
//                   with what Body::end(data) says, and so on: one launch after another on the same stack.
//                   Body::fiber(data) is the place where the fiber itself is kept;
//   run(next)       from outside: returns when a fiber leaves without a next one;
//   leave(fiber, next)  from within the fiber kept there: comes back when another goes on with it;
//   again()         whether Body::run is only repeated, to where the fiber left (in WebAssembly only).
#pragma once

#ifdef __wasm__
#include "engine/simt/cpu_fiber_wasm.hpp"
#else
#include "engine/simt/cpu_fiber_native.hpp"
#endif
