// Judges a program by an assignment: every requirement, in every run.
#pragma once

#include <functional>
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

/// The runs that a program is judged by, one for each of the assignment's. What `program` says of constants,
/// arguments, seconds and schedule is the assignment's to say.
std::vector<Target> targets_of(const Assignment&, const Target& program);

/// Judges the program by those runs. `open` gives the run of each in turn, or throws what opening throws.
/// Throws NothingToShow for a program that does not compile, BadFile for an assignment whose limits cannot be
/// worked out, NotRun where the program cannot be run here, and else what is no UsageError of `open`'s.
Grade judge(const Assignment&, const Target& program,
            const std::function<OpenedRun(const Target&)>& open = open_now);

}  // namespace bscope
