#include "engine/cuda/runtime/settings.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_settings = 16u << 20;

void read_limits(const nlohmann::json& from, Settings& settings) {
  Limits& limits = settings.limits;
  limits.memory = from.value("memory", limits.memory);
  limits.launch_events = from.value("launch_events", limits.launch_events);
  limits.trace_events = from.value("trace_events", limits.trace_events);
  limits.shown_launches = from.value("shown_launches", limits.shown_launches);
  limits.loop_turns = from.value("loop_turns", limits.loop_turns);
  limits.unseen_alike = from.value("unseen_alike", limits.unseen_alike);
  settings.seconds = from.value("seconds", settings.seconds);
  settings.patience = from.value("patience", settings.seconds);
}

}  // namespace

Settings Settings::read() {
  const char* const folder = std::getenv("BARRIERSCOPE_RUN");
  if (!folder)
    throw std::runtime_error("this program was built to be run by barrierscope: barrierscope FILE.cu");
  Settings settings;
  settings.folder = folder;
  const auto run = nlohmann::json::parse(read_file(settings.folder / "run.json", most_settings));
  settings.name = run.value("name", settings.name);
  for (const auto& device : run.at("device"))
    settings.devices.push_back(settings.folder / device.at("ir").get<std::string>());
  for (const auto& ours : run.value("our_folders", nlohmann::json::array()))
    settings.our_folders.push_back(ours.get<std::string>());
  for (const auto& source : run.value("sources", nlohmann::json::array()))
    settings.sources.push_back({source.at("file"), source.at("shown"), source.at("text")});
  settings.schedule = parse_schedule(run.value("schedule", "to-barrier"));
  settings.native_asks = run.value("native_asks", "");
  settings.native_answers = run.value("native_answers", "");
  read_limits(run.value("limits", nlohmann::json::object()), settings);
  return settings;
}

const Settings::File* Settings::source(const std::string& file) const {
  for (const File& source : sources)
    if (source.file == file) return &source;
  // the debug information may say the path from the folder that the compiler was started in, or from the root
  for (const File& source : sources)
    if (!source.file.empty() && (file.ends_with("/" + source.file) || source.file.ends_with("/" + file)))
      return &source;
  return nullptr;
}

}  // namespace bscope::cuda
