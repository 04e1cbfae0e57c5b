// What a user's program may do while it runs: the limits hold, and each ends quickly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/mirrored_folder.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/scoped_assign.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder that a program may write to, and one beside it that it may not.
class Confined : public testing::TestWithParam<Confinement::Way> {
 protected:
  Ended shell(const std::string& script, double seconds = 10) {
    return run({.words = {"/bin/bash", "--norc", "-c", script},
                .where = own_.path(),
                .seconds = seconds,
                .cage = &cage_});
  }
  std::string outside(const char* name) const { return (other_ / name).string(); }
  void TearDown() override { fs::remove_all(other_); }

  RunFolder own_;
  /// Not in the user's cache, which is hidden.
  fs::path other_ = [] {
    std::string name = (fs::temp_directory_path() / "outside-XXXXXX").string();
    return fs::canonical(::mkdtemp(name.data()));
  }();
  Confinement may_{.writable = own_.path(),
                   .memory = 512u << 20,
                   .file_bytes = 1u << 20,
                   .seconds = 10,
                   .way = GetParam()};
  Cage cage_{may_};
};

TEST_P(Confined, WritesIntoItsFolderAlone) {
  if (!cage_.keeps_files()) GTEST_SKIP() << "this kernel offers no way";
  std::ofstream(outside("there")) << "as it was";
  const Ended e =
      shell("echo mine > mine && read -r a < mine && echo $a; echo > " + outside("new") + "; echo > " +
            outside("there") + "; exec 3>>" + outside("there") + "; echo more > /dev/null && echo done");
  EXPECT_THAT(e.output, HasSubstr("mine\n"));
  EXPECT_THAT(e.output, HasSubstr("done\n"));
  EXPECT_FALSE(fs::exists(outside("new"))) << e.output;
  std::string text;
  std::getline(std::ifstream(outside("there")), text);
  EXPECT_EQ(text, "as it was");
}

TEST_P(Confined, TakesNothingAway) {
  if (!cage_.keeps_files()) GTEST_SKIP() << "this kernel offers no way";
  std::ofstream(outside("there")) << "as it was";
  ::chmod(outside("there").c_str(), 0644);
  for (const char* command :
       {"rm -f ", "truncate -s 0 ", "chmod 777 ", "touch -d 2001-01-01 ", "ln -f /etc/passwd "})
    shell("exec " + std::string(command) + outside("there"));
  shell("exec mv -f " + outside("there") + " here");
  struct stat now {};
  ASSERT_EQ(::stat(outside("there").c_str(), &now), 0);
  EXPECT_EQ(now.st_size, 9);
  EXPECT_EQ(now.st_mode & 0777, 0644u);
  EXPECT_EQ(now.st_nlink, 1u);
}

TEST_P(Confined, ReadsWhatLiesBesideIt) {
  std::ofstream(outside("data.txt")) << "3 1 7\n";
  EXPECT_EQ(shell("read -r a < " + outside("data.txt") + " && echo $a").output, "3 1 7\n");
}

TEST_P(Confined, StartsNoProcess) {
  const Ended bomb = shell("f() { f | f & }; f; echo survived");
  EXPECT_THAT(bomb.output, HasSubstr("Operation not permitted"));
  EXPECT_THAT(shell("/bin/true & wait; echo alone").output, HasSubstr("Operation not permitted"));
}

TEST_P(Confined, ReachesNeitherTheNetworkNorOthers) {
  EXPECT_THAT(shell("echo > /dev/tcp/127.0.0.1/9").output, HasSubstr("Operation not permitted"));
  EXPECT_THAT(shell("kill -0 " + std::to_string(::getpid())).output, HasSubstr("Operation not permitted"));
  EXPECT_THAT(shell("kill -9 -1; echo alive").output, HasSubstr("alive"));
  EXPECT_THAT(shell("echo > /dev/tty; echo none").output, HasSubstr("none"));
}

