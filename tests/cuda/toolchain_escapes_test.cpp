// Attempts to leave the confinement, by family: each is stopped, by what the table in docs/own-cuda.md says,
// for root and for a user. Each that harms nothing succeeds outside, so that it is an attempt.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/namespaces.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/readable_files.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "tests/places.hpp"
#include "tests/sanitized.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
constexpr uid_t nobody = 65534;

struct Escape {
  std::string family, name, stopped_by;
  bool outside_too = false;
  std::string key() const { return family + "/" + name; }
  /// The error, the limit or the signal, without who makes it.
  std::string how() const { return stopped_by.substr(stopped_by.find(": ") + 2); }
};

fs::path program() { return fs::read_symlink("/proc/self/exe").parent_path() / "escapes"; }

std::vector<Escape> all_escapes() {
  const Ended e = run({.words = {program().string(), "--list"}});
  std::vector<Escape> all;
  std::istringstream in(e.output);
  for (std::string line; std::getline(in, line);) {
    Escape one;
    std::istringstream words(line);
    std::string outside;
    std::getline(words, one.family, '\t');
    std::getline(words, one.name, '\t');
    std::getline(words, one.stopped_by, '\t');
    std::getline(words, outside);
    one.outside_too = outside == "1";
    all.push_back(one);
  }
  return all;
}

/// What the attempts aim at: a process, a folder and hidden files of the user who makes them. It lies among
/// temporary files, and HOME leads there while it is.
class Targets {
 public:
  Targets() {
    std::string name = (fs::temp_directory_path() / "escapes-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no folder for the targets");
    folder_ = fs::canonical(name);
    fs::copy_file(program(), folder_ / "escapes");
    fs::create_directories(home() / ".keys");
    std::ofstream(home() / ".keys" / "key") << "secret";
    fs::create_directories(outside());
    ::setenv("HOME", home().c_str(), 1);
    ::unsetenv("XDG_CACHE_HOME");
    ::setenv("SECRET_TOKEN", "secret", 1);
    restore();
    victim_ = ::fork();
    if (victim_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::chdir(outside().c_str()) != 0) ::_exit(1);
      for (;;) ::pause();
    }
  }
  ~Targets() {
    ::kill(victim_, SIGKILL);
    ::waitpid(victim_, nullptr, 0);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Targets(const Targets&) = delete;

  void restore() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(outside())) fs::remove_all(entry.path());
    std::ofstream(outside() / "there") << "as it was";
    std::ofstream(outside() / "solution.cu") << "secret";
  }
  bool victim_lives() const { return ::waitpid(victim_, nullptr, WNOHANG) == 0; }
  fs::path program_copy() const { return folder_ / "escapes"; }
  std::vector<std::string> environment() const {
    return {"VICTIM=" + std::to_string(victim_), "OUTSIDE=" + outside().string(),
            "HIDDEN=" + (home() / ".keys" / "key").string(),
            "UNNAMED=" + (outside() / "solution.cu").string()};
  }

 private:
  fs::path home() const { return folder_ / "home"; }
  fs::path outside() const { return folder_ / "outside"; }
  fs::path folder_;
  pid_t victim_ = -1;
};

std::string how_it_went(const Ended& e) {
  if (e.exceeded == Exceeded::disk) return "disk";
  if (e.exceeded == Exceeded::memory) return "memory";
  if (e.exceeded == Exceeded::threads) return "threads";
  if (e.out_of_time) return "time";
  if (e.signal) return "SIG" + std::string(::sigabbrev_np(e.signal));
  return e.output.substr(0, e.output.find('\n'));
}

