#include "app/assignments/course.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/assignments/assignment.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trimmed.hpp"

namespace bscope {
namespace fs = std::filesystem;
namespace {

constexpr size_t most_files = 5000;
constexpr size_t largest_text = size_t(1) << 20;  // bytes of a lesson

std::string ending_of(const fs::path& file) { return file.extension().string(); }
bool is_header(const fs::path& file) {
  constexpr std::array<std::string_view, 5> endings = {".h", ".hpp", ".cuh", ".hxx", ".inl"};
  return std::ranges::find(endings, ending_of(file)) != endings.end();
}

/// Whether the text defines main. Comments and strings count, too: then a file is listed that is none.
bool has_main(std::string_view text) {
  for (size_t at = 0; (at = text.find("main", at)) != std::string_view::npos; at += 4) {
    const bool begins =
        at == 0 || (!std::isalnum(static_cast<unsigned char>(text[at - 1])) && text[at - 1] != '_');
    const size_t next = text.find_first_not_of(" \t", at + 4);
    if (begins && next != std::string_view::npos && text[next] == '(') return true;
  }
  return false;
}

/// The first line of the comment that a program begins with.
std::string title_of(std::string_view text, const std::string& otherwise) {
  size_t at = text.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || (text.substr(at, 2) != "//" && text.substr(at, 2) != "/*"))
    return otherwise;
  at = text.find_first_not_of("/* \t\r\n", at);
  if (at == std::string_view::npos) return otherwise;
  std::string line(text.substr(at, text.find('\n', at) - at));
  while (!line.empty() &&
         (line.back() == '*' || line.back() == '/' || line.back() == ' ' || line.back() == '\r'))
    line.pop_back();
  return line.empty() ? otherwise : line;
}

struct CourseFiles {
  std::vector<fs::path> files, folders;  ///< paths from the course's folder on
};

/// All files below the folder, without hidden ones.
CourseFiles files_below(const fs::path& folder) {
  CourseFiles all{{}, {{}}};
  uint64_t bytes = 0;
  std::error_code failed, none;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed), end;
  for (; !failed && at != end; at.increment(failed)) {
    if (at->path().filename().string().starts_with('.')) {
      if (at->is_directory(none)) at.disable_recursion_pending();
      continue;
    }
    const fs::path path = at->path().lexically_relative(folder);
    if (at->is_directory(none) && !at->is_symlink(none)) all.folders.push_back(path);
    if (!at->is_regular_file(none)) continue;
    const uintmax_t size = at->file_size(none);
    if (size > most_of_a_course_file)
      throw UsageError(message("{} has {} MB, and a file of a page at most {}: leave it out",
                               at->path().string(), size >> 20, most_of_a_course_file >> 20));
    bytes += size;
    all.files.push_back(path);
    if (all.files.size() > most_files || bytes > most_in_a_course)
      throw UsageError(message("{} holds more than {} files or {} MB: name the course's folder alone",
                               folder.string(), most_files, most_in_a_course >> 20));
  }
  std::ranges::sort(all.files);
  return all;
}

/// Whether a file of Markdown is a lesson: a step of it shows something.
bool is_lesson(const fs::path& file) {
  if (ending_of(file) != ".md") return false;
  try {
    const std::string text = read_file(file, largest_text);
    return text.starts_with("```show") || text.find("\n```show") != std::string::npos;
  } catch (const BadFile&) { return false; }
}

/// Of the course in this folder: what its README.md is headed, or the folder's name.
std::string title_of_course(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::error_code none;
  if (!fs::is_regular_file(folder / "README.md", none)) return name;
  try {
    const std::string text = as_text(read_file(folder / "README.md", largest_text), "README.md");
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line(text.data() + at, end - at);
      if (line.starts_with("# ")) {
        line = trimmed(line.substr(2));
        return line.empty() ? name : std::string(line);
      }
      at = end + 1;
    }
  } catch (const BadFile&) { return name; }
  return name;
}

