// What the app asks of its browser: functions of app/web/browser.js.
#pragma once

#include <cstdlib>
#include <string>

namespace bscope {

extern "C" {
/// A frame is wanted.
void page_wake();
/// The app is there: frames, sizes and events may come.
void page_begins();
/// The canvas has its context.
void page_opened_context();
/// It cannot go on: the sentence stands in the place of the canvas.
void page_fails(const char* sentence);
/// ImGuiMouseCursor.
void page_cursor(int shape);
/// Is there a field that people type into?
void page_wants_text(bool);
void page_copy(const char* text);
/// What was pasted last. Whoever asks frees it; see taken.
char* page_pasted();
/// Asks for a file of the user's.
void page_pick();
/// The path that it was copied to; empty: none was chosen; null: the user is still at it.
char* page_picked();
/// Its own address without query: what links begin with. Whoever asks frees it.
char* page_address();
/// The query of what is on screen now.
void page_link(const char* query);
/// Where the link to the whole app is drawn, in a frame.
void page_whole_app_at(float x, float y, float w, float h);
/// A message (app/links/messages.hpp) for the page around this frame.
void page_tell_host(const char* json);
bool page_is_mac();
}

/// A text of the browser's.
inline std::string taken(char* text) {
  std::string s = text ? text : "";
  std::free(text);
  return s;
}

}  // namespace bscope
