// A small HTTP server: a page's folder, and the compiler for the programs that users write in it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace bscope {

namespace cuda {
class PageTools;
}

struct ServerOptions {
  std::filesystem::path folder;           ///< the page's
  std::string address = "127.0.0.1";      ///< that it listens at
  unsigned short port = 8000;             ///< 0: any that is free
  int at_a_time = 2;                      ///< compilers
  size_t most_waiting = 1000;             ///< requests that wait for one
  size_t most_of_a_client = 4;            ///< of the same browser
  size_t most_request = size_t(8) << 20;  ///< bytes
  size_t most_kept = size_t(256) << 20;   ///< bytes of answers that are kept for equal requests
};

/// Serves until the process is asked to end (SIGINT, SIGTERM). `begun` gets the port. A POST to /tools is a
/// run of the compiler (engine/cuda/toolchain/page_tools.hpp); equal ones are answered from memory. Throws
/// UsageError for what is no IP address, SystemError where the port is not free.
void serve_page(const ServerOptions&, const cuda::PageTools&,
                const std::function<void(unsigned short)>& begun);

}  // namespace bscope
