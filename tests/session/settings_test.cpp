#include "app/session/settings.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/pfr/core.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "app/session/state.hpp"
#include "app/session/system_theme.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/scoped_assign.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

class SettingsFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("barrierscope-settings-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    path_ = (folder_ / "deep" / "settings.json").string();
  }
  void TearDown() override { fs::remove_all(folder_); }
  void hold(const std::string& text) {
    fs::create_directories(fs::path(path_).parent_path());
    std::ofstream(path_) << text;
  }
  fs::path folder_;
  std::string path_;
};

TEST_F(SettingsFile, ComesBackAsItWasWritten) {
  Settings s;
  s.theme = ThemeName::projector;
  s.desk_theme = ThemeName::light;
  s.language = Language::zh;
  s.reduced_motion = true;
  s.speed = 0.5f;
  s.width = 1280;
  s.x = -40;
  s.placed = true;
  s.folded = {"reduce"};
  s.link_base = "https://example.org/scope/";
  s.lesson_progress = "tree/0 tree/1=3:4";
  s.recent = {"/a/\xe6\x96\x87.bscope", "/b"};
  write_settings(s, path_);
  std::string notice;
  EXPECT_EQ(read_settings(path_, &notice), s);
  EXPECT_EQ(notice, "");
  // nothing is left beside it
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(path_).parent_path()), {}), 1);
}

TEST(Settings, KeepWhatTheUserChoosesAndNothingThatALinkHasSet) {
  Settings kept;
  kept.language = Language::zh;
  LoadedState s = with_borrowed_looks(with_choices({}, kept), "light", "en");
  EXPECT_EQ(s.theme, ThemeName::light);
  EXPECT_EQ(s.language, Language::en);
  Settings now = kept;
  keep_choices(s, now);
  EXPECT_EQ(now, kept);
  s = to_theme(std::move(s), ThemeName::projector);
  keep_choices(s, now);
  EXPECT_EQ(now.theme, ThemeName::projector);
  EXPECT_EQ(now.desk_theme, kept.desk_theme);
  // also what the link had set, once the user has chosen it
  s = to_theme(std::move(s), ThemeName::light);
  keep_choices(s, now);
  EXPECT_EQ(now.theme, ThemeName::light);
  EXPECT_EQ(now.language, Language::zh);
}

// A dark default is no choice: the system's theme is shown in its place, until the user chooses one.
TEST(Settings, FollowTheSystemUntilAThemeIsChosen) {
  const ScopedAssign light(system_theme, ThemeName::light);
  Settings kept;
  LoadedState s = with_choices({}, kept);
  EXPECT_EQ(s.theme, ThemeName::light);
  keep_choices(s, kept);
  EXPECT_EQ(kept, Settings());
  s = to_theme(std::move(s), ThemeName::dark);
  keep_choices(s, kept);
  EXPECT_TRUE(kept.theme_chosen);
  EXPECT_EQ(with_choices({}, kept).theme, ThemeName::dark);
}

TEST(Settings, KeepWhatIsDoneOfLessons) {
  Settings kept;
  LoadedState s;
  s.lesson.progress = "tree/0 tree/1=3:4";
  keep_choices(s, kept);
  EXPECT_EQ(with_choices({}, kept).lesson.progress, s.lesson.progress);
  EXPECT_EQ(merged_progress("tree/0 tree/1=3:4", "tree/1=1:4 scan/2"), "tree/0 tree/1=3:4 scan/2");
  EXPECT_EQ(merged_progress("", "scan/2"), "scan/2");
}

TEST(Settings, ListEveryMember) { EXPECT_EQ(count_fields<Settings>(), boost::pfr::tuple_size_v<Settings>); }

// Files of earlier versions and those of this one differ in what was changed, and in nothing else.
TEST_F(SettingsFile, IsWrittenInOneOrder) {
  Settings s;
  s.recent = {"/a"};
  write_settings(s, path_);
  std::ifstream file(path_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}),
            R"({
  "desk_theme": "dark",
  "dialect": false,
  "folded": [],
  "height": 900,
  "language": "en",
  "lesson_progress": "",
  "link_base": "",
  "maximised": false,
  "placed": false,
  "programs": [],
  "recent": [
    "/a"
  ],
  "reduced_motion": false,
  "speed": 1.0,
  "theme": "dark",
  "theme_chosen": false,
  "width": 1600,
  "x": 0,
  "y": 0
}
)");
}

TEST_F(SettingsFile, MissingIsNoReasonToComplain) {
  std::string notice;
  EXPECT_EQ(read_settings(path_, &notice), Settings());
  EXPECT_EQ(notice, "");
}

