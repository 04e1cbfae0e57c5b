// barrierscope.in_place/1: written and read.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format_name = "barrierscope.in_place/1";
constexpr size_t largest_file = size_t(64) << 20, most_kernels = 10'000, most_samples = 10'000;

/// 0 stands for unknown: null in the file.
Json known(double v) { return v > 0 ? Json(v) : Json(nullptr); }

Json json_of(const OutputDifference& d) { return {{"line", d.line}, {"a", d.a}, {"b", d.b}}; }

Json json_of(const OutputCheck& c) {
  return {{"alike", names_of_alike[int(c.alike)]},
          {"line", c.first.line},
          {"on_gpu", c.first.a},
          {"on_cpu", c.first.b},
          {"exit_on_gpu", c.exit_gpu},
          {"exit_on_cpu", c.exit_cpu},
          {"excuse", c.excuse},
          {"wrong", c.wrong()}};
}

Json json_of(const TimedKernel& k) {
  return {{"kernel", k.shape.kernel},       {"grid", k.shape.grid},
          {"block", k.shape.block},         {"shared", k.shape.shared},
          {"launches", k.launches},         {"median_s", k.seconds.median},
          {"min_s", k.seconds.least},       {"max_s", k.seconds.most},
          {"noise", k.seconds.noise},       {"total_s", k.total_seconds},
          {"samples", k.samples},           {"bytes", known(k.bytes)},
          {"gb_per_s", known(gb_per_s(k))}, {"fetched_bytes", known(k.fetched)},
          {"estimated", k.estimated}};
}

/// Reads members; what is missing or of another kind is as if it were not there, a missing necessary one is
/// an error.
class MemberReader {
 public:
  MemberReader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail("is not an object");
  }
  const Json* member(const char* key) const {
    const auto it = object_.find(key);
    return it == object_.end() || it->is_null() ? nullptr : &*it;
  }
  std::string text(const char* key) const {
    const Json* v = member(key);
    return v && v->is_string() ? as_shown(v->get_ref<const std::string&>()) : "";
  }
  double number(const char* key) const {
    const Json* v = member(key);
    const double x = v && v->is_number() ? v->get<double>() : 0;
    if (!std::isfinite(x) || x < 0) fail(std::string("has a \"") + key + "\" that is no number from 0 up");
    return x;
  }
  int whole(const char* key) const {
    const Json* v = member(key);
    const double x = v && v->is_number() ? v->get<double>() : 0;
    return int(std::clamp(std::isfinite(x) ? x : 0, -1e9, 1e9));
  }
  template <class One>
  void each(const char* key, size_t most, One one) const {
    const Json* v = member(key);
    if (!v || !v->is_array()) fail(std::string("has no list \"") + key + "\"");
    for (size_t k = 0; k < std::min(most, v->size()); ++k) one((*v)[k], k);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw BadFile(where_ + " " + what + ": measure again with `barrierscope time FILE.cu -o FILE.json`");
  }
  const std::string& where() const { return where_; }

 private:
  const Json& object_;
  std::string where_;
};

std::array<uint64_t, 3> extent(const MemberReader& r, const char* key) {
  std::array<uint64_t, 3> all{1, 1, 1};
  r.each(key, all.size(), [&](const Json& v, size_t k) {
    if (!v.is_number_unsigned() || v.get<uint64_t>() < 1 || v.get<uint64_t>() >= uint64_t(1) << 32)
      r.fail(std::string("has a \"") + key + "\" that is no extent");
    all[k] = v.get<uint64_t>();
  });
  return all;
}

TimedKernel kernel_of(const MemberReader& r) {
  TimedKernel k;
  k.shape = {r.text("kernel"), extent(r, "grid"), extent(r, "block"),
             uint64_t(std::min(1e9, r.number("shared")))};
  k.launches = std::max(1, r.whole("launches"));
  r.each("samples", most_samples, [&](const Json& v, size_t) {
    if (!v.is_number() || !(v.get<double>() >= 0)) r.fail("has \"samples\" that are no seconds");
    k.samples.push_back(v.get<double>());
  });
  if (k.samples.empty()) r.fail("has no \"samples\"");
  k.seconds = summarise(k.samples);
  k.total_seconds = r.number("total_s");
  k.bytes = r.number("bytes");
  k.fetched = r.number("fetched_bytes");
  if (const Json* estimated = r.member("estimated")) k.estimated = *estimated == true;
  return k;
}

