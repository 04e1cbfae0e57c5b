// The question of a lesson's step: how it is answered, and what is said to wrong answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

/// What a ```answer block says. Texts may hold placeholders.
struct Question {
  /// What the student does: types a number, chooses a text, clicks cells, threads or a line of the source.
  enum class Form : uint8_t { none, number, choice, cells, threads, line };
  Form form = Form::none;
  /// The right answer: a number or one placeholder; a choice's text; names of cells or numbers of threads
  /// with spaces between; a part of the line.
  std::string answer = {};
  std::vector<std::string> choices = {};  ///< with the right one, in the order on screen
  struct WrongAnswer {
    std::string answer;    ///< as `Question::answer`
    std::string sentence;  ///< why it is wrong
  };
  std::vector<WrongAnswer> wrong = {};
  std::string hint = {};       ///< said to any other wrong answer
  bool of_the_answer = false;  ///< computed at the place that the answer shows, not the question
  int line = 0;                ///< of the block in the file, from 1
  bool is_asked() const { return form != Form::none; }
  /// Whether several cells or threads are asked for.
  bool takes_several() const { return answer.find(' ') != std::string::npos; }
};

/// Takes one line of the block, "number: 14". Throws UsageError with a sentence about what is wrong with it.
void take_answer_line(Question&, const std::string& name, const std::string& value);
/// What the block lacks; empty: nothing.
Message lack_of(const Question&);

/// Most choices, and wrong answers that are spoken to.
inline constexpr size_t most_choices = 6, most_wrong_answers = 12;

/// One character typed into an answer of this form; false: it is none that belongs there.
bool type_answer(Question::Form, std::string& answer, char32_t);

/// The number that a text says, with a point or a comma; NaN: none.
double answer_number(std::string_view);
/// The names in an answer, each once, in order.
std::vector<std::string> words_in(std::string_view);
/// Whether both are the same answer: numbers by value, cells and threads in any order.
bool same_answer(Question::Form, const std::string&, const std::string&);

}  // namespace bscope
