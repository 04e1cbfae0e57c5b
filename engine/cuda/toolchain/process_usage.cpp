#include "engine/cuda/toolchain/process_usage.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

/// Of a file of /proc; empty: the process has ended.
std::string text_of(const fs::path& file) {
  try {
    return read_file(file, 1 << 16);
  } catch (const BadFile&) { return {}; }
}

/// A number of /proc/PID/status; 0: it has none.
uint64_t number_of(const std::string& status, std::string_view name) {
  const size_t at = status.find(name);
  return at == std::string::npos ? 0 : std::strtoull(status.c_str() + at + name.size(), nullptr, 10);
}

/// The session of a process, which it cannot leave: the filter has no setsid. 0: it has ended.
pid_t session_of(const fs::path& process) {
  const std::string stat = text_of(process / "stat");
  const size_t name_ends = stat.rfind(')');  // its name may hold anything
  if (name_ends == std::string::npos) return 0;
  std::istringstream rest(stat.substr(name_ends + 1));
  std::string state;
  pid_t parent = 0, group = 0, session = 0;
  rest >> state >> parent >> group >> session;
  return session;
}

std::vector<fs::path> processes_of_session(pid_t leader) {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }) &&
        session_of(at->path()) == leader)
      all.push_back(at->path());
  }
  return all;
}

using FileNumber = std::pair<dev_t, ino_t>;

uint64_t unnamed_bytes(const fs::path& process, std::set<FileNumber>& counted) {
  uint64_t all = 0;
  std::error_code error;
  for (fs::directory_iterator at(process / "fd", error), end; !error && at != end; at.increment(error))
    if (struct stat file{}; ::stat(at->path().c_str(), &file) == 0 && S_ISREG(file.st_mode) &&
                            file.st_nlink == 0 && counted.emplace(file.st_dev, file.st_ino).second)
      all += uint64_t(file.st_blocks) * 512;
  return all;
}

}  // namespace

ProcessUsage usage_of(pid_t pid, bool session) {
  ProcessUsage all;
  std::set<FileNumber> counted;
  const std::vector<fs::path> processes =
      session ? processes_of_session(pid) : std::vector{fs::path("/proc") / std::to_string(pid)};
  for (const fs::path& process : processes) {
    const std::string status = text_of(process / "status");
    for (const char* kind : {"RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"})
      all.memory += number_of(status, kind) * 1024;
    all.threads += unsigned(number_of(status, "Threads:"));
    all.unnamed_bytes += unnamed_bytes(process, counted);
  }
  return all;
}

}  // namespace bscope::cuda