OutputDifference difference_of(const MemberReader& r, const char* a, const char* b) {
  return {r.whole("line"), r.text(a), r.text(b)};
}

OutputCheck check_of(const MemberReader& r) {
  OutputCheck c;
  const auto* const name = std::ranges::find(names_of_alike, r.text("alike"));
  if (name == std::end(names_of_alike)) r.fail("has no \"alike\" that is known");
  c.alike = Alike(name - std::begin(names_of_alike));
  c.first = difference_of(r, "on_gpu", "on_cpu");
  c.exit_gpu = r.whole("exit_on_gpu");
  c.exit_cpu = r.whole("exit_on_cpu");
  c.excuse = r.text("excuse");
  return c;
}

Json parsed(std::string_view text, const std::string& name) {
  const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > 8) throw BadFile("nested too deeply");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), shallow, true);
  } catch (const std::exception&) {
    throw BadFile(name +
                  " is no JSON: it is no recording, or only a part of one; measure again with "
                  "`barrierscope time FILE.cu -o FILE.json`");
  }
}

}  // namespace

std::string to_json(const InPlace& p) {
  Json all{{"format", format_name},
           {"program", p.program},
           {"device", p.device},
           {"driver", p.driver},
           {"date", p.date},
           {"copy_gb_per_s", known(p.copy_gb_per_s)},
           {"peak_gb_per_s", known(p.peak_gb_per_s)},
           {"empty_s", known(p.empty_seconds)},
           {"runs", p.runs},
           {"exit", p.exit},
           {"ended", p.ended},
           {"notes", p.notes},
           {"check", p.check ? json_of(*p.check) : Json(nullptr)},
           {"unsteady", p.unsteady ? json_of(*p.unsteady) : Json(nullptr)},
           {"output", p.output}};
  // one kernel a line: readable, and a change of one is one line of a diff
  std::string text = all.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.back() = ',';
  text += "\"kernels\":[";
  const char* separator = "\n";
  for (const TimedKernel& k : p.kernels) {
    text += separator + json_of(k).dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n";
  }
  return text + "\n]}\n";
}

bool is_in_place(std::string_view json) {
  return json.substr(0, 200).find(format_name) != std::string_view::npos;
}

InPlace read_in_place(std::string_view text, const std::string& name) {
  const Json all = parsed(text, name);
  const MemberReader top(all, name);
  if (top.text("format") != format_name)
    top.fail("is of the format \"" + top.text("format") + "\", not " + format_name);
  InPlace p;
  p.program = top.text("program");
  p.device = top.text("device");
  p.driver = top.text("driver");
  p.date = top.text("date");
  p.copy_gb_per_s = top.number("copy_gb_per_s");
  p.peak_gb_per_s = top.number("peak_gb_per_s");
  p.empty_seconds = top.number("empty_s");
  p.runs = top.whole("runs");
  p.exit = top.whole("exit");
  p.ended = top.text("ended");
  if (const Json* output = top.member("output"); output && output->is_string())
    p.output = output->get<std::string>();
  if (top.member("notes"))
    top.each("notes", 100, [&](const Json& v, size_t) {
      if (v.is_string()) p.notes.push_back(as_shown(v.get_ref<const std::string&>()));
    });
  if (const Json* check = top.member("check")) p.check = check_of(MemberReader(*check, name + ": its check"));
  if (const Json* unsteady = top.member("unsteady"))
    p.unsteady = difference_of(MemberReader(*unsteady, name + ": its difference"), "a", "b");
  top.each("kernels", most_kernels, [&](const Json& v, size_t k) {
    p.kernels.push_back(kernel_of(MemberReader(v, name + ": kernel " + std::to_string(k))));
  });
  return p;
}

InPlace load_in_place(const std::filesystem::path& path) {
  return read_in_place(as_text(read_file(path, largest_file), path.string()), path.string());
}

void save_in_place(const InPlace& p, const std::filesystem::path& path) { write_whole(path, to_json(p)); }

}  // namespace bscope::cuda
