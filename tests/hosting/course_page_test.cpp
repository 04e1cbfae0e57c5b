// A course's page, where something is missing.
#include "app/hosting/course_page.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

TEST(CoursePage, OfProgramsNeedsAPageThatRunsThem) {
  if (cuda::find_program("node").empty()) GTEST_SKIP() << "node is not installed";
  const cuda::RunFolder folder;
  const fs::path page = folder.path() / "page", course = folder.path() / "course";
  for (const fs::path& made : {page, course}) fs::create_directories(made);
  write_whole(page / "app.html", "<!doctype html>");
  write_whole(page / "site.json", "{\"compiler\": \"none\"}\n");
  write_whole(course / "a.cu", "int main() {}\n");
  try {
    write_course_page({.course = course, .page = page, .out = folder.path() / "site"});
    FAIL() << "it was written";
  } catch (const UsageError& refused) {
    EXPECT_NE(std::string(refused.what()).find("./web.sh --programs"), std::string::npos) << refused.what();
  }
  EXPECT_FALSE(fs::exists(folder.path() / "site"));
}

}  // namespace
}  // namespace bscope
