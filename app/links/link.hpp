// A link is a command line in an address: "https://HOST/PATH/?kernel=scan/blelloch&n=16&step=5&tab=banks".
// It holds what is on screen: the run and all that it was made from, the step, what is selected, the tab
// and what tabs remember, the lesson, theme and language. Its keys are options (app/options) that say of
// themselves that a link may say them; what tabs remember goes by the names that session files give it.
// docs/links.md lists all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/options/view_options.hpp"

namespace bscope {

struct LoadedState;
class RunStore;

/// The query of a state, without ?: what differs from the app as it begins, so it is short, and empty for
/// scan/blelloch as it opens. Equal states have equal queries, and opening it shows what the state shows:
/// all but motion, scores, what waits to be run, and files of this machine. Opens nothing, so that it may be
/// asked for whenever the state changes. Throws UsageError, a sentence, where no link can hold the run: a
/// recorded trace, a user's own program, an input that is too long.
std::string link_of(const LoadedState&);

/// The state that a link shows, in place of this one; from this one come looks that the link does not say,
/// and what was done of lessons. Keys that others have added are passed over. `link` is a whole address, or
/// its query with or without ?. Trusts nothing: if the link means nothing, or its run cannot be opened, only
/// `error` changes (Where::file); while its run is loading, only `awaits`.
LoadedState with_link(LoadedState, std::string_view link, RunStore&);

/// Whether the text is a link, rather than a file, a kernel or numbers.
bool is_link(std::string_view text);

/// The pairs of a link. Throws UsageError for a key that no link has, for a kernel or lesson that is none,
/// and for what `pairs_in` refuses.
Pairs checked_link(std::string_view link);

/// The same, where only the run counts: without lesson, and with its kernel. Throws UsageError.
Pairs run_of(const Pairs& link);

/// What a link says of the run and of where to look.
struct LinkOptions {
  std::vector<std::string> words;  ///< the kernel
  RunOptions run;
  ViewOptions view;
  std::string language;
};
/// Declares all that links say, and what the app takes beside.
void link_options(Options&, LinkOptions&);
/// For documentation: the keys of links, with the type of their value and what they say.
std::vector<Options::LinkKey> link_keys();
/// The part of a link whose keys are known: others add keys of their own to addresses (utm_source, fbclid).
/// "?" and the keys; empty where nothing is left, or where it is no link.
std::string known_part(std::string_view link);

}  // namespace bscope
