#include "app/lessons/shelf.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <set>

#include "app/draw/letters.hpp"
#include "app/lessons/play.hpp"
#include "app/run/assets.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace fs = std::filesystem;
namespace {

constexpr size_t largest = 1 << 20;  // bytes: a lesson is a text that a person wrote

Lesson read_lesson(const fs::path& path) {
  Lesson lesson;
  lesson.path = path.string();
  lesson.id = lesson.title = lesson_id(lesson.path);
  std::string text;
  try {
    text = as_text(read_file(path, largest), lesson.path);
  } catch (const BadFile& e) {
    lesson.mistakes.push_back({1, e.message()});
    return lesson;
  }
  if (clean_utf8(text) != text) {  // it would be drawn as anything
    lesson.mistakes.push_back({1, message("this file is no text in UTF-8: save it as UTF-8")});
    return lesson;
  }
  return parse_lesson(text, path.string());
}

}  // namespace

std::vector<fs::path> lesson_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  if (const fs::path ours = assets_folder(); !ours.empty()) folders.push_back(ours / "lessons");
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value && *value == '/' ? value : "";
  };
  if (const std::string data = variable("XDG_DATA_HOME"); !data.empty())
    folders.push_back(fs::path(data) / "barrierscope/lessons");
  else if (const std::string home = variable("HOME"); !home.empty())
    folders.push_back(fs::path(home) / ".local/share/barrierscope/lessons");
  return folders;
}

bool LessonShelf::refresh() {
  std::set<std::string> seen;
  bool changed = course_.refresh();
  const auto look_at = [&](const fs::directory_entry& entry, size_t folder, const std::string& language) {
    std::error_code unread;
    if (!entry.is_regular_file(unread)) return;
    const auto when = entry.last_write_time(unread);
    const auto size = entry.file_size(unread);
    const std::string path = entry.path().string();
    seen.insert(path);
    const auto known = files_.find(path);
    if (known != files_.end() && known->second.changed == when && known->second.size == size) return;
    files_[path] = {when, size, folder, language, read_lesson(entry.path())};
    changed = true;
  };
  for (size_t f = 0; f < folders_.size(); ++f)
    for (const char* language : {"", "en", "zh"}) {
      std::error_code error;
      const fs::path folder = *language ? folders_[f] / language : folders_[f];
      for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".md" && !it->path().filename().string().starts_with('.'))
          look_at(*it, f, language);
    }
  for (const auto& [path, id] : course_.lessons()) {
    std::error_code error;
    look_at(fs::directory_entry(path, error), folders_.size(), language_folder_of(path));
    if (const auto file = files_.find(path); file != files_.end()) file->second.lesson.id = id;
  }
  for (const fs::path& path : added_) {
    if (course_.lessons().contains(path.string())) continue;
    std::error_code error;
    look_at(fs::directory_entry(path, error), folders_.size(), "");
    if (const auto file = files_.find(path.string()); file != files_.end())
      file->second.lesson.id = path.string();
  }
  changed |= std::erase_if(files_, [&](const auto& file) { return !seen.contains(file.first); }) > 0;
  if (!changed) return false;
  ++version_;
  order_ids();
  return true;
}

void LessonShelf::order_ids() {
  struct LessonOrder {
    size_t family, folder;
    std::string file, id;
    auto operator<=>(const LessonOrder&) const = default;
  };
  std::set<LessonOrder> order;
  for (const auto& [path, file] : files_) {
    if (course_.lessons().contains(path)) continue;
    const auto family = std::ranges::find(families(), file.lesson.family, &Family::name);
    order.insert({size_t(family - families().begin()), file.folder, fs::path(path).filename().string(),
                  file.lesson.id});
  }
  ids_.clear();
  const auto append = [&](const std::string& id) {
    if (std::ranges::find(ids_, id) == ids_.end()) ids_.push_back(id);
  };
  for (const auto& [path, id] : course_.lessons()) append(id);
  for (const std::string& id : course_.item_ids()) append(id);
  for (const LessonOrder& k : order) append(k.id);
}

void LessonShelf::show_course(const std::string& folder) {
  course_.show(folder);
  refresh();
}

void LessonShelf::add(const fs::path& path) {
  if (std::find(added_.begin(), added_.end(), path) != added_.end()) return;
  added_.push_back(path);
  refresh();
}