enum class Where { outside, inside, inside_mounts };
std::string attempt(const Escape& escape, const Targets& targets, Where where) {
  targets.restore();
  const RunFolder folder;
  const bool others = escape.family == "judged for others";
  ProcessCommand c{.words = {targets.program_copy().string(), escape.key()},
                   .where = folder.path(),
                   .environment = targets.environment(),
                   .seconds = 60};
  if (where == Where::outside) {
    c.environment.push_back("SECRET_TOKEN=" + std::string(std::getenv("SECRET_TOKEN")));
    return how_it_went(run(c));
  }
  const Cage cage({.writable = folder.path(),
                   .readable = {.listed_only = others, .files = {targets.program_copy()}},
                   .memory = 64u << 20,
                   .file_bytes = 16u << 20,
                   .all_bytes = 32u << 20,
                   .files = 100,
                   .threads = 32,
                   .seconds = 60,
                   .way = where == Where::inside ? Confinement::best : Confinement::mounts});
  c.cage = &cage;
  return how_it_went(run(c));
}

/// Makes all attempts as this user, in a process of its own; how each went, by its key. `victim`: whether it
/// lives on.
std::map<std::string, std::string> attempts_as(uid_t user, Where where, const std::vector<Escape>& all) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    std::string told;
    try {
      if (user != ::getuid() && (::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 || ::setuid(user) != 0))
        throw std::runtime_error("this user cannot be");
      ::prctl(PR_SET_DUMPABLE, 1);
      const Targets targets;
      for (const Escape& e : all)
        if (where != Where::outside || e.outside_too)
          told += e.key() + "\t" + attempt(e, targets, where) + "\n";
      told += std::string("victim\t") + (targets.victim_lives() ? "lives" : "is dead") + "\n";
    } catch (const std::exception& e) { told += std::string("failed\t") + e.what() + "\n"; }
    for (size_t at = 0; at < told.size();) {
      const ssize_t n = ::write(ends[1], told.data() + at, told.size() - at);
      if (n <= 0) break;
      at += size_t(n);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string told;
  char piece[4096];
  for (ssize_t n; (n = ::read(ends[0], piece, sizeof piece)) > 0;) told.append(piece, size_t(n));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  std::map<std::string, std::string> went;
  std::istringstream in(told);
  for (std::string line; std::getline(in, line);)
    went[line.substr(0, line.find('\t'))] = line.substr(line.find('\t') + 1);
  return went;
}

class Escapes : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && ::getuid() != 0) GTEST_SKIP() << "not tested: only root can become another user";
    user_ = GetParam() ? nobody : ::getuid();
  }
  std::map<std::string, std::string> made(Where where) {
    auto went = attempts_as(user_, where, all_);
    EXPECT_EQ(went.count("failed"), 0u) << went["failed"];
    EXPECT_EQ(went["victim"], "lives");
    return went;
  }
  const std::vector<Escape> all_ = all_escapes();
  uid_t user_ = 0;
};

TEST_P(Escapes, AreStopped) {
  ASSERT_GT(all_.size(), 100u);
  const int landlock = FileAccess::version();
  if (landlock < 3)
    std::cout << "not tested: this kernel's Landlock has version " << landlock
              << ", so how files are refused is not compared\n";
  auto went = made(Where::inside);
  for (const Escape& e : all_) {
    if (e.family == "judged for others" && landlock == 0 && e.stopped_by.starts_with("Landlock")) continue;
    EXPECT_NE(went[e.key()], "done") << e.key();
    if (landlock < 3 && e.stopped_by.starts_with("Landlock")) continue;
    if (e.how() == "EACCES" && went[e.key()] == "ENOENT") {
      std::cout << "not tested: this machine has none: " << e.key() << "\n";
      continue;
    }
    EXPECT_EQ(went[e.key()], e.how()) << e.key();
  }
}

TEST_P(Escapes, AreStoppedByMountsToo) {
  if (test::sanitized && GetParam()) GTEST_SKIP() << "half a minute: this user's are tried";
  if (!Namespaces().can_enter()) GTEST_SKIP() << "not tested: this machine lets the user make no namespaces";
  auto went = made(Where::inside_mounts);
  for (const Escape& e : all_) {
    // mounts hide what is in the home folder, and keep devices that have no content
    const bool stays =
        e.family == "judged for others" || e.name == "shared memory of others" || e.name == "write /dev/zero";
    if (stays && e.stopped_by.starts_with("Landlock")) continue;
    EXPECT_NE(went[e.key()], "done") << e.key();
    EXPECT_NE(went[e.key()], "time") << e.key();
  }
}

