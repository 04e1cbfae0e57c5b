#include "app/export/film.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/export/cairo.hpp"
#include "app/export/figure.hpp"
#include "app/run/run_store.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/parallel.hpp"
#include "engine/trace/whole_file.hpp"

extern char** environ;

namespace bscope {
namespace {

namespace fs = std::filesystem;

/// ffmpeg, fed with raw frames. It finds the file to write as a descriptor, for the file has no name yet;
/// its messages go into memory: whichever process is killed, nothing is left.
class Ffmpeg {
 public:
  Ffmpeg(int width, int height, int frames_per_second, const fs::path& target, const NewFile& file)
      : target_(target), complaints_(::memfd_create("ffmpeg says", MFD_CLOEXEC)) {
    if (complaints_.get() < 0)
      throw SystemError(message("cannot start ffmpeg"), {errno, std::generic_category()});
    const bool webp = target.extension() == ".webp";
    std::vector<std::string> words{"ffmpeg",     "-hide_banner",
                                   "-loglevel",  "error",
                                   "-nostdin",   "-y",
                                   "-f",         "rawvideo",
                                   "-pix_fmt",   "rgba",
                                   "-s",         fmt::format("{}x{}", width, height),
                                   "-framerate", std::to_string(frames_per_second),
                                   "-i",         "pipe:0"};
    // Players want colours at half the resolution, which needs even sides; text stays sharp at crf 16.
    const std::vector<std::string> how =
        webp ? std::vector<std::string>{"-c:v", "libwebp_anim", "-quality", "85", "-loop", "0", "-f", "webp"}
             : std::vector<std::string>{"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                        "-c:v",      "libx264",
                                        "-crf",      "16",
                                        "-preset",   "medium",
                                        "-pix_fmt",  "yuv420p",
                                        "-movflags", "+faststart",
                                        "-f",        "mp4"};
    words.insert(words.end(), how.begin(), how.end());
    words.push_back("file:/proc/self/fd/3");

    // A socket in place of a pipe: writing to a dead ffmpeg is then an error, not a signal.
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw SystemError(message("cannot start ffmpeg"), {errno, std::generic_category()});
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, complaints_.get(), 2);
    posix_spawn_file_actions_adddup2(&actions, file.descriptor(), 3);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int error = ::posix_spawnp(&child_, "ffmpeg", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    in_ = ends[1];
    if (!error) return;
    child_ = -1;
    ::close(in_);
    in_ = -1;
    if (error == ENOENT)
      throw Error(
          message("videos are made by the program ffmpeg, which is not here: install the Debian "
                  "package ffmpeg, or write a .png, .svg or .pdf"));
    throw SystemError(message("cannot start ffmpeg"), {error, std::generic_category()});
  }
  Ffmpeg(const Ffmpeg&) = delete;
  Ffmpeg& operator=(const Ffmpeg&) = delete;
  ~Ffmpeg() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      wait();
    }
  }

  void put(const std::vector<uint8_t>& bytes) {
    for (size_t done = 0; done < bytes.size();) {
      const ssize_t n = ::send(in_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) finish(true);
      done += size_t(n);
    }
  }
  /// No more frames: waits for ffmpeg to end. Throws what went wrong.
  void finish(bool broken = false) {
    const int status = wait();
    if (!broken && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    std::string said(4096, '\0'), last, line;
    const off_t length = ::lseek(complaints_.get(), 0, SEEK_END);
    const ssize_t n =
        ::pread(complaints_.get(), said.data(), said.size(), std::max<off_t>(0, length - off_t(said.size())));
    said.resize(size_t(std::max<ssize_t>(0, n)));
    std::istringstream in(said);
    while (std::getline(in, line))
      if (!line.empty()) last = line;
    const Message failed = message("ffmpeg could not write {}", target_.string());
    throw Error(last.empty() ? failed : message("{}: {}", failed, last));
  }

 private:
  int wait() {
    if (in_ >= 0) ::close(in_);
    in_ = -1;
    int status = 0;
    while (child_ > 0 && ::waitpid(child_, &status, 0) < 0 && errno == EINTR) {}
    child_ = -1;
    return status;
  }

  fs::path target_;
  Descriptor complaints_;
  pid_t child_ = -1;
  int in_ = -1;
};

}  // namespace

bool is_film(const fs::path& file) { return file.extension() == ".mp4" || file.extension() == ".webp"; }

std::vector<LoadedState> moments(LoadedState s, const Film& film) {
  const int last = std::clamp(film.to, 0, steps(*s.run) - 1), first = std::clamp(film.from, 0, last);
  const float ms = 1000.0f / float(std::max(1, film.frames_per_second));
  s = to_step(std::move(s), first);
  s.playing = true;
  if (!s.reduced_motion) s.cursor.phase = 0;
  std::vector<LoadedState> all;
  while (s.playing) {
    all.push_back(s);
    s = advanced(std::move(s), ms);
    // landed on the last step and held it: the end
    if (step_of(*s.run, s.cursor) > last) break;
  }
  return all;
}

bool write_film(const LoadedState& s, Figures& figures, const Film& film, int width, int height,
                const fs::path& file, const FilmProgress& progress) {
  if (!is_film(file))
    throw UsageError(message(
        "several steps make a video, or a picture each: name a file that ends in .mp4 or .webp, or one like "
        "step-%d.svg, not {}",
        file.string()));
  if (!tab_of(s).plays) throw UsageError(message("the Time view has no steps to play"));
  RunStore runs;
  const std::vector<LoadedState> all = moments(with_needs(s, runs), film);
  const Theme t = figure_theme(s, float(width), float(height));
  const Colour background = figure_background(s, t);
  const Metrics metrics = cairo_metrics();

  NewFile whole(file);  // the file's own place is tried before minutes of work
  Ffmpeg ffmpeg(width, height, film.frames_per_second, file, whole);
  // Pictures are made one after another, and rasterised side by side; a frame like the last is sent again.
  std::vector<uint8_t> last;
  for (size_t at = 0; at < all.size();) {
    struct Frame {
      Picture picture;
      int times = 1;
      std::vector<uint8_t> pixels = {};
    };
    std::vector<Frame> frames;
    while (at < all.size() && frames.size() < workers()) {
      if (at > 0 && all[at].cursor == all[at - 1].cursor) {
        if (frames.empty())
          ffmpeg.put(last);
        else
          ++frames.back().times;
      } else {
        frames.push_back({figures(all[at], t, metrics, float(width), float(height))});
      }
      ++at;
    }
    parallel(frames.size(), [&](size_t k) { frames[k].pixels = rasterise(frames[k].picture, background); });
    for (Frame& f : frames) {
      for (int i = 0; i < f.times; ++i) ffmpeg.put(f.pixels);
      last = std::move(f.pixels);
    }
    if (progress && !progress(int(at), int(all.size()))) return false;
  }
  ffmpeg.finish();
  whole.keep();
  return true;
}

}  // namespace bscope
