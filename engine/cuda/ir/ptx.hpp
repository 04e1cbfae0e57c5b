// PTX that is written by hand, as a list of statements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda::ir {

struct PtxOperand {
  enum OperandKind : uint8_t {
    named,    ///< a register, "$0" of the C++ around, "%laneid"
    number,   ///< as written: 12, 0xff, 0f3F800000
    address,  ///< [parts[0] + offset]
    vector,   ///< {parts...}
    pair,     ///< parts[0]|parts[1]
  } kind = named;
  std::string text = {};
  int64_t offset = 0;
  bool negated = false;  ///< !p
  std::vector<PtxOperand> parts = {};
};

/// "@!p ld.global.v2.u32 {a, b}, [c+8];". A declaration ".reg .u32 a, b;" has the words "reg" and "u32".
struct PtxStatement {
  std::string guard = {};  ///< the predicate p; empty: always
  bool unless = false;
  std::string opcode = {};              ///< as written
  std::vector<std::string> words = {};  ///< between its dots
  std::vector<PtxOperand> operands = {};
};

/// `text`: as LLVM has it behind `asm`, without its escapes. Throws Unsupported where it is no straight line
/// of statements.
std::vector<PtxStatement> parse_ptx(std::string_view text);

}  // namespace bscope::cuda::ir
