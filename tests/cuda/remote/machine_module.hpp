// The machine's module as the program's library sees it: C alone, so that their two classes Machine do not
// meet.
#pragma once

#include <cstddef>

extern "C" {
/// Gets an answer's bytes, which are gone when it returns.
using bscope_take = void (*)(void* to, const std::byte* bytes, size_t length);
/// Asks a module: gives its answer to `take`.
using bscope_ask = void (*)(const std::byte* request, size_t length, bscope_take take, void* to);

/// What the machine asks the program by. To be called first.
void bscope_machine_begin(bscope_ask ask_back);
void bscope_machine_ask(const std::byte* request, size_t length, bscope_take take, void* to);
}
