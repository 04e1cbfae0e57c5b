// run.json: what the process that starts a user's program wants of the run. The runtime in the program's
// process reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/fields.hpp"

namespace bscope::cuda {

/// A module's device code.
struct DeviceCode {
  std::string ir;  ///< its file, in the run's folder
  template <class Self, class Visit>
  static void fields(Self& d, Visit&& visit) {
    visit("ir", d.ir, Field{.required = true});
  }
};

/// A file of the user's: its path in the debug information, the name for messages, the path of its text.
struct UserSource {
  std::string file, shown, text;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("file", s.file, Field{.required = true});
    visit("shown", s.shown, Field{.required = true});
    visit("text", s.text, Field{.required = true});
  }
};

/// What a program may take. The process that starts it keeps to the same figures, so that the runtime can say
/// whose fault it was.
struct RunLimits {
  uint64_t memory = uint64_t(2) << 30;  ///< bytes of all arrays together
  uint64_t launch_events = 4u << 20;    ///< of one launch that is shown
  uint64_t trace_events = 8u << 20;     ///< after these no further launch is shown
  int shown_launches = 4;               ///< of each kernel
  uint64_t loop_turns = 30'000'000;     ///< of one thread
  bool unseen_alike = true;             ///< launches that are not shown run in the same order
  double seconds = 0;                   ///< of the processor; after these the program is stopped; 0: never
  std::optional<double> patience = {};  ///< the same of the clock on the wall; none: as many
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    visit("memory", l.memory);
    visit("launch_events", l.launch_events);
    visit("trace_events", l.trace_events);
    visit("shown_launches", l.shown_launches);
    visit("loop_turns", l.loop_turns);
    visit("unseen_alike", l.unseen_alike);
    visit("seconds", l.seconds);
    visit("patience", l.patience);
  }
};

struct RunSettings {
  std::string name = "program";
  std::vector<DeviceCode> device = {};        ///< by module, as host objects name them
  std::vector<std::string> our_folders = {};  ///< lines of files in these are not the user's
  /// The same for device code, where some libraries are opened: paths of folders and files. Empty:
  /// our_folders.
  std::vector<std::string> ours_on_device = {};
  std::vector<UserSource> sources = {};
  std::string schedule = "to-barrier";
  std::string native_asks = {}, native_answers = {};  ///< folders; empty: there is no service
  std::string device_model = {};                      ///< "sm_90"; empty: the fictitious device
  RunLimits limits = {};
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("name", s.name);
    visit("device", s.device, Field{.required = true});
    visit("our_folders", s.our_folders);
    visit("ours_on_device", s.ours_on_device);
    visit("sources", s.sources);
    visit("schedule", s.schedule);
    visit("native_asks", s.native_asks);
    visit("native_answers", s.native_answers);
    visit("device_model", s.device_model);
    visit("limits", s.limits);
  }
};

}  // namespace bscope::cuda
