// Any text is a link or refused in words, and what a link shows has a link that shows the same.
// How to run it: tests/fuzz/README.md.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/links/link.hpp"
#include "app/session/session_file.hpp"
#include "engine/catalog/estimate.hpp"
#include "tests/at_once.hpp"

namespace {

using namespace bscope;

[[noreturn]] void fail(const std::string& what, const std::string& link) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), link.c_str());
  std::abort();
}

/// The same place, twice by its link. What a link leaves out is as the app begins.
void expect_round_trip(const LoadedState& s) {
  std::string link;
  try {
    link = link_of(s);
  } catch (const UsageError&) { return; }  // a lesson's own run, one that is too long: refused
  LoadedState begun;
  const LoadedState back = with_link(begun, link, runs_at_once());
  if (!back.error.empty()) fail("its own link is refused (" + back.error.english() + ")", link);
  if (const std::string again = link_of(back); again != link) fail("its own link shows " + again, link);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  limit_memory(3e7);  // a run is quick
  const std::string link(reinterpret_cast<const char*>(data), size);
  (void)is_link(link);
  static const LoadedState begun = with_link(LoadedState{}, "?", runs_at_once());
  const LoadedState s = with_link(begun, link, runs_at_once());
  if (!s.run) fail("no run is open", link);
  if (s.error.empty()) expect_round_trip(s);
  return 0;
}
