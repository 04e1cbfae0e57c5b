#include "app/run/machine_code.hpp"

#include "app/run/assets.hpp"
#include "app/words/words.hpp"

namespace bscope {

std::filesystem::path machine_code_folder() {
  const std::filesystem::path assets = assets_folder();
  return assets.empty() ? assets : assets / "machine-code";
}

std::string why_no_code(LaunchedCode::Availability why) {
  switch (why) {
    case LaunchedCode::there_is: break;
    case LaunchedCode::own_program:
      return tr("Machine code of people's own kernels is made from their .cu file: open that.");
    case LaunchedCode::unknown_kernel:
      return tr("This program has no kernel of this name, and no machine code of it.");
    case LaunchedCode::other_launches:
      return tr("This run was recorded with another version of the kernel: its machine code is not kept.");
    case LaunchedCode::no_assets:
      return tr("The program came without its assets, and so without machine code.");
    case LaunchedCode::unreadable:
      return tr("The file that holds this kernel's machine code is missing or damaged.");
    case LaunchedCode::no_such_form: return tr("No machine code is kept of this form of the kernel.");
    case LaunchedCode::no_such_kernel: return tr("nvcc has made no kernel that can be told to be this one.");
  }
  return {};
}

std::string words_of(Occupancy::Resource what) {
  switch (what) {
    case Occupancy::by_registers: return tr("registers");
    case Occupancy::by_shared: return tr("shared memory");
    case Occupancy::by_warps: return tr("warps");
    case Occupancy::by_blocks: break;
  }
  return tr("blocks");
}

std::string words_of(MachineInstruction::Category kind) {
  switch (kind) {
    case MachineInstruction::memory: return tr("memory");
    case MachineInstruction::exchange: return tr("exchange between lanes");
    case MachineInstruction::arithmetic: return tr("arithmetic");
    case MachineInstruction::barrier: return tr("barrier");
    case MachineInstruction::control: break;
  }
  return tr("control");
}

}  // namespace bscope
