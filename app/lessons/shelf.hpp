// Where lessons lie: those that come with the program, and the user's own. Read again when a file changes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/lessons/course_shelf.hpp"
#include "app/lessons/lesson.hpp"
#include "app/words/words.hpp"

namespace bscope {

class RunStore;

/// Folders of lessons, the program's first: share/barrierscope/lessons beside the installed program or
/// assets/lessons of the source tree; then the user's, $XDG_DATA_HOME/barrierscope/lessons. In each, `en` and
/// `zh` hold the languages; the user's may also lie there without one and are then shown in all languages.
std::vector<std::filesystem::path> lesson_folders();

class LessonShelf {
 public:
  explicit LessonShelf(std::vector<std::filesystem::path> folders = lesson_folders())
      : folders_(std::move(folders)) {}
  /// Reads what has appeared or changed since, and forgets what is gone. True if anything did.
  bool refresh();
  /// In the language, or in English where it is not translated; null if there is none. Good until `refresh`.
  const Lesson* find(const std::string& id, Language) const;
  /// Ids: those of the course; then by family as the catalog has them, then by file name; the user's own last
  /// in their family.
  const std::vector<std::string>& ids() const { return ids_; }
  /// Puts a file that lies elsewhere on the shelf, under its path as id.
  void add(const std::filesystem::path&);
  /// What a course holds stands before all else: its lessons, under their paths as ids, then its programs,
  /// recordings and assignments. Empty: none is shown.
  void show_course(const std::string& folder);
  const CourseShelf& course() const { return course_; }
  /// Whether what has this id is of the course.
  bool is_of_course(const std::string& id) const {
    return course_.item(id) || course_.lessons().contains(id);
  }
  /// Goes up whenever something was read.
  int version() const { return version_; }

 private:
  struct LessonFile {
    std::filesystem::file_time_type changed;
    uintmax_t size = 0;
    size_t folder = 0;
    std::string language;  ///< en, zh, or empty: all
    Lesson lesson;
  };
  void order_ids();

  std::vector<std::filesystem::path> folders_;
  CourseShelf course_;
  std::map<std::string, LessonFile> files_;  ///< by path
  std::vector<std::filesystem::path> added_;
  std::vector<std::string> ids_;
  int version_ = 0;
};

/// Opens "blelloch", "blelloch:3" (its third step), "blelloch:3+" (with its answer), "blelloch:3+1" (with the
/// first of several) or the path of a lesson's file. Throws UsageError with the ids there are, or the
/// lesson's first mistake.
struct ChosenLesson {
  Lesson lesson;
  int step = 0;  ///< from 0
  int part = 0;  ///< with as many of its answers
};
ChosenLesson choose_lesson(const std::string& words, Language);
/// The lesson of that id beside another lesson's file: its path; empty: there is none.
std::string lesson_beside(const std::string& lesson_path, const std::string& id);
/// The state with that lesson begun in its language; "all": with the list of them, on the run that is open.
/// Throws UsageError, and what opening its run throws.
LoadedState with_lesson(LoadedState, const std::string& words, RunStore&);

}  // namespace bscope
