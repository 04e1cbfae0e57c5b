// Any text is a build file: it is read to its end, in bounded time and memory, or refused in words.
// How to run it: tests/fuzz/README.md.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace {

namespace fs = std::filesystem;

/// A folder with two sources, which the texts may name.
const fs::path& folder() {
  static const fs::path made = [] {
    std::string name = (fs::temp_directory_path() / "build-files-XXXXXX").string();
    const fs::path path = ::mkdtemp(name.data());
    for (const char* file : {"main.cu", "part.cu"}) bscope::write_whole(path / file, "int main() {}\n");
    return path;
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"Makefile", "CMakeLists.txt", "compile_commands.json"}) {
    const fs::path file = folder() / name;
    bscope::write_whole(file, text);
    try {
      for (const bscope::cuda::ProjectProgram& p : bscope::cuda::read_project(file).programs)
        if (p.files.empty()) std::abort();
    } catch (const bscope::BadFile&) {}
    fs::remove(file);
  }
  return 0;
}
