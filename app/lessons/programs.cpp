#include "app/lessons/programs.hpp"

#include <algorithm>
#include <filesystem>

#include "app/lessons/lesson.hpp"
#include "app/run/own_program.hpp"
#include "app/session/choices.hpp"
#include "app/session/state.hpp"

namespace bscope {
namespace fs = std::filesystem;

std::string program_beside(const std::string& lesson_path, const std::string& name) {
  std::error_code none;
  const fs::path folder = fs::absolute(lesson_path, none).parent_path();
  for (const fs::path& place : {folder, folder / "programs", folder / "../programs"})
    if (const fs::path file = (place / name).lexically_normal(); fs::is_regular_file(file, none))
      return file.string();
  return {};
}

std::set<std::string> programs_of(const Lesson& lesson) {
  std::set<std::string> all;
  const auto add = [&](const LessonStep& s) {
    std::error_code none;
    for (const std::string& file : {s.target.file, std::string(s.compare.file)})
      if (fs::is_regular_file(file, none)) all.insert(file);
  };
  for (const LessonStep& step : lesson.steps) {
    add(step);
    for (const auto& part : step.parts)
      if (part.shows) add(*part.shows);
  }
  return all;
}

std::vector<Target> program_targets(const Lesson& lesson) {
  std::vector<Target> all;
  const auto add = [&](const Target& t) {
    const auto is_same = [&](const Target& other) {
      return other.file == t.file && other.program == t.program;
    };
    if (t.is_program() && std::ranges::none_of(all, is_same)) all.push_back(t);
  };
  const auto add_step = [&](const LessonStep& s) {
    add(s.target);
    LoadedState open;
    open.target = s.target;
    if (!s.compare.file.empty()) add(target_of(s.compare, open));
  };
  for (const LessonStep& step : lesson.steps) {
    add_step(step);
    for (const auto& part : step.parts)
      if (part.shows) add_step(*part.shows);
  }
  return all;
}

void allow_programs_of(const Lesson& lesson) {
  for (const std::string& file : programs_of(lesson))
    if (!may_run(file)) allow_programs_in(fs::path(file).parent_path().string());
}

}  // namespace bscope