TEST_P(Escapes, AreAttempts) {
  auto went = made(Where::outside);
  for (const Escape& e : all_) {
    if (e.outside_too) { EXPECT_EQ(went[e.key()], "done") << e.key(); }
  }
}

INSTANTIATE_TEST_SUITE_P(Users, Escapes, testing::Values(false, true),
                         [](const auto& user) { return user.param ? "Nobody" : "ThisUser"; });

// ---- Compilers that a text makes take all that there is.

struct Runaway {
  const char *name, *text, *stopped_by;
};
const Runaway runaways[] = {
    {".rept of a thousand million words", "asm(\".rept 1000000000\\n.quad 7\\n.endr\");\n", "limit: memory"},
    {"an initialised array of 4 GB", "int huge[1 << 30] = {1};\n", "limit: file size"},
    {"macros that grow eightfold nine times",
     "#define A 1,1,1,1,1,1,1,1\n#define B A,A,A,A,A,A,A,A\n#define C B,B,B,B,B,B,B,B\n"
     "#define D C,C,C,C,C,C,C,C\n#define E D,D,D,D,D,D,D,D\n#define F E,E,E,E,E,E,E,E\n"
     "#define G F,F,F,F,F,F,F,F\n#define H G,G,G,G,G,G,G,G\nint a[] = {H,H,H,H,H,H,H,H};\n",
     "limit: memory"},
    {"/dev/zero as data", "asm(\".incbin \\\"/dev/zero\\\"\");\n", "limit: memory"},
};

TEST(RunawayCompilers, AreEnded) {
  const std::string clang = find_places().clang;
  for (const Runaway& r : runaways) {
    const RunFolder folder;
    std::ofstream(folder.path() / "a.cpp") << r.text;
    Confinement may = for_a_compiler(folder.path(), {.files = folders_of_tool(clang)}, 30);
    may.memory = 250u << 20;
    may.file_bytes = 64u << 20;
    const Cage cage(may);
    const Ended e = run({.words = {clang, "-c", "-w", "-fno-crash-diagnostics", "a.cpp", "-o", "a.o"},
                         .where = folder.path(),
                         .environment = {"TMPDIR=" + folder.path().string()},
                         .seconds = 60,
                         .cage = &cage});
    EXPECT_FALSE(e.good()) << r.name;
    const bool of_memory =
        e.exceeded == Exceeded::memory || e.output.find("out of memory") != std::string::npos;
    EXPECT_EQ(e.signal == SIGXFSZ ? "limit: file size"
              : of_memory         ? "limit: memory"
                                  : e.output,
              r.stopped_by)
        << r.name;
    std::error_code ignored;
    EXPECT_LE(fs::file_size(folder.path() / "a.o", ignored) + 1, (64u << 20) + 1) << r.name;
  }
}

// ---- The documentation's table is the list that was tried.

TEST(Escapes, StandInTheDocumentation) {
  std::vector<std::string> rows;
  std::vector<std::pair<std::string, std::string>> kinds;
  std::map<std::pair<std::string, std::string>, std::string> names;
  const auto add = [&](const std::string& family, const std::string& name, const std::string& stopped_by) {
    const std::pair kind{family, stopped_by};
    if (!names.count(kind)) kinds.push_back(kind);
    std::string& all = names[kind];
    all += (all.empty() ? "" : ", ") + name;
  };
  for (const Escape& e : all_escapes()) add(e.family, e.name, e.stopped_by);
  for (const Runaway& r : runaways) add("runaway compilers", r.name, r.stopped_by);
  std::string table;
  for (const auto& kind : kinds)
    table += "| " + kind.first + " | " + names[kind] + " | " + kind.second + " |\n";
  std::ifstream in(fs::path(BARRIERSCOPE_ROOT) / "docs" / "own-cuda.md");
  const std::string documentation{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(documentation.find(table), std::string::npos) << "the table should be\n" << table;
}

}  // namespace
}  // namespace bscope::cuda
