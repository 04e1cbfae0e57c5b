// What nvcc makes of a kernel: the instructions (SASS) of its timed form, by the lines that they were made
// from, and what it takes of a multiprocessor. tools/machine_code.py writes the files (assets/machine-code).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope {

struct MachineInstruction {
  enum Category : uint8_t {
    memory,      ///< reads or writes memory, or has the copy engine do it
    exchange,    ///< lanes hand each other values
    arithmetic,  ///< and whatever moves values between registers, constants and arguments among it
    barrier,     ///< waits for other threads, or orders accesses
    control      ///< goes elsewhere, or ends
  };
  int address = 0;
  int line = 0;      ///< of the kernel's file; 0: of none
  std::string text;  ///< "@!P0 LDG.E R13,[R4.64]"
  Category kind() const;
};
inline constexpr int machine_kinds = MachineInstruction::control + 1;

/// One form of a kernel.
struct MachineCode {
  std::string architecture, nvcc, kernel, source;
  int registers = 0;         ///< of a thread
  int stack = 0, local = 0;  ///< bytes of a thread: spilled registers, arrays that are indexed
  uint32_t shared = 0;       ///< bytes that a block has without asking; what the launch asks for comes on top
  std::vector<MachineInstruction> instructions;  ///< by address
  /// The instructions of each line, by address.
  std::map<int, std::vector<const MachineInstruction*>> by_line() const;
};

/// The opcode without predicate and suffixes: "LDG".
std::string_view opcode_of(std::string_view instruction);
MachineInstruction::Category kind_of_opcode(std::string_view opcode);

/// The file that holds a form, from its key (LaunchedForm): "Blelloch.json"; empty for what is no key.
std::string machine_code_file(std::string_view key);
/// The form of that key; nothing if the text holds none of that key. `name` is said in errors. Trusts
/// nothing: throws BadFile with one sentence.
std::optional<MachineCode> read_machine_code(std::string_view json, std::string_view key,
                                             const std::string& name);
/// The same of a file.
std::optional<MachineCode> load_machine_code(const std::filesystem::path&, std::string_view key);

}  // namespace bscope
