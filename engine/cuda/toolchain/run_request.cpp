#include "engine/cuda/toolchain/run_request.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/cuda/toolchain/terms.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"

namespace bscope::cuda {
namespace {

enum class Extent : unsigned char { run, program, objects };
constexpr const char* names_of_extents[] = {"run", "program", "objects"};

struct RunRequest {
  Program program;
  std::string schedule = "auto";
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

using KeepTrace = std::function<void(std::span<const std::byte>)>;

nlohmann::ordered_json answer(std::string_view request, const KeepTrace& keep_trace) {
  RunRequest r;
  from_fields_json(r, parse_json(request, "the request"), "request");
  if (r.program.files.empty()) throw UsageError(message("the program has no files: name one"));
  const ProgramRun run =
      r.until == Extent::run ? run_program(r.program, parse_schedule(r.schedule), r.terms) : compiled(r);
  if (run.trace) keep_trace(write_trace(*run.trace));
  return {{"run", to_fields_json(run)}};
}

nlohmann::ordered_json refusal(const char* kind, const Error& e) {
  return {{"error", {{"kind", kind}, {"message", e.message().json()}}}};
}

}  // namespace

std::string answer_run_request(std::string_view request, const KeepTrace& keep_trace) {
  try {
    return json_text(answer(request, keep_trace));
  } catch (const NoToolchain& e) {
    return json_text(refusal("no-toolchain", e));
  } catch (const UsageError& e) { return json_text(refusal("usage", e)); } catch (const BadFile& e) {
    return json_text(refusal("bad-file", e));
  } catch (const SystemError& e) { return json_text(refusal("system", e)); }
}

}  // namespace bscope::cuda
