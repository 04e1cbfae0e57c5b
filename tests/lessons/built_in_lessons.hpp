// The lessons that come with the program, for tests of all of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "app/lessons/shelf.hpp"
#include "app/words/words.hpp"
#include "tests/places.hpp"

namespace bscope::test {

inline LessonShelf& built_in_lessons() {
  static LessonShelf all({BARRIERSCOPE_ROOT "/assets/lessons"});
  all.refresh();
  return all;
}

/// A lesson's id, and the language that it is read in.
using LessonInLanguage = std::tuple<std::string, Language>;

/// Each lesson in each language, as a test's parameter.
inline auto each_lesson_in_each_language() {
  return testing::Combine(testing::ValuesIn(built_in_lessons().ids()),
                          testing::Values(Language::en, Language::zh));
}
/// How GoogleTest calls a test of it: banks_zh.
inline std::string name_of_lesson(const testing::TestParamInfo<LessonInLanguage>& info) {
  std::string name = std::get<0>(info.param) + "_" + name_of(std::get<1>(info.param));
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace bscope::test
