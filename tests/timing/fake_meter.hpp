// A device that is not there: every run takes as long as a test says.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/catalog.hpp"
#include "engine/timing/meter.hpp"

namespace bscope {

/// What happened on it, kept beside it so that it outlives it.
struct FakeDevice {
  std::string name = "A GPU for tests";
  /// Seconds of a run; may throw what a device would.
  std::function<double(const Algorithm&, const Problem&)> seconds = [](const Algorithm&, const Problem& p) {
    return 1e-6 + double(p.n()) * 1e-12;
  };
  std::function<void(const Algorithm&, const Problem&)> on_references = {};
  bool right = true, references_right = true;
  std::vector<std::string> measured = {};    ///< "scan/blelloch 1024"
  std::vector<std::string> referenced = {};  ///< "scan 1024"
  std::vector<Problem> problems = {};
  bool ended = false;
  Patience patience = {};
};

class FakeMeter : public Meter {
 public:
  explicit FakeMeter(FakeDevice& device, std::function<bool()> stop = {})
      : device_(device), stop_(std::move(stop)) {}
  Recording begin() override {
    run_ = {device_.name, "driver 1", "2026-01-02T03:04:05Z", 2000, 2200, 3000, 1980, 2619};
    return run_;
  }
  Record kernel(const Algorithm& a, const Problem& p) override {
    device_.measured.push_back(a.name + " " + std::to_string(p.n()));
    device_.problems.push_back(p);
    Record r = record(a.name, a, p, device_.seconds(a, p));
    r.correct = device_.right;
    if (stop_ && stop_()) r.samples.clear();
    return r;
  }
  std::vector<Record> references(const Algorithm& a, const Problem& p) override {
    device_.referenced.push_back(a.family() + " " + std::to_string(p.n()));
    if (device_.on_references) device_.on_references(a, p);
    std::vector<Record> all{record("cub/" + a.family(), a, p, 1e-6 + double(p.n()) * 2e-12),
                            record((a.family() == "scan" ? "copy/" : "read/") + a.family(), a, p,
                                   1e-6 + double(p.n()) * 0.5e-12)};
    for (Record& r : all) r.correct = device_.references_right;
    return all;
  }
  std::vector<Record> in_turn(const Algorithm& a, const Problem& p) override {
    std::vector<Record> all{kernel(a, p)};
    for (Record& r : references(a, p)) all.push_back(std::move(r));
    return all;
  }
  void end(Recording&) override { device_.ended = true; }

 private:
  Record record(const std::string& name, const Algorithm& a, const Problem& p, double seconds) const {
    Record r;
    r.kernel = name;
    r.n = p.n();
    r.type = a.family() == "histogram" ? "uint8" : p.set.contains("type") ? p.set.at("type") : "int32";
    r.bytes = bytes_to_move(a.family(), r.n, r.type);
    r.samples = {seconds * 0.99, seconds, seconds * 1.01};
    r.warm_samples = {seconds / 2};
    complete(r, run_);
    return r;
  }

  FakeDevice& device_;
  std::function<bool()> stop_;
  Recording run_;
};

}  // namespace bscope
