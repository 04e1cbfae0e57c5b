// A program's text as the things that it declares, and whether a student has changed more of them than
// allowed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda {

/// A function, a variable, a type, a line of the preprocessor: whatever stands outside all braces.
struct Item {
  std::string name;   ///< the first that it declares; empty: none
  std::string words;  ///< with one blank between them, without comments
  std::string head;   ///< those before its name
  int line = 0;
  bool function = false;
  bool for_device_only = false;  ///< __device__, and not __host__
  bool include = false;          ///< of a header of the system, <...>
  /// Its braces are what they seem, and it says nothing to the preprocessor but how often a loop is unrolled:
  /// what stands in it has no say in what stands behind it.
  bool plain = true;
};
std::vector<Item> items(std::string_view text);

/// Something that is not as it was given.
struct ItemChange {
  int line = 0;        ///< of the changed text; 0: what was given is missing
  std::string whose;   ///< the item's name, or its beginning
  bool added = false;  ///< what was given has none like it
};
/// The first item of `theirs` that differs from `given`, in order. Those named in `may_change` may have
/// another body, and new items for the device alone and headers of the system may be added.
std::optional<ItemChange> first_change(std::string_view given, std::string_view theirs,
                                       const std::vector<std::string>& may_change);

}  // namespace bscope::cuda
