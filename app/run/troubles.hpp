// What is wrong with a run, for the people who look at it: one word, sentences, the fix.
#pragma once
#include <string>
#include <vector>

#include "app/run/own_program.hpp"
namespace bscope {

struct Troubles {
  std::string word;                    ///< race, fault, stopped or wrong; empty where all is well
  std::vector<std::string> sentences;  ///< the worst first; at most a handful
  std::string fix;                     ///< of a kernel of the gallery of mistakes; else empty
};
/// Of people's own program also what its host code did wrong.
Troubles troubles(const Run&, const cuda::ProgramRun* = nullptr);

}  // namespace bscope