const Lesson* LessonShelf::find(const std::string& id, Language language) const {
  // the user's own goes before the program's of the same name, the language before English
  const auto better = [&](const LessonFile& a, const LessonFile& b) {
    const auto rank = [&](const LessonFile& f) {
      return f.language == name_of(language) ? 2 : f.language.empty() ? 1 : 0;
    };
    return std::pair(rank(a), a.folder) > std::pair(rank(b), b.folder);
  };
  const auto of_course = course_.lessons().find(id);
  const std::string& known = of_course == course_.lessons().end() ? id : of_course->second;
  const LessonFile* best = nullptr;
  for (const auto& [path, file] : files_)
    if (file.lesson.id == known && (!best || better(file, *best))) best = &file;
  return best ? &best->lesson : nullptr;
}

/// The shelf as it stands now: what was read already is not read again.
static const LessonShelf& shelf_at_hand() {
  thread_local std::vector<fs::path> folders;
  thread_local LessonShelf shelf;
  if (std::vector<fs::path> now = lesson_folders(); now != folders) {
    shelf = LessonShelf(now);
    folders = std::move(now);
  }
  shelf.refresh();
  return shelf;
}

ChosenLesson choose_lesson(const std::string& words, Language language) {
  ChosenLesson chosen;
  std::string id = words;
  const size_t colon = words.rfind(':');
  if (colon != std::string::npos) {
    int step = 0, answers = 0;
    const size_t plus = std::min(words.find('+', colon), words.size());
    /// Whether all of it is a number from 1.
    const auto counts = [&](size_t from, size_t to, int& number) {
      const auto [end, error] = std::from_chars(words.data() + from, words.data() + to, number);
      return error == std::errc() && end == words.data() + to && number >= 1;
    };
    if (plus + 1 == words.size()) answers = std::numeric_limits<int>::max();
    if (!counts(colon + 1, plus, step) ||
        (plus + 1 < words.size() && !counts(plus + 1, words.size(), answers)))
      throw UsageError(message("--lesson {} names no step: write for example --lesson blelloch:3", words));
    id = words.substr(0, colon);
    chosen.step = step - 1;
    chosen.part = answers;
  }
  std::error_code error;
  if (id.ends_with(".md")) {
    try {
      open_to_read(id);
    } catch (const BadFile& e) { throw UsageError(e.message()); }
    const fs::path whole = fs::absolute(id, error);
    chosen.lesson = read_lesson(whole);
    chosen.lesson.id = whole.string();
  } else {
    const LessonShelf& shelf = shelf_at_hand();
    const Lesson* found = shelf.find(id, language);
    if (!found) {
      std::string all;
      for (const std::string& each : shelf.ids()) all += (all.empty() ? "" : ", ") + each;
      throw UsageError(all.empty()
                           ? message("there is no lesson \"{}\": no lessons come with this program", id)
                           : message("there is no lesson \"{}\": choose one of {}", id, all));
    }
    chosen.lesson = *found;
  }
  if (!chosen.lesson.mistakes.empty()) throw UsageError(message_of(chosen.lesson, chosen.lesson.mistakes[0]));
  if (chosen.step >= int(chosen.lesson.steps.size()))
    throw UsageError(
        message("--lesson {} is out of range: this lesson has {} steps", words, chosen.lesson.steps.size()));
  chosen.part = std::min(chosen.part, int(chosen.lesson.steps[size_t(chosen.step)].parts.size()) - 1);
  return chosen;
}

std::string lesson_beside(const std::string& lesson_path, const std::string& id) {
  std::error_code error;
  const fs::path folder = fs::absolute(lesson_path, error).parent_path();
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".md" && lesson_id(it->path().string()) == id) return it->path().string();
  return {};
}

LoadedState with_lesson(LoadedState s, const std::string& words, RunStore& runs) {
  if (words == "all") {
    s.lesson.open = true;
    s.lesson.lesson.clear();
    return s;
  }
  const ChosenLesson chosen = choose_lesson(words, s.language);
  s = at_lesson_step(std::move(s), chosen.lesson, chosen.step, runs, chosen.part);
  if (s.awaits) return s;
  if (!s.run) throw UsageError(s.error);
  return s;
}

}  // namespace bscope
