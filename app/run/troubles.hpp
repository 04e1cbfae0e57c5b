// What is wrong with a run, on screen: one word, sentences, the fix.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

struct FindingGroup;
struct Run;
namespace cuda {
struct ProgramRun;
}  // namespace cuda

struct Troubles {
  std::string word;                 ///< race, fault, wrong or not judged; empty where `check` passes
  std::vector<Message> messages;    ///< the worst first; at most a handful
  std::vector<Message> not_judged;  ///< those of them that say what was not judged, and why, beside findings
  std::string fix;                  ///< of a kernel of the gallery of mistakes; else empty
};
/// All that keeps `check` from passing, what explains most first: races, findings, what the host code did
/// wrong, a wrong result, why something was not judged, and the program's exit code last, which tells nothing
/// but that there is something.
/// `why`: what an assignment found, which explains the exit code where nothing else does.
Troubles troubles(const Run&, const cuda::ProgramRun* = nullptr, const std::vector<Message>& why = {});
/// The same of groups that are there already.
Troubles troubles_of(const Run&, const cuda::ProgramRun*, const std::vector<FindingGroup>&);
/// The one word for it: race, fault, wrong or not judged.
const char* word_of(const FindingGroup&);
/// What stands before a finding's sentence: the word for it, and its number of `all` where one was chosen
/// (`at`, from 0); else, with -1, how many more there are: of two findings, one need not be a race.
Message heading_of_finding(const std::string& word, int at, size_t all);

}  // namespace bscope
