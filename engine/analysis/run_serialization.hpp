// A run as bytes, for another process of this very program: a page's worker makes it, and has a memory of its
// own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace bscope {

struct Run;
struct Trace;

/// Takes the next bytes, in order.
using PutBytes = std::function<void(std::span<const std::byte>)>;
/// Fills in as many of the next bytes, in order.
using GetBytes = std::function<void(std::span<std::byte>)>;

/// Writes the analyses of a run, without its trace: the replay, the words and the lost updates.
void serialize_run(const Run&, const PutBytes&);
/// Reads what serialize_run wrote, beside the run's trace, in pieces that take less than a frame each. Trusts
/// the bytes: they are no file.
class RunDeserializer {
 public:
  RunDeserializer(Trace&&, GetBytes);
  ~RunDeserializer();
  /// Does the next piece; false: all are done.
  bool next();
  /// Of what is done.
  std::shared_ptr<const Run> take();

 private:
  struct Reader;
  std::unique_ptr<Reader> impl_;
};
/// The same at once.
std::shared_ptr<const Run> deserialize_run(Trace&&, const GetBytes&);

}  // namespace bscope