/// Calls that no shell makes, by Perl, which Debian always has.
TEST_P(Confined, MakesNoCallThatReachesOthers) {
  const auto perl = [&](const std::string& script, const std::string& before = "") {
    const std::string made = "open(F, q(<), q(" + outside("there") + ")); " + before + "$r = " + script;
    return shell("exec perl -e '" + made + "; print defined($r) && $r >= 0 ? q(done) : $!'").output;
  };
  const auto call = [&](long number, const std::string& arguments) {
    return perl("syscall(" + std::to_string(number) + ", @a)",
                "@a = (" + arguments + "); ");  // it may change them
  };
  std::ofstream(outside("there")) << "as it was";
  const std::string parent = std::to_string(::getpid());
  const auto refused = HasSubstr("Operation not permitted");
  // who owns a file gets its signals
  EXPECT_THAT(perl("fcntl(F, 8, " + parent + ")"), refused);                                // F_SETOWN
  EXPECT_THAT(perl("fcntl(F, 10, 9)"), refused);                                            // F_SETSIG
  EXPECT_THAT(perl("ioctl(F, 0x8901, $b)", "$b = pack(q(i), " + parent + "); "), refused);  // FIOSETOWN
  EXPECT_THAT(perl("ioctl(F, 0x40086602, $b)", "$b = pack(q(L), 0x40); "), refused);        // FS_IOC_SETFLAGS
  EXPECT_THAT(perl("ioctl(F, 0x401c5820, $b)", "$b = pack(q(L7), (0) x 7); "), refused);  // FS_IOC_FSSETXATTR
  EXPECT_THAT(perl("ioctl(F, 0x5412, $b)", "$b = q(x); "), refused);                      // TIOCSTI
  EXPECT_THAT(perl("fcntl(F, 4, 020000)"), refused);                                      // F_SETFL, O_ASYNC
  EXPECT_EQ(perl("fcntl(F, 4, 02000)"), "done");                                          // O_APPEND
  EXPECT_THAT(perl("ioctl(F, 0x5452, $b)", "$b = pack(q(i), 1); "), refused);             // FIOASYNC
  EXPECT_THAT(call(SYS_shmat, "0, 0, 0"), refused);
  EXPECT_THAT(call(SYS_shmctl, "0, 0, 0"), refused);
  EXPECT_THAT(call(SYS_msgctl, "0, 0, 0"), refused);
  EXPECT_THAT(call(SYS_sched_setaffinity, parent + ", 8, pack(q(Q), 1)"), refused);
  EXPECT_THAT(call(SYS_sched_setparam, parent + ", pack(q(i), 0)"), refused);
  EXPECT_THAT(call(447, "0"), refused);                              // memfd_secret
  EXPECT_THAT(call(SYS_mmap, "0, 4096, 3, 0x122, -1, 0"), refused);  // MAP_GROWSDOWN
  // it ends with this program, and may be inspected
  EXPECT_THAT(call(SYS_prctl, "1, 0, 0, 0, 0"), refused);  // PR_SET_PDEATHSIG
  EXPECT_THAT(call(SYS_prctl, "4, 0, 0, 0, 0"), refused);  // PR_SET_DUMPABLE
  EXPECT_EQ(call(SYS_prctl, "3, 0, 0, 0, 0"), "done");     // PR_GET_DUMPABLE
  EXPECT_THAT(perl("ioctl(F, 0x5413, $b)", "$b = pack(q(S4), 0, 0, 0, 0); "),
              HasSubstr("Inappropriate ioctl"));              // TIOCGWINSZ: asked, of no terminal
  EXPECT_THAT(perl("ioctl(F, 0x40049409, 3)"), refused);      // FICLONE, and all that is not listed
  EXPECT_THAT(call(400, "0"), HasSubstr("not implemented"));  // no architecture has it
  // newer than what has been looked at: fchmodat2, setxattrat, and whatever comes
  for (const int number : {452, 463, 500})
    EXPECT_THAT(call(number, "-100, q(" + outside("there") + "), 0777, 0"), HasSubstr("not implemented"));
  EXPECT_EQ(call(SYS_sched_setaffinity, "0, 8, pack(q(Q), ~0)"), "done");  // its own is its own
}

TEST_P(Confined, HasAnEndToItsMemoryAndFiles) {
  EXPECT_THAT(shell("exec dd if=/dev/zero of=/dev/null bs=900M count=1").output, HasSubstr("memory"));
  const Ended e = shell("exec dd if=/dev/zero of=large bs=1M count=4");
  EXPECT_EQ(e.signal, SIGXFSZ);
  EXPECT_LE(fs::file_size(own_.path() / "large"), 1u << 20);
}

