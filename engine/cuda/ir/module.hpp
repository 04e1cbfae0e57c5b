// Device code as LLVM's intermediate representation, in a form that can be walked through: what clang makes
// of a CUDA file with -O0, its types laid out, its registers numbered.
//
// A register holds one scalar. A value of several (a struct, a vector) takes as many registers, one behind
// the other, in the order in which its scalars lie in memory. The language:
// https://llvm.org/docs/LangRef.html.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/ir/instructions.hpp"

namespace bscope::cuda::ir {

/// How bits mean a number: a whole one, one with a fraction, or a bfloat16, which is as wide as half
/// precision.
enum class NumberFormat : uint8_t { integer, floating, brain };

/// A type and how it lies in memory: little endian, pointers of eight bytes.
struct Type {
  enum TypeID : uint8_t { none, integer, f16, bf16, f32, f64, pointer, array, vector, structure } kind = none;
  uint32_t bits = 0;                    ///< of an integer
  uint64_t count = 0;                   ///< elements of an array or a vector
  std::vector<const Type*> parts = {};  ///< a structure's members; the element of an array or a vector
  bool packed = false;

  uint64_t size = 0, align = 1;        ///< bytes
  uint32_t slots = 0;                  ///< scalars in it, each of which takes a register
  std::vector<uint64_t> offsets = {};  ///< of a structure's members, in bytes
  std::vector<uint32_t> first = {};    ///< of a structure's members: the scalars before them

  bool scalar() const { return kind >= integer && kind <= pointer; }
  NumberFormat format() const {
    return kind == bf16                 ? NumberFormat::brain
           : kind >= f16 && kind <= f64 ? NumberFormat::floating
                                        : NumberFormat::integer;
  }
  const Type& element() const { return *parts.front(); }
  /// The member or element of that number, where it begins in bytes and in scalars.
  struct TypeMember {
    const Type* type;
    uint64_t offset;
    uint32_t slot;
  };
  TypeMember part(uint64_t number) const;
  /// Of a scalar.
  int width() const { return kind == integer ? int(bits) : int(size * 8); }
};

/// Where a value stands: a register from 0 on, or ~n for the n-th of the function's constants.
using Operand = int32_t;

/// What an atomic access orders.
enum class Ordering : uint8_t { none, relaxed, acquire, release, both };

/// Where an instruction stands in the source.
struct Location {
  int file = -1;  ///< of Module::files
  uint32_t line = 0;
  int call = -1;  ///< of Module::library_calls, where it was inlined with one; -1: with none
};

struct Function;
struct Instruction {
  Opcode op{};
  uint8_t what = 0;            ///< a ComputeOp or an AtomicRmw
  uint8_t bits = 0, from = 0;  ///< width of each scalar; before a cast
  NumberFormat format = NumberFormat::integer;
  bool is_volatile = false;
  bool no_overflow = false;  ///< nsw: signed arithmetic, which C++ does not let overflow
  Ordering ordering = Ordering::none;
  Operand to = -1, a = 0, b = 0, c = 0;
  int64_t count = 0;
  const Type* type = nullptr;  ///< of the value that is made, loaded, stored or returned
  Location at;
  struct Scaled {
    Operand index;
    uint8_t bits;  ///< of the index
    int64_t stride;
  };
  std::vector<Scaled> scaled = {};                   ///< of an address
  std::vector<std::pair<uint64_t, int>> cases = {};  ///< value, block
  struct Argument {
    Operand value;
    const Type* type;
    uint32_t align;  ///< of what it points to, in bytes; 1 where nothing is said
  };
  std::vector<Argument> arguments = {};
  std::string callee = {};             ///< empty: through the pointer a
  const Function* function = nullptr;  ///< none: it is not defined here
};

/// What a block's register holds, by the block that one comes from.
struct Phi {
  Operand to = -1;
  const Type* type = nullptr;
  std::vector<std::pair<int, Operand>> from = {};
};
struct BasicBlock {
  std::vector<Phi> phis;
  std::vector<Instruction> body;
};

struct FunctionParameter {
  const Type* type = nullptr;
  const Type* by_value = nullptr;  ///< of what the pointer points to, where that is a copy (byval)
  std::string name = {},
              element = {};  ///< as the source has them: "in", and "unsigned int" behind all its pointers
};
/// A variable of the source inside a function.
struct LocalVariable {
  std::string name;
  uint32_t line = 0;  ///< of its declaration
};
struct Function {
  std::string name, source_name;  ///< mangled; as the source has it
  std::string library_name;       ///< "BlockReduce::Sum", of a library's collective function; else empty
  Location at;
  const Type* result = nullptr;
  std::vector<FunctionParameter> parameters;
  std::vector<BasicBlock> blocks;  ///< none: it is declared only
  std::vector<uint64_t> constants;
  int32_t registers = 0;
  std::map<Operand, LocalVariable> variables;  ///< by the register that holds the value, or its address
  std::vector<int> shared;                     ///< arrays in shared memory that it names (Module::globals)
  bool is_kernel = false;
  bool is_child_kernel = false;  ///< a kernel that device code may launch: one of the section bscope_kernel
  std::array<uint32_t, 3> cluster = {1, 1, 1};  ///< of a kernel: what __cluster_dims__ says
  uint32_t launch_bound = 0;  ///< of a kernel: most threads of a block, by __launch_bounds__; 0: none said
};

/// A variable outside functions, or an array in shared memory.
struct GlobalVariable {
  enum AddressSpace : uint8_t { generic = 0, device = 1, shared = 3, constant = 4 };
  std::string name, source_name, element;
  const Type* type = nullptr;
  int space = 0;
  bool external = false,  ///< it is declared only: another module has it
      is_constant = false,
       of_module = false;      ///< no other module sees it (static)
  std::vector<uint8_t> bytes;  ///< its first content; none: zeros
  uint64_t address = 0;
};

/// What the modules have that live beside this one: how many variables and functions, and which variables
/// they share (extern __device__), by mangled name.
struct Beside {
  uint64_t globals = 0, functions = 0;
  struct SharedSymbol {
    uint64_t address = 0;
    bool defined = false;  ///< else it is declared only, so far
  };
  std::map<std::string, SharedSymbol, std::less<>> shared = {};

