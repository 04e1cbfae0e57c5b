// What stands in a session's text, member by member, but for the tabs, which register theirs.
// app/session/session_file reads and writes it.
#pragma once

#include <optional>
#include <string>

#include "app/session/state.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {

/// What a run was made from: a file, or a request.
struct StoredTarget {
  std::string file;
  std::optional<RunSpec> request;
  Device device = Device::cpu;
  std::string schedule = "auto";
  template <class Self, class Visit>
  static void fields(Self& t, Visit&& visit) {
    visit("file", t.file, Field{.omit_empty = true});
    visit("request", t.request, Field{.omit_empty = true});
    visit("device", t.device, Field{.among = {"cpu", "gpu"}});
    visit("schedule", t.schedule);
  }
};

/// An input that the open kernel does not take.
struct StoredSetAside {
  RunSpec request;
  Message why;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("request", s.request);
    visit("why", s.why);
  }
};

/// The place in the run that is open.
struct StoredPlace {
  std::optional<StoredSetAside> set_aside;
  std::string tab;
  Cursor cursor;
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("set_aside", p.set_aside, Field{.omit_empty = true});
    visit("tab", p.tab);
    visit("cursor", p.cursor);
  }
};

/// `looks(stored) = looks(state)`. A speed that is out of range is clamped when it is taken.
struct StoredLooks {
  ThemeName theme = ThemeName::dark, desk_theme = ThemeName::dark;
  Language language = Language::en;
  bool dialect = false;
  bool reduced_motion = false;
  float speed = 1;
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    const Field theme{.among = names_up_to(ThemeName::projector)};
    visit("theme", l.theme, theme);
    visit("desk_theme", l.desk_theme, theme);
    visit("language", l.language, Field{.among = names_up_to(Language::zh)});
    visit("dialect", l.dialect);
    visit("reduced_motion", l.reduced_motion);
    visit("speed", l.speed);
  }
};

}  // namespace bscope
