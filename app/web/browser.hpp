// What the app asks of its browser: functions of app/web/browser.js.
#pragma once

#include <cstddef>
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
/// Whether a text field has the focus.
void page_wants_text(bool);
/// Where the text cursor is, and how high a line is.
void page_caret(float x, float y, float height);
void page_copy(const char* text);
/// What was pasted last. The caller frees it; see taken.
char* page_pasted();
/// Whether a file of the assets is here: 0 it is, 1 it is being fetched, 2 the connection was lost. Asks for
/// it.
int page_asset(const char* path);
/// Asks for a file of the user's.
void page_pick();
/// The path that it was copied to; empty: none was chosen; null: the user is still at it.
char* page_picked();
/// Its own address without query: what links begin with. The caller frees it.
char* page_address();
/// The query of what is on screen now. Of a recorded run, which no query can say, its file.
void page_link(const char* query, const char* file);
/// Where the link to the whole app is drawn, in a frame.
void page_whole_app_at(float x, float y, float w, float h);
/// A message (app/links/host_message.hpp) for the page around this frame.
void page_tell_host(const char* json);
bool page_is_mac();
/// Whether the browser's user prefers light colours. A frame says so in its link instead (site/frame.js).
bool page_prefers_light();
/// Whether the page can compile users' programs.
bool page_compiles();
/// Whether it can run any: those that came with it are compiled.
bool page_runs_programs();
/// Asks the page's worker for a run: what for, and a file that it needs. Of a program that file is the first,
/// and those in its folder go with it; `is_program`: it is compiled and run first. The result arrives in
/// page.cpp.
void page_ask(const char* what, const char* file, bool is_program);
/// Ends the worker, whatever it is at.
void page_dismiss();
/// The next bytes of what the worker has made, at most so many; returns how many there were.
size_t page_take(void* into, size_t bytes);
/// It is all taken, or not wanted any more.
void page_took();
// The worker's words to the page: how far it is, bytes, the end of them, why there are none.
void page_tell(double events, double expected, double looked_at);
void page_give(const void* from, size_t bytes);
void page_is_made();
/// `program`: what became of the user's program, as JSON; empty: it is of none.
void page_is_not_made(const char* sentence, const char* program);
}

/// A text of the browser's.
inline std::string taken(char* text) {
  std::string s = text ? text : "";
  std::free(text);
  return s;
}

}  // namespace bscope
