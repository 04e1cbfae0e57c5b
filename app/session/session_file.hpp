// A session: what is open, where we are in it, and what each tab remembers. As a text for settings and for
// comparing, and with the run itself in one .bscope file that can be shared.
//
// The text is JSON, `barrierscope.session/1`. What it holds follows from the members that Cursor and the tabs
// list in `fields`; docs/trace-format.md describes it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bscope {

struct LoadedState;
class RunStore;
struct State;
struct Target;

/// What a run was made from as JSON: a session's "target".
nlohmann::ordered_json target_json(const Target&);
/// The same back. Throws BadFile.
Target target_in(const nlohmann::ordered_json&);
/// The session as JSON.
nlohmann::ordered_json session_json(const State&);
/// The state at the places that a session names, on the run that is open; its target and looks are left
/// alone. Members that it does not have stay what they are. Throws BadFile.
LoadedState with_places(LoadedState, const nlohmann::ordered_json& session);
/// The state without what names files of this machine in it, but for what the open run was made from.
LoadedState without_paths(LoadedState);

/// The session as text. Two states with the same text show the same, but for motion, errors and what is
/// measured.
std::string session_text(const State&);
/// The state that a session's text describes, its run opened anew unless it is the one that is open already.
/// Trusts nothing: unknown members are passed over, values are clamped to the run; for a text that means
/// nothing, only `error` changes.
LoadedState with_session(LoadedState, const std::string& text, RunStore&);

/// Writes the open run and the session into one .bscope file, whole or not at all. Paths of this machine stay
/// out of it. Throws SystemError when it cannot be written.
void save_session(const LoadedState&, const std::string& path);
/// Opens a .bscope file, with its session where it has one. Theme, language and speed are the reader's own
/// and stay. Where the file's request gives the run that it holds, its parameters can be changed as before.
/// If opening fails, only `error` changes; a session that cannot be read leaves the run open and says so.
LoadedState load_session(LoadedState, const std::string& path, RunStore&);

}  // namespace bscope