TEST_P(Confined, HasAnEndToAllItsFilesTogether) {
  Confinement of_files = may_, of_bytes = may_;
  of_files.files = 20;
  of_bytes.all_bytes = 3u << 20;
  for (const Confinement& may : {of_files, of_bytes}) {
    const Cage cage(may);
    const Ended e =
        run({.words = {"/bin/bash", "--norc", "-c",
                       "printf -v text %0900000d 7; for ((k = 0; k < 40; ++k)); do echo $text > "
                       "$((k % " +
                           std::to_string(may.files == 20 ? 40 : 5) + ")).txt; done; while :; do :; done"},
             .where = own_.path(),
             .seconds = 10,
             .cage = &cage});
    EXPECT_EQ(e.exceeded, Exceeded::disk);
    EXPECT_FALSE(e.out_of_time);
    for (int k = 0; k < 40; ++k) fs::remove(own_.path() / (std::to_string(k) + ".txt"));
  }
  EXPECT_EQ(shell("for ((k = 0; k < 40; ++k)); do echo > $k.txt; done").exceeded, Exceeded::nothing);
}

TEST_P(Confined, HasAnEndToFilesWithoutANameAndToThreads) {
  Confinement of_bytes = may_, of_threads = may_;
  of_bytes.all_bytes = 3u << 20;
  of_threads.threads = 8;
  const auto perl = [&](const Confinement& may, const std::string& script) {
    const Cage cage(may);
    return run(
        {.words = {"/usr/bin/perl", "-e", script}, .where = own_.path(), .seconds = 10, .cage = &cage});
  };
  const Ended files = perl(
      of_bytes,
      "for (1..8) { open($f[$_], '>', 'gone'); unlink 'gone'; print {$f[$_]} 'x' x 900000; $f[$_]->flush; } "
      "sleep 9");
  EXPECT_EQ(files.exceeded, Exceeded::disk) << files.output;
  const Ended threads = perl(of_threads, "use threads; threads->create(sub { sleep 9 }) for 1..20; sleep 9");
  EXPECT_EQ(threads.exceeded, Exceeded::threads) << threads.output;
  EXPECT_FALSE(files.out_of_time || threads.out_of_time);
}

TEST_P(Confined, LetsACompilerStartProcessesAndWriteIntoItsFolderAlone) {
  Confinement may = for_a_compiler(own_.path(), {}, 10);
  may.way = GetParam();
  const Cage cage(may);
  const Ended e =
      run({.words = {"/bin/bash", "--norc", "-c",
                     "/bin/echo started; echo > made && chmod 755 made && [ -x made ] && echo kept; "
                     "/bin/echo > " +
                         outside("new") + "; echo > /dev/tcp/127.0.0.1/9"},
           .where = own_.path(),
           .seconds = 10,
           .cage = &cage});
  EXPECT_THAT(e.output, HasSubstr("started\n"));
  EXPECT_THAT(e.output, HasSubstr("kept\n"));
  EXPECT_THAT(e.output, HasSubstr("Operation not permitted"));
  if (cage.keeps_files()) { EXPECT_FALSE(fs::exists(outside("new"))) << e.output; }
}

/// A process with its own namespace gets its own limits; all that a compiler starts counts together.
TEST_P(Confined, CountsAllThatACompilerStarts) {
  Confinement of_memory = for_a_compiler(own_.path(), {}, 20), of_threads = of_memory;
  of_memory.way = of_threads.way = GetParam();
  of_memory.memory = 300u << 20;
  of_threads.threads = 10;
  const auto ended = [&](const Confinement& may, const std::string& script) {
    const Cage cage(may);
    return run(
        {.words = {"/bin/bash", "--norc", "-c", script}, .where = own_.path(), .seconds = 60, .cage = &cage});
  };
  // Ten take 100 MB each, and while Perl copies the text twice that: less than any of them may.
  const Ended memory = ended(
      of_memory,
      "for k in 1 2 3 4 5 6 7 8 9 10; do perl -e '$n = 100 << 20; $x = q(x) x $n; sleep 50' & done; wait");
  EXPECT_EQ(memory.exceeded, Exceeded::memory) << memory.output;
  const Ended threads =
      ended(of_threads, "for k in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 50 & done; wait; sleep 50");
  EXPECT_TRUE(threads.exceeded == Exceeded::threads ||
              threads.output.find("Resource temporarily unavailable") != std::string::npos)
      << threads.output;
}

