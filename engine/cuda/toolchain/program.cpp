#include "engine/cuda/toolchain/program.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "engine/cuda/run_files/device_model.hpp"
#include "engine/cuda/toolchain/paths.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

bool ends_in(const std::string& file, std::initializer_list<const char*> endings) {
  const fs::path ending = fs::path(file).extension();
  return std::ranges::any_of(endings, [&](const char* e) { return ending == e; });
}

}  // namespace

std::vector<std::string> device_model_names() {
  std::vector<std::string> all;
  for (const DeviceModel& m : device_models)
    if (!m.name.empty()) all.emplace_back(m.name);
  return all;
}

bool is_cuda_source(const std::string& file) { return ends_in(file, {".cu", ".CU"}); }
bool is_program(const std::string& file) {
  return is_cuda_source(file) || ends_in(file, {".cpp", ".cc", ".cxx", ".c"});
}

fs::path folder_of(const Program& p) {
  const fs::path of_file = absolute_path(p.files.front()).parent_path();
  return p.folder.empty() ? of_file : fs::path(p.folder);
}

std::string command_name(const Program& p) {
  return "./" + (p.name.empty() ? fs::path(p.files.front()).stem().string() : p.name);
}

bool is_allowed(const std::string& file, const std::vector<std::string>& allowed_folders) {
  const fs::path folder = absolute_path(file).parent_path();
  return std::ranges::any_of(allowed_folders, [&](const std::string& allowed) {
    const fs::path from_there = folder.lexically_relative(fs::path(allowed).lexically_normal());
    return !from_there.empty() && *from_there.begin() != "..";
  });
}

}  // namespace bscope::cuda