fs::path whole_folder(const fs::path& folder) {
  std::error_code none;
  if (!fs::is_directory(folder, none)) throw BadFile(message("there is no folder {}", folder.string()));
  const fs::path whole = fs::absolute(folder, none).lexically_normal();
  return whole.filename().empty() ? whole.parent_path() : whole;  // without the last slash
}

/// The programs of the files of one folder: each file with main, with all that have none.
std::vector<CourseProgram> programs_in(const fs::path& course, const fs::path& folder,
                                       const std::vector<fs::path>& files) {
  std::vector<std::string> beside;
  std::vector<CourseProgram> all;
  for (const fs::path& file : files) {
    if (is_header(file)) beside.push_back(file.filename().string());
    if (!cuda::is_program(file.string())) continue;
    const std::string text = as_text(read_file(course / file, size_t(1) << 22), file.string());
    const std::string name = file.filename().string();
    if (!has_main(text)) {
      beside.push_back(name);
      continue;
    }
    all.push_back({.name = fs::path(file).replace_extension().generic_string(),
                   .title = title_of(text, file.stem().string()),
                   .folder = folder.generic_string(),
                   .files = {name}});
  }
  std::erase_if(all, [&](const CourseProgram& p) {  // a program of C++ alone has nothing to show
    return !cuda::is_cuda_source(p.files.front()) && std::ranges::none_of(beside, cuda::is_cuda_source);
  });
  for (CourseProgram& p : all) p.files.insert(p.files.end(), beside.begin(), beside.end());
  return all;
}

}  // namespace

Course read_course(const fs::path& named) {
  Course course;
  course.folder = whole_folder(named);
  course.title = title_of_course(course.folder);
  std::map<fs::path, std::vector<fs::path>> by_folder;
  const CourseFiles all = files_below(course.folder);
  for (const fs::path& folder : all.folders) course.folders.push_back(folder.generic_string());
  for (const fs::path& file : all.files) {
    if (file.filename() == "assignment.json")
      course.assignments.push_back(file.parent_path().generic_string());
    by_folder[file.parent_path()].push_back(file);
  }
  const auto is_assignments = [&](const fs::path& f) {
    return std::ranges::find(course.assignments, f.generic_string()) != course.assignments.end();
  };
  for (const auto& [below, files] : by_folder) {
    if (is_assignments(below)) continue;  // its files are the assignment's
    std::ranges::move(programs_in(course.folder, below, files), std::back_inserter(course.programs));
    for (const fs::path& file : files) {
      if (ending_of(file) == ".bscope") course.recordings.push_back(file.generic_string());
      if (is_lesson(course.folder / file)) course.lessons.push_back(file.generic_string());
    }
  }
  if (course.programs.empty() && course.lessons.empty() && course.assignments.empty() &&
      course.recordings.empty())
    throw UsageError(
        message("{} holds no CUDA program, lesson, assignment or .bscope file", course.folder.string()));
  return course;
}

bool is_course(const fs::path& folder) {
  std::error_code none;
  if (!fs::is_directory(folder, none)) return false;
  try {
    return std::ranges::any_of(files_below(folder).files, [&](const fs::path& file) {
      return file.filename() == "assignment.json" || is_lesson(folder / file);
    });
  } catch (const UsageError&) { return false; }  // too much for a course
}

std::vector<CourseAssignment> assignments_of(const Course& course) {
  std::vector<CourseAssignment> all;
  for (const std::string& folder : course.assignments) {
    const fs::path file = course.folder / folder / "assignment.json";
    CourseAssignment one{file.parent_path().filename().string(), nullptr, {}};
    try {
      one.assignment = std::make_shared<const Assignment>(read_assignment(file));
    } catch (const BadFile& e) { one.mistake = e.message(); }
    all.push_back(std::move(one));
  }
  return all;
}

fs::path assignment_beside(const std::string& lesson_path, const std::string& name) {
  std::error_code none;
  const fs::path folder = fs::absolute(lesson_path, none).parent_path();
  for (const char* place : {"", "assignments", "..", "../assignments"})
    if (fs::path file = (folder / place / name / "assignment.json").lexically_normal();
        fs::is_regular_file(file, none))
      return file;
  return {};
}

}  // namespace bscope
