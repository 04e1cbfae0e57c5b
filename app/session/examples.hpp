// Files that come with the program, to open and look at.
#pragma once

#include <string>
#include <vector>

namespace bscope {

/// One of them.
struct Example {
  std::string path;
  std::string what;  ///< what opening it does, to be said
};
/// Sessions and traces, images and numbers, recorded times, by folder and name; empty where the program
/// stands without its assets.
std::vector<Example> examples();

}  // namespace bscope