TEST_P(Confined, IsToldWhatItWorksBy) {
  ::setenv("SOME_TOKEN", "secret", 1);
  ::setenv("OMP_NUM_THREADS", "3", 1);
  const Ended e = run(
      {.words = {"/bin/bash", "--norc", "-c", "echo token:$SOME_TOKEN threads:$OMP_NUM_THREADS given:$MORE"},
       .where = own_.path(),
       .environment = {"MORE=this"},
       .cage = &cage_});
  ::unsetenv("SOME_TOKEN");
  ::unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(e.output, "token: threads:3 given:this\n");
}

TEST_P(Confined, StaysConfinedInWhatItBecomes) {
  EXPECT_THAT(
      shell("ulimit -d unlimited 2>&1; exec bash -c 'exec dd if=/dev/zero of=/dev/null bs=900M count=1'")
          .output,
      HasSubstr("memory"));
  if (cage_.keeps_files()) {
    shell("exec bash -c 'echo > " + outside("late") + "'");
    EXPECT_FALSE(fs::exists(outside("late")));
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Confined, testing::Values(Confinement::best, Confinement::mounts));

TEST(Child, EndsWhenItsTimeIsOver) {
  const Ended e =
      run({.words = {"/bin/bash", "--norc", "-c", "echo begun; while :; do :; done"}, .seconds = 0.1});
  EXPECT_TRUE(e.out_of_time);
  EXPECT_EQ(e.signal, SIGKILL);
  EXPECT_EQ(e.output, "begun\n");
}

TEST(Child, IsLimitedAsACompiler) {
  const RunFolder folder;
  Confinement may = for_a_compiler(folder.path(), {}, 10);
  may.memory = uint64_t(512) << 20;
  may.file_bytes = uint64_t(1) << 20;
  const Cage cage(may);
  const auto dd = [&](const std::string& arguments) {
    return run({.words = {"/bin/bash", "--norc", "-c", "exec dd if=/dev/zero " + arguments},
                .where = folder.path(),
                .cage = &cage});
  };
  EXPECT_THAT(dd("of=/dev/null bs=900M count=1").output, HasSubstr("memory"));
  EXPECT_EQ(dd("of=large bs=1M count=4").signal, SIGXFSZ);
  EXPECT_TRUE(dd("of=small bs=1K count=4").good());
  // a compiler's driver starts the compiler, the assembler and the linker
  const Ended driver = run({.words = {"/bin/bash", "--norc", "-c",
                                      "dd if=/dev/zero of=/dev/null bs=900M count=1; "
                                      "dd if=/dev/zero of=large bs=1M count=4; echo ended"},
                            .where = folder.path(),
                            .cage = &cage});
  EXPECT_THAT(driver.output, HasSubstr("memory"));
  EXPECT_THAT(driver.output, HasSubstr("ended"));
  EXPECT_LE(fs::file_size(folder.path() / "large"), 1u << 20);
}

TEST(Child, EndsWithWhatItHasStarted) {
  const auto began = std::chrono::steady_clock::now();
  const Ended e = run({.words = {"/bin/bash", "--norc", "-c", "sleep 100 & echo done"}, .seconds = 20});
  EXPECT_EQ(e.output, "done\n");
  EXPECT_EQ(e.exit, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

TEST(Child, IsGivenUp) {
  Progress progress;
  const ScopedAssign watched(current_progress, &progress);
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    progress.stop = true;
  });
  EXPECT_THROW(run({.words = {"/bin/sleep", "100"}, .seconds = 200}), Cancelled);
}

TEST(Child, SaysWhatItSaidUpToALimit) {
  const Ended e =
      run({.words = {"/bin/bash", "--norc", "-c", "for i in {1..2000}; do echo 0123456789; done; exit 7"},
           .most_output = 1000});
  EXPECT_EQ(e.output.size(), 1000u);
  EXPECT_TRUE(e.cut);
  EXPECT_EQ(e.exit, 7);
}

TEST(Child, CannotBeStarted) { EXPECT_THROW(run({.words = {"/nowhere/at/all"}}), SystemError); }

TEST(RunFolder, GoesAndTakesWithItWhatAKilledProgramLeft) {
  fs::path gone, left;
  {
    const RunFolder one;
    gone = one.path();
    left = one.path().parent_path() / "run-left-behind";
    fs::create_directories(left / "in");
    std::ofstream(left / "in-use") << "";
    const RunFolder other;
    EXPECT_TRUE(fs::exists(gone));
    EXPECT_FALSE(fs::exists(left));
  }
  EXPECT_FALSE(fs::exists(gone));
}

TEST(RunFolder, LooksLikeAFolderWithTheFilesThatAreNamed) {
  const RunFolder theirs, run;
  fs::create_directories(theirs.path() / "lab" / "data");
  for (const char* name : {"lab/a.cu", "lab/b.cu", "lab/data/in.txt", "beside.txt"})
    std::ofstream(theirs.path() / name) << "text";
  const fs::path lab = theirs.path() / "lab";
  const fs::path stand = mirrored(lab, run.path() / "files",
                                  {lab / "a.cu", lab / "data" / "in.txt", theirs.path() / "beside.txt"});
  EXPECT_TRUE(fs::exists(stand / "a.cu"));
  EXPECT_TRUE(fs::exists(stand / "data" / "in.txt"));
  EXPECT_TRUE(fs::exists(stand / ".." / "beside.txt"));
  EXPECT_FALSE(fs::exists(fs::symlink_status(stand / "b.cu")));
}

TEST(RunFolder, LooksLikeTheFolderOfTheProgram) {
  const RunFolder theirs, run;
  fs::create_directories(theirs.path() / "lab" / "data");
  std::ofstream(theirs.path() / "lab" / "data" / "in.txt") << "inner";
  std::ofstream(theirs.path() / "beside.txt") << "outer";
  const fs::path stand = mirrored(theirs.path() / "lab", run.path() / "files");
  EXPECT_TRUE(fs::exists(stand / "data" / "in.txt"));
  EXPECT_TRUE(fs::exists(stand / ".." / "beside.txt"));
  const fs::path deep = mirrored(theirs.path() / "lab" / "data", run.path() / "deep");
  EXPECT_TRUE(fs::exists(deep / "in.txt"));
  EXPECT_TRUE(fs::exists(deep / "../../beside.txt"));
  EXPECT_FALSE(fs::is_symlink(deep / ".."));
  std::ofstream(stand / "out.txt") << "new";
  EXPECT_FALSE(fs::exists(theirs.path() / "lab" / "out.txt"));
}

TEST(RunFolder, HoldsCopiesOfResultsThatAProgramWritesAgain) {
  const RunFolder theirs, run;
  for (const char* name : {"result.txt", "source.cu"}) std::ofstream(theirs.path() / name) << "before";
  fs::create_symlink(theirs.path() / "source.cu", theirs.path() / "link.txt");
  std::ofstream(theirs.path() / "large.bin") << "";
  fs::resize_file(theirs.path() / "large.bin", 17 << 20);
  fs::permissions(theirs.path() / "result.txt", fs::perms::owner_read);
  const fs::path stand = mirrored(theirs.path(), run.path() / "files");
  EXPECT_EQ(fs::last_write_time(stand / "result.txt"), fs::last_write_time(theirs.path() / "result.txt"));
  std::ofstream(stand / "result.txt") << "again";
  std::string now, kept;
  std::ifstream(stand / "result.txt") >> now;
  std::ifstream(theirs.path() / "result.txt") >> kept;
  EXPECT_EQ(now, "again");
  EXPECT_EQ(kept, "before");
  for (const char* name : {"source.cu", "link.txt", "large.bin"})
    EXPECT_TRUE(fs::is_symlink(stand / name)) << name;
}

}  // namespace
}  // namespace bscope::cuda
