// What a view in a frame and the page around it tell each other, as JSON (docs/web.md). What comes from
// outside is trusted no more than a link.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bscope {

struct LoadedState;
class RunStore;

/// What the page around a frame asks for.
struct HostMessage {
  enum Type : uint8_t { go, next, back, play, pause, open, theme };
  Type type = go;
  int step = 0;                ///< go: of the run, or of the tab's own time, from 0
  std::optional<int> substep;  ///< go: an instruction within the step
  std::string text;            ///< open: a link; theme: its name
};

/// Throws UsageError, one sentence, for what is no message of this version.
HostMessage parse_host_message(std::string_view json);

/// The state that it asks for; `embed` is the view that stays, whatever a link says. A step beyond the last
/// is the last. A link that cannot be opened changes nothing but `error`.
LoadedState obeyed(LoadedState, const HostMessage&, const std::string& embed, RunStore&);

/// {"barrierscope":1,"type":"step","kernel":...,"step":3,"of":11,"substep":null,"playing":false,"view":...,
/// "link":...}: where the state is, counted as links count it, and the link to it (link_of; "": there is
/// none).
std::string told_of(const LoadedState&, const std::string& type, const std::string& embed,
                    const std::string& link);
/// {"barrierscope":1,"type":"error","sentence":...}
std::string told_error(const std::string& sentence);

}  // namespace bscope
