// The field's terms, each in one sentence, for tooltips and for looking them up.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bscope {

struct Term {
  const char* word;     ///< English, said when shown
  const char* meaning;  ///< English, said when shown; one sentence or two
};
/// By topic: who works, memory, time, algorithms, what goes wrong.
std::span<const Term> glossary();
/// "Warp: 32 threads that ...", said; empty if there is no such term.
std::string definition(std::string_view word);
/// The meaning alone, said.
std::string meaning(std::string_view word);
/// The term that a sentence is about, if it names one and does not define it: the first that it names,
/// everyday ones (thread, block, step) only where there is no other. Null if there is none. The sentence is
/// in the spoken language.
const Term* term_in(std::string_view sentence);

}  // namespace bscope
