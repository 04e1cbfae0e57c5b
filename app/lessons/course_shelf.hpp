// A course as it stands on the shelf of lessons: read again when something in its folder has changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/assignments/course.hpp"

namespace bscope {

/// What a course holds besides lessons.
struct CourseItem {
  enum class Category : uint8_t { program, recording, assignment } category = Category::program;
  std::string about, title;
  std::filesystem::path file;        ///< of an assignment its assignment.json
  CourseAssignment assignment = {};  ///< of that kind
};

class CourseShelf {
 public:
  /// Empty: none. A folder that is no course holds nothing.
  void show(const std::string& folder);
  /// Reads what has changed since. True if anything did.
  bool refresh();
  const std::string& title() const { return course_.title; }
  /// The ids of its lessons by their paths. A lesson that lies in `en` and in `zh` has one id, its first
  /// path.
  const std::map<std::string, std::string>& lessons() const { return lessons_; }
  /// Those of its programs, recordings and assignments, in this order.
  const std::vector<std::string>& item_ids() const { return item_ids_; }
  const CourseItem* item(const std::string& id) const;

 private:
  using Times = std::map<std::string, std::filesystem::file_time_type>;
  Times times() const;
  void read();
  void add(CourseItem);

  std::string folder_;
  Course course_;
  Times times_;  ///< of what the course was read from
  std::map<std::string, std::string> lessons_;
  std::map<std::string, CourseItem> items_;
  std::vector<std::string> item_ids_;
};

/// "en" or "zh", the folder that a lesson's file lies in; empty: it lies in another.
std::string language_folder_of(const std::filesystem::path& lesson);

}  // namespace bscope
