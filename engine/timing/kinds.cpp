#include "engine/timing/kinds.hpp"

#include <cstdlib>

#include "engine/simt/family.hpp"

namespace bscope {
namespace {

std::string parameter(const Record& r, const char* name) {
  const auto it = r.parameters.find(name);
  return it == r.parameters.end() ? std::string() : it->second;
}
bool zero(const std::string& value) { return std::strtod(value.c_str(), nullptr) == 0; }

}  // namespace

bool is_of_cpu(const Recording& run) {
  return run.driver.ends_with(" threads") || run.driver.ends_with(" thread");
}

std::string day_of(const Recording& run) { return run.date.substr(0, 10); }

bool is_limit(const Record& r) { return r.kernel.starts_with("copy/") || r.kernel.starts_with("read/"); }

bool is_reference(const Record& r) { return r.kernel.starts_with("cub/") || r.kernel.starts_with("thrust/"); }

bool is_baseline(const Record& r) { return r.kernel.starts_with("serial/") || r.kernel.starts_with("tbb/"); }

bool is_of_several(const Record& r) { return r.gpus > 1 || r.parameters.contains("exchange"); }

std::string keys_of(const Record& r) {
  const std::string entropy = parameter(r, "entropy"), skew = parameter(r, "skew"),
                    pattern = parameter(r, "pattern");
  if (!entropy.empty() && entropy != "1") return zero(entropy) ? "one key" : "entropy " + entropy;
  if (!zero(skew)) return skew == "1" ? "one key" : "skew " + skew;
  if (pattern == "ones" && family_of(r.family()).takes_keys) return "one key";
  if (pattern == "zipf") return pattern;
  return "uniform";
}

double unevenness(const std::string& keys) {
  if (keys == "uniform") return 0;
  if (keys == "one key") return 1;
  const double value = std::strtod(keys.substr(keys.find(' ') + 1).c_str(), nullptr);
  if (keys.starts_with("skew")) return 0.9 * value;
  if (keys.starts_with("entropy")) return 1 - 0.9 * value;
  return 0.05;
}

std::string short_device(const std::string& device) {
  std::string s = device;
  for (const char* noise : {"(R)", "(TM)", "NVIDIA ", "Intel ", "AMD ", "GeForce ", " Processor", " CPU"})
    if (const size_t at = s.find(noise); at != std::string::npos) s.erase(at, std::string(noise).size());
  if (const size_t at = s.find(" @"); at != std::string::npos) s.erase(at);
  // "H100 80GB HBM3": what tells it from others stands before
  if (const size_t memory = s.find("GB HBM"); memory != std::string::npos)
    if (const size_t space = s.rfind(' ', memory); space != std::string::npos) s.erase(space);
  while (s.ends_with(' ')) s.pop_back();
  return s.empty() ? device : s;
}

bool is_usual(const Record& r) { return !is_of_several(r) && keys_of(r) == "uniform"; }

}  // namespace bscope
