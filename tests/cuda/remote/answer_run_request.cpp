// answer_run_request TRACE: answers one request (engine/cuda/toolchain/run_request.hpp), from standard input
// to standard output, as the module of a page's worker does; the trace goes to the file.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "engine/cuda/toolchain/run_request.hpp"

int main(int count, char** words) {
  if (count != 2) return 2;
  const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << bscope::cuda::answer_run_request(request, [&](std::span<const std::byte> trace) {
    std::ofstream(words[1], std::ios::binary)
        .write(reinterpret_cast<const char*>(trace.data()), std::streamsize(trace.size()));
  });
}
