#include "app/lessons/course_shelf.hpp"

#include <system_error>
#include <utility>

#include "app/assignments/assignment.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace fs = std::filesystem;

void CourseShelf::show(const std::string& folder) {
  if (folder == folder_) return;
  folder_ = folder;
  course_ = {};
  times_.clear();
}

bool CourseShelf::refresh() {
  if (folder_.empty() && lessons_.empty() && items_.empty()) return false;
  if (!times_.empty() && times() == times_) return false;
  read();
  times_ = times();
  return true;
}

/// A folder changes when a file in it appears or goes.
CourseShelf::Times CourseShelf::times() const {
  Times all;
  const auto look_at = [&](const fs::path& path) {
    std::error_code none;
    all[path.string()] = fs::last_write_time(path, none);
  };
  look_at(folder_);
  for (const std::string& folder : course_.folders) look_at(course_.folder / folder);
  for (const std::string& folder : course_.assignments) look_at(course_.folder / folder / "assignment.json");
  return all;
}

void CourseShelf::read() {
  lessons_.clear();
  items_.clear();
  item_ids_.clear();
  course_ = {};
  if (folder_.empty()) return;
  try {
    course_ = read_course(folder_);
  } catch (const UsageError&) { return; } catch (const BadFile&) {
    return;
  }
  std::map<fs::path, std::string> ids;  // by the path without the language
  for (const std::string& file : course_.lessons) {
    const fs::path path = course_.folder / file;
    const bool in_language = !language_folder_of(path).empty();
    const fs::path twin = in_language ? path.parent_path().parent_path() / path.filename() : path;
    lessons_[path.string()] = ids.try_emplace(twin, path.string()).first->second;
  }
  for (const CourseProgram& p : course_.programs)
    add({CourseItem::Category::program, p.title, p.files.front(),
         course_.folder / p.folder / p.files.front()});
  for (const std::string& file : course_.recordings)
    add({CourseItem::Category::recording, file, fs::path(file).filename().string(), course_.folder / file});
  const auto assignments = assignments_of(course_);
  for (size_t k = 0; k < assignments.size(); ++k) {
    const CourseAssignment& a = assignments[k];
    add({CourseItem::Category::assignment,
         {},
         a.assignment ? tr(a.assignment->title) : a.name,
         course_.folder / course_.assignments[k] / "assignment.json",
         a});
  }
}

void CourseShelf::add(CourseItem item) {
  const std::string id = item.file.lexically_normal().string();
  item_ids_.push_back(id);
  items_[id] = std::move(item);
}

const CourseItem* CourseShelf::item(const std::string& id) const {
  const auto found = items_.find(id);
  return found == items_.end() ? nullptr : &found->second;
}

std::string language_folder_of(const fs::path& lesson) {
  const std::string folder = lesson.parent_path().filename().string();
  return folder == "en" || folder == "zh" ? folder : "";
}

}  // namespace bscope
