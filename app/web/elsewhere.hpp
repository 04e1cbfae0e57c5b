// Runs that take long are made by another process of this program: a worker of the page, which has a memory
// of its own and needs nothing of its server.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/run/run_store.hpp"

namespace bscope {

/// The page's side: one worker, one run at a time, the others wait.
class Elsewhere {
 public:
  Elsewhere();
  ~Elsewhere();
  /// For RunStore::load_remotely.
  void make(const Target&, Progress&, std::function<void(std::optional<RunResult>)> take);
  /// Once a frame: a worker whose run was cancelled is ended.
  void look();
  /// What the worker says: how far it is; that the run is there; that there will be none.
  void told(size_t events, size_t expected, float looked_at);
  void answered();
  /// Takes over a piece of the run that is there, between two frames. False: it is all here.
  bool take_over();
  /// `program`: what became of the user's program, as JSON; empty: it is of none, or it was not run.
  /// `refused`: it was not run because of itself.
  void failed(const Message& why, const std::string& program, bool refused);

 private:
  struct RemoteJob {
    std::string asked;  ///< JSON: the target, and the language to say mistakes in
    std::string file;   ///< that the target needs; empty: none
    bool is_program;    ///< it is compiled and run first
    Progress* progress;
    std::function<void(std::optional<RunResult>)> take;
  };
  void end(std::optional<RunResult>);
  void ask_next();
  class Taking;
  std::deque<RemoteJob> jobs_;      ///< the worker is at the first
  std::unique_ptr<Taking> taking_;  ///< what it has made of it; null: nothing yet
};

}  // namespace bscope
