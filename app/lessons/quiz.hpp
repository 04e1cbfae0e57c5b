// Questions that are made anew: a lesson's step on another input, and a quiz at a lesson's end.
#pragma once

#include <cstdint>
#include <string>

#include "app/lessons/lesson.hpp"

namespace bscope {

class LessonRuns;

/// Whether the step asks for something that depends on its input's values, so that it can be asked again.
bool asks_of_values(const LessonStep&);
/// The lesson with the `number`th other input in one step: as many values, from the same range. 0: as it is.
Lesson with_other_input(Lesson, int step, int number);

/// A lesson whose steps ask for numbers that the lesson's own texts name (threads that work, wavefronts,
/// adds), on other sizes and values, and for the cells that a step changes. The same seed makes the same
/// quiz. Without steps where the lesson has nothing to ask, or its runs are still loading.
Lesson quiz_of(const Lesson&, uint32_t seed, LessonRuns&);
/// "blelloch?7": the quiz of that lesson with that seed.
std::string quiz_id(const std::string& lesson, uint32_t seed);
/// The lesson whose quiz it is; empty: it is no quiz's id.
std::string lesson_of_quiz(const std::string& id);
uint32_t seed_of_quiz(const std::string& id);

}  // namespace bscope
