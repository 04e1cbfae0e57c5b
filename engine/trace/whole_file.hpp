// A file is written whole or not at all.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/trace/descriptor.hpp"

namespace bscope {

/// A file in the making. It has no name until it is kept, so that nothing remains of a program that is
/// killed; where the file system has no such files it lies beside its place, and the next file of that name
/// takes it away. Throws SystemError ("cannot write PATH: ...").
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path&);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  int descriptor() const { return descriptor_.get(); }
  void write(std::string_view bytes);
  /// Synced and put into its place: who reads meanwhile finds the old file. A link stays a link, the file's
  /// rights stay.
  void keep();

 private:
  [[noreturn]] void fail(int error) const;
  void open_named();
  void remove_left_over() const;
  std::string temporary_name() const;

  std::filesystem::path path_, place_;  ///< as named, and what a link leads to
  mode_t mode_ = 0;                     ///< of the file that is there; 0: none is
  std::string temporary_;               ///< its name while it has one
  Descriptor descriptor_{-1};
};

/// A whole file by a NewFile; a device or a pipe is written to. Throws SystemError.
void write_whole(const std::filesystem::path&, std::string_view bytes);
/// A file of a folder that is thrown away: written in place and not synced. Throws SystemError.
void write_scratch(const std::filesystem::path&, std::string_view bytes);

}  // namespace bscope
