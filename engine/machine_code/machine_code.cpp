#include "engine/machine_code/machine_code.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format_name = "barrierscope.machine-code/1";
constexpr size_t largest_file = size_t(16) << 20;
constexpr int instruction_bytes = 16;

bool begins_with_one_of(std::string_view opcode, std::initializer_list<std::string_view> all) {
  return std::ranges::any_of(all, [&](std::string_view one) { return opcode.starts_with(one); });
}

MachineCode read_form(const Json& file, const Json& form) {
  MachineCode c;
  file.at("architecture").get_to(c.architecture);
  file.at("nvcc").get_to(c.nvcc);
  file.at("kernel").get_to(c.kernel);
  file.at("source").get_to(c.source);
  form.at("registers").get_to(c.registers);
  form.at("stack").get_to(c.stack);
  form.at("local").get_to(c.local);
  form.at("shared").get_to(c.shared);
  const Json& texts = file.at("texts");
  for (const Json& run : form.at("code"))
    for (size_t k = 1; k < run.get_ref<const Json::array_t&>().size(); ++k)
      c.instructions.push_back({int(c.instructions.size()) * instruction_bytes, run.at(0).get<int>(),
                                texts.at(run.at(k).get<size_t>()).get<std::string>()});
  return c;
}

}  // namespace

std::string_view opcode_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, text.find_first_of(". "));
}

MachineInstruction::Category kind_of_opcode(std::string_view opcode) {
  if (begins_with_one_of(opcode, {"BAR", "DEPBAR", "LDGDEPBAR", "MEMBAR", "ERRBAR", "SYNCS", "FENCE",
                                  "WARPSYNC", "CCTL", "UCGABAR"}))
    return MachineInstruction::barrier;
  if (begins_with_one_of(opcode, {"SHFL", "VOTE", "MATCH", "REDUX", "CREDUX"}))
    return MachineInstruction::exchange;
  if (opcode == "LDC" || opcode == "LDCU") return MachineInstruction::arithmetic;
  if (begins_with_one_of(opcode, {"LD", "ST", "ATOM", "RED", "UBLK", "UTMA"}))
    return MachineInstruction::memory;
  if (begins_with_one_of(opcode, {"BRA", "BRX", "BSSY", "BSYNC", "BREAK", "BMOV", "EXIT", "CALL", "RET",
                                  "JMP", "JMX", "NOP", "YIELD", "NANOSLEEP", "KILL", "RPCMOV"}))
    return MachineInstruction::control;
  return MachineInstruction::arithmetic;
}

MachineInstruction::Category MachineInstruction::kind() const { return kind_of_opcode(opcode_of(text)); }

std::map<int, std::vector<const MachineInstruction*>> MachineCode::by_line() const {
  std::map<int, std::vector<const MachineInstruction*>> all;
  for (const MachineInstruction& i : instructions) all[i.line].push_back(&i);
  return all;
}

std::string machine_code_file(std::string_view key) {
  size_t length = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), length);
  const auto digits = size_t(end - key.data());
  if (error != std::errc() || length == 0 || length > key.size() - digits) return {};
  return std::string(key.substr(digits, length)) + ".json";
}

std::optional<MachineCode> read_machine_code(std::string_view text, std::string_view key,
                                             const std::string& name) {
  try {
    const Json file = try_parse_json(text).value_or(Json());
    if (file.at("format") != format_name)
      throw BadFile(message("{} is no file of machine code that this program reads.", name));
    for (const Json& form : file.at("forms"))
      if (form.at("key") == key) return read_form(file, form);
    return {};
  } catch (const Json::exception&) {
    throw BadFile(message("{} is no file of machine code: tools/machine_code.py writes such files.", name));
  }
}

std::optional<MachineCode> load_machine_code(const std::filesystem::path& path, std::string_view key) {
  return read_machine_code(read_file(path, largest_file), key, path.string());
}

}  // namespace bscope
