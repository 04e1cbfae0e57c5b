// Users' programs as a page's worker asks for them (own_code.js): a request and an answer in JSON.
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/cuda/toolchain/terms.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/scoped_assign.hpp"

// library.js
extern "C" {
void own_code_keep_trace(const std::byte* trace, size_t size);
/// `share`: of the work that is done, 0 to 1.
void own_code_tell(float share);
}

namespace bscope::cuda {
namespace {

enum class Extent : unsigned char { run, program, objects };
constexpr const char* names_of_extents[] = {"run", "program", "objects"};

struct RunRequest {
  Program program;
  std::string schedule;
  Terms terms;
  Extent until = Extent::run;
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("program", r.program);
    visit("schedule", r.schedule);
    visit("terms", r.terms);
    visit("until", r.until, Field{.among = {std::begin(names_of_extents), std::end(names_of_extents)}});
  }
};

ProgramRun compiled(const RunRequest& r) {
  const RunFolder folder;
  const Compiled c = compile(r.program, find_places(), folder.path(), r.terms.edits,
                             r.until == Extent::objects ? Until::objects : Until::program);
  ProgramRun run;
  run.diagnostics = c.diagnostics;
  run.compiled = c.done;
  run.text = c.first_text;
  run.program = r.program;
  return run;
}

nlohmann::ordered_json answer(std::string_view request) {
  RunRequest r;
  from_fields_json(r, parse_json(request, "the request"), "request");
  if (r.program.files.empty()) throw UsageError(message("the program has no files: name one"));
  const ProgramRun run =
      r.until == Extent::run ? run_program(r.program, parse_schedule(r.schedule), r.terms) : compiled(r);
  if (run.trace) {
    const std::vector<std::byte> trace = write_trace(*run.trace);
    ::own_code_keep_trace(trace.data(), trace.size());
  }
  return {{"run", to_fields_json(run)}};
}

/// The exceptions that run_program lists. Others are a fault of this module, which the worker's end tells.
nlohmann::ordered_json answer_or_refusal(std::string_view request) {
  const auto refusal = [](const char* kind, const Error& e) {
    return nlohmann::ordered_json{{"error", {{"kind", kind}, {"message", e.message().json()}}}};
  };
  try {
    return answer(request);
  } catch (const NoToolchain& e) { return refusal("no-toolchain", e); } catch (const UsageError& e) {
    return refusal("usage", e);
  } catch (const BadFile& e) { return refusal("bad-file", e); } catch (const SystemError& e) {
    return refusal("system", e);
  }
}

}  // namespace
}  // namespace bscope::cuda

/// The answer's memory is the caller's.
extern "C" [[gnu::used, gnu::visibility("default")]] char* own_code_run(const char* request) {
  bscope::Progress progress;
  progress.tell = [](const bscope::Progress& p) { ::own_code_tell(p.share()); };
  const bscope::ScopedAssign watched(bscope::current_progress, &progress);
  ::setenv("XDG_CACHE_HOME", "/barrierscope/work", 1);  // where run folders lie
  return ::strdup(bscope::json_text(bscope::cuda::answer_or_refusal(request)).c_str());
}