TEST_F(SettingsFile, BrokenGivesDefaultsAndANotice) {
  for (const std::string text : {"", "{", "[1]", "\xff\xfe", "{\"theme\": \"dark\""}) {
    hold(text);
    std::string notice;
    EXPECT_EQ(read_settings(path_, &notice), Settings()) << text;
    EXPECT_NE(notice.find("settings.json"), std::string::npos) << text;
  }
}

TEST_F(SettingsFile, WhateverStandsThereIsToldAndNeverOverwritten) {
  const fs::path folder = fs::path(path_).parent_path();
  const std::pair<const char*, std::function<void()>> things[] = {
      {"is a folder", [&] { fs::create_directories(path_ + "/inside"); }},
      {"is a pipe", [&] { ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0); }},
      {"is a pipe", [&] { fs::create_symlink("/dev/zero", path_); }},
      {"link to a file that is not there", [&] { fs::create_symlink("nowhere", path_); }},
      {"too large", [&] { hold(std::string(2 << 20, ' ')); }},
      {"UTF-16", [&] { hold(std::string("\xff\xfe{\0}\0", 6)); }},
      {"no settings", [&] { hold("[" + std::string(100000, '[')); }},
  };
  for (const auto& [why, make] : things) {
    SCOPED_TRACE(why);
    fs::create_directories(folder);
    make();
    std::string notice;
    EXPECT_EQ(read_settings(path_, &notice), Settings());
    EXPECT_NE(notice.find(why), std::string::npos) << notice;
    const bool there = fs::exists(path_);
    Settings changed;
    changed.speed = 2;
    write_settings(changed, path_);
    EXPECT_EQ(read_settings(path_, &notice), changed);
    EXPECT_EQ(fs::exists(path_ + ".unreadable"), there);
    fs::remove_all(folder_);
  }
  // one that is whole is written over, one that is put aside is not
  hold("[1]");
  write_settings({}, path_);
  hold("[2]");
  write_settings({}, path_);
  write_settings({}, path_);
  EXPECT_TRUE(fs::exists(path_ + ".unreadable-2"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 3);
}

TEST_F(SettingsFile, AByteMarkIsNoMistake) {
  hold("\xef\xbb\xbf{\"reduced_motion\": true}");
  EXPECT_TRUE(read_settings(path_).reduced_motion);
}

TEST_F(SettingsFile, NonsenseIsPassedOver) {
  hold(
      R"({"theme": "pink", "desk_theme": "projector", "language": 7, "speed": 1e99, "width": -3, "height": "tall",
           "recent": [1, "/x", null], "folded": {"a": 1}, "reduced_motion": true, "unheard of": []})");
  std::string notice;
  Settings wanted;
  wanted.reduced_motion = true;
  wanted.recent = {"/x"};
  EXPECT_EQ(read_settings(path_, &notice), wanted);
  EXPECT_EQ(notice, "");
}

TEST_F(SettingsFile, CannotBeWrittenIsAnErrorAndNoCrash) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "deep") << "a file where a folder should be";
  EXPECT_THROW(write_settings({}, path_), SystemError);
}

TEST(Settings, RecentFilesAreFewAndTheLatestIsFirst) {
  Settings s;
  for (int i = 0; i < 40; ++i) remember(s, "/f" + std::to_string(i));
  EXPECT_EQ(s.recent.size(), most_recent);
  EXPECT_EQ(s.recent.front(), "/f39");
  remember(s, "/f35");
  EXPECT_EQ(s.recent.front(), "/f35");
  EXPECT_EQ(std::count(s.recent.begin(), s.recent.end(), "/f35"), 1);
}

TEST(Settings, LieWhereTheDesktopWantsThem) {
  // other tests of this program have the environment as it was
  struct UiState {
    std::string name, value;
    bool set;
    explicit UiState(const char* n) : name(n), value(getenv(n) ? getenv(n) : ""), set(getenv(n)) {}
    ~UiState() { set ? setenv(name.c_str(), value.c_str(), 1) : unsetenv(name.c_str()); }
  } config("XDG_CONFIG_HOME"), home("HOME");
  ASSERT_EQ(setenv("XDG_CONFIG_HOME", "/config", 1), 0);
  EXPECT_EQ(settings_path(), "/config/barrierscope/settings.json");
  ASSERT_EQ(setenv("XDG_CONFIG_HOME", "relative", 1), 0);
  ASSERT_EQ(setenv("HOME", "/me", 1), 0);
  EXPECT_EQ(settings_path(), "/me/.config/barrierscope/settings.json");
}

}  // namespace
}  // namespace bscope
