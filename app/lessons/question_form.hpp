// The question of a step as a form: what is typed or chosen, the choices, and what is said to a wrong answer.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/question.hpp"

namespace bscope {

struct LayoutNode;
struct Theme;

/// An open question as it stands on screen, its placeholders filled in.
struct QuestionView {
  Question::Form form = Question::Form::none;
  bool several = false;                   ///< cells or threads are asked for, not one
  std::vector<std::string> choices = {};  ///< in their order
  std::string answer = {};                ///< typed or chosen so far
  std::string wrong = {};                 ///< the last answer that was wrong; empty: none
  std::string sentence = {};              ///< what is said to it
  bool is_asked() const { return form != Question::Form::none; }
};

/// Its parts one below the other, as wide as the text. Hits: "check", "choose 2" (from 0); on a touch screen
/// also "digit 7" and "erase".
LayoutNode question_form(const QuestionView&, const Theme&);

}  // namespace bscope
