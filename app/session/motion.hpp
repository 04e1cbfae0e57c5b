// How long the motion of a step takes.
#pragma once

namespace bscope {

/// Milliseconds of one step's motion at speed 1, and how long a landed step is held while playing.
inline constexpr float step_ms = 600, hold_ms = 500;
/// When its values leave the cells that they are read from.
inline constexpr float reading_ms = 60;
/// When a step's writes land, in the same milliseconds, and as a phase.
inline constexpr float landing_ms = 520, landing = landing_ms / step_ms;

}  // namespace bscope