  /// A variable of a module that has been read.
  void note(const GlobalVariable&);
};
struct Module {
  std::vector<std::unique_ptr<Type>> types;
  std::vector<GlobalVariable> globals;
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
  std::vector<const Function*>
      pointed_at;  ///< functions whose address is taken, in the order of the addresses
  std::vector<std::string> files;
  /// The calls of a library's collective functions that were inlined, each by the function's name.
  std::vector<std::string> library_calls;
  Beside beside;

  const Function* function(std::string_view name) const;
};

// The GPU's addresses, as kernels and their host see them: each kind of memory has 16 TB, each array a zone
// of its own in them, and begins in the zone's middle. So a pointer that runs before or behind its array
// still says whose it is. Allocations have large zones while there are any, then small ones.
inline constexpr uint64_t local_base = 1ull << 44, shared_base = 2ull << 44, device_base = 3ull << 44,
                          global_base = 4ull << 44, small_base = 5ull << 44, function_base = 6ull << 44;
/// Shared memory of another block of the cluster: its rank, then the address as its own block has it. The
/// host has no addresses there.
inline constexpr uint64_t cluster_base = 8ull << 44, most_rank = 15;
inline constexpr int rank_shift = 40;
inline constexpr int shared_shift = 28, zone_shift = 34, global_shift = 32, small_shift = 24, kind_shift = 44;
/// Variables of all modules together, each in a zone of its own.
inline constexpr uint64_t most_globals = 1ull << (kind_shift - global_shift);
inline constexpr uint64_t largest_global = 1ull << (global_shift - 1);
inline constexpr uint64_t function_step = 16;
constexpr uint64_t middle_of(uint64_t base, uint64_t number, int shift) {
  return base + (number << shift) + (1ull << (shift - 1));
}

/// A module as `clang -S -emit-llvm` writes it. Throws std::runtime_error, which says the line that it cannot
/// read; what can be read but not interpreted becomes Opcode::unsupported. `ours`: lines of files
/// in these folders are those of the place that they were inlined into.
Module read_module(std::string_view text, const std::vector<std::string>& ours = {}, Beside = {});

}  // namespace bscope::cuda::ir
