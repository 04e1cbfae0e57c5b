// A range of steps as a video, by the program ffmpeg: moving as the app moves.
#pragma once

#include <filesystem>
#include <functional>

namespace bscope {

class Figures;
struct LoadedState;

/// Steps `from` to `to` of the run (clamped to it), each played and held as the app plays it.
struct Film {
  int from = 0, to = 0;
  int frames_per_second = 30;
};
/// Called with the number of frames done and of all frames. False stops: no file is left.
using FilmProgress = std::function<bool(int done, int all)>;

/// The moments that the film shows, one a frame: each step moves, lands and is held.
std::vector<LoadedState> moments(LoadedState, const Film&);
/// Whether the file's name says MP4 or animated WebP.
bool is_film(const std::filesystem::path&);
/// Writes the film, whole or not at all; returns false when stopped. Frames go to ffmpeg through a pipe as
/// they are drawn. Throws UsageError for a tab that has no steps, std::runtime_error where ffmpeg is missing
/// or fails, SystemError when the file cannot be written.
bool write_film(const LoadedState&, Figures&, const Film&, int width, int height,
                const std::filesystem::path&, const FilmProgress& = {});

}  // namespace bscope
