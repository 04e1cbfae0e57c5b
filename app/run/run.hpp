// Opens runs: traced from a request, or read from a file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bscope {

struct Algorithm;
enum class Device;
struct OtherOrder;
struct Run;
struct RunSpec;
struct Schedule;
struct Trace;

/// Traces on the CPU (or GPU), analyses. Throws UsageError, NoDevice.
std::shared_ptr<const Run> open_run(const RunSpec&);
std::shared_ptr<const Run> open_run(const RunSpec&, Device);
/// `in_cuda`: with the lines of the kernel's CUDA program, where it has one (app/run/cuda_text).
std::shared_ptr<const Run> open_run(const RunSpec&, Device, const Schedule&, bool in_cuda = false);
/// Loads a .bscope file and analyses it. `session`, if given, receives the text that was saved with it.
/// Throws BadFile.
std::shared_ptr<const Run> open_file(const std::string& path, std::string* session = nullptr,
                                     bool in_cuda = false);

/// A trace and what is known of it, made where they stay. `other`: what a run in another order has shown.
std::shared_ptr<const Run> analysed(Trace&&);
std::shared_ptr<const Run> analysed(Trace&&, const OtherOrder& other);

/// Whether it takes longer than a frame to trace such a run, or to count what it did.
bool is_large(const Run&);

/// The catalog's entry of a kernel; null for one that this program does not have.
const Algorithm* algorithm_of(std::string_view kernel);
/// A parameter of the run, as text; empty if it has none of that name.
std::string parameter_of(const Trace&, std::string_view name);

/// The text as a whole number; nothing if it is anything else, or too large. A file's parameters are
/// untrusted text.
std::optional<long long> as_whole(std::string_view text);

}  // namespace bscope
