// Judges a program by an assignment: every requirement, in every run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/own_program.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Assignment;
struct Target;

/// What a run has shown of a requirement.
struct RequirementResult {
  bool passed = false;
  Message seen = {};  ///< empty where there is nothing to say
  std::optional<long> figure = {};
  std::optional<double> limit = {};  ///< the one that is not kept, or the only one
  std::string file = {};             ///< where most of it comes from
  int line = 0;                      ///< 0: nowhere
};

/// A requirement, judged.
struct Judgement {
  std::string id;  ///< of what is always asked; else what is counted, "bank conflicts @transpose"
  Message asked;
  double points = 0;
  std::string hint = {};
  std::vector<RequirementResult> runs =
      {};  ///< as many as the assignment has; one of what is asked of the text alone
  bool passed() const;
  /// The first run that does not pass; none if all do.
  std::optional<size_t> failing() const;
};

struct Grade {
  std::vector<Judgement> judgements;
  std::vector<OpenedRun> runs;  ///< without a run where none could be made
  bool passed() const;
  double earned() const;
  double possible() const;
};

/// Compiles and runs the program once for each run of the assignment. What the target says of constants,
/// arguments, seconds and schedule is the assignment's to say. Throws NothingToShow for a program that does
/// not compile, BadFile for an assignment whose limits cannot be worked out, and what opening programs
/// throws.
Grade judge(const Assignment&, const Target&);

}  // namespace bscope
