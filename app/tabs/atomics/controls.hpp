// What can be set on Atomics: the sliders' own input, the address and the lost key that are looked at.
#pragma once

#include <array>
#include <vector>

#include "app/session/control.hpp"

namespace bscope {

struct AtomicsLook;
struct LoadedState;

/// Skew (percent), blocks, threads a block, keys a thread (a power of two). Moving one makes an input of the
/// sliders' own, which begins where the shown one stands.
const std::vector<Control>& atomics_controls();
/// Where each of them stands in what is shown.
std::array<int, 4> stand_at(const AtomicsLook&);

/// The next address that anything was counted at, around the end; `by` is 1 or -1.
void next_address(LoadedState&, int by);
/// That address, from the time when all of it is done.
void look_at_address(LoadedState&, int address);
/// The lost key after this one, around the end, or before it.
void next_lost(LoadedState&, int by);

}  // namespace bscope
