#include "engine/simt/algorithm.hpp"

namespace bscope {

std::map<std::string, Algorithm>& registered() {
  static std::map<std::string, Algorithm> algorithms;  // a function's own: kernel files register before main
  return algorithms;
}

std::string project_path(const std::string& file) {
  for (const char* folder : {"kernels/", "tests/"}) {
    if (file.starts_with(folder)) return file;
    if (const size_t at = file.rfind(std::string("/") + folder); at != std::string::npos)
      return file.substr(at + 1);
  }
  return file;
}

}  // namespace bscope
