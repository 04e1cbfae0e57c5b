// Starts a child without a copy of this process's page tables.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <csignal>

namespace bscope::cuda {

/// A child that runs `in_child`, which ends in exec or _exit and may call only what is safe in a signal
/// handler. It shares this process's memory until then, and this thread waits for that; other threads go on.
/// fork would copy the page tables first, which takes longer the more memory this process has. No signal
/// comes to the child: it sets its own mask. Returns the child's number, -1 where none can be made.
template <class InChild>
pid_t vfork_and(const InChild& in_child) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // a handler of ours would change our memory from the child
  const pid_t child = ::vfork();
  if (child == 0) {
    in_child();
    ::_exit(127);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

}  // namespace bscope::cuda
