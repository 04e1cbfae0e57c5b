#include "engine/cuda/runtime/settings.hpp"

#include "engine/trace/json_fields.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_settings = 16u << 20;

}  // namespace

RuntimeSettings RuntimeSettings::read() {
  RuntimeSettings settings;
  settings.folder = run_folder();
  RunSettings run;
  from_fields_json(run, parse_json(read_file(settings.folder / "run.json", most_settings), "run.json"), {});
  settings.name = run.name;
  for (const DeviceCode& device : run.device) settings.devices.push_back(settings.folder / device.ir);
  settings.our_folders = run.our_folders;
  settings.ours_on_device = run.ours_on_device.empty() ? run.our_folders : run.ours_on_device;
  settings.sources = run.sources;
  settings.schedule = parse_schedule(run.schedule);
  settings.native_asks = run.native_asks;
  settings.native_answers = run.native_answers;
  settings.limits.memory = run.limits.memory;
  settings.limits.launch_events = run.limits.launch_events;
  settings.limits.trace_events = run.limits.trace_events;
  settings.limits.shown_launches = run.limits.shown_launches;
  settings.limits.loop_turns = run.limits.loop_turns;
  settings.limits.unseen_alike = run.limits.unseen_alike;
  if (const DeviceModel* const model = device_model(run.device_model)) settings.limits.device = model;
  settings.seconds = run.limits.seconds;
  settings.patience = run.limits.patience.value_or(run.limits.seconds);
  return settings;
}

const UserSource* RuntimeSettings::source(const std::string& file) const {
  for (const UserSource& source : sources)
    if (source.file == file) return &source;
  // the debug information may say the path from the folder that the compiler was started in, or from the root
  for (const UserSource& source : sources)
    if (!source.file.empty() && (file.ends_with("/" + source.file) || source.file.ends_with("/" + file)))
      return &source;
  return nullptr;
}

}  // namespace bscope::cuda
