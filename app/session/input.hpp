// A session's input: where the elements come from. It is what the open request says (Field::input), and there
// is no copy: the fields of the window, session files, undo and the tabs' other runs all read it there.
// Here is how it changes, how it goes along to another kernel, and how it is shown.
#pragma once

#include <string>
#include <vector>

#include "engine/catalog/run_spec.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Run;
struct SetAside;
struct Target;

/// The run by its values: its input and its parameters, whatever file or preset they came from.
RunSpec spelled_out(const Run&);
/// What gave the run, as a request that can be changed: without file and preset.
RunSpec changeable(const Target&, const Run&);

// Changes of a target's input, which gave this run. Nothing of the input before stays that would contradict
// them; a preset's block and parameters stay, as their values.
/// A pattern (empty: the kernel's default), of as many elements as there are now.
RunSpec with_pattern(const Target&, const Run&, const std::string& pattern);
/// As many elements: those of a pattern, the first of given values, which begin again where there are too
/// few; of an image, scaled, at most so many pixels.
RunSpec with_length(const Target&, const Run&, long long n);
/// These values; `name`: of the file that they came in. None: back to the default pattern.
RunSpec with_numbers(const Target&, const Run&, std::vector<double> values, const std::string& name = {});
/// What this file holds. Throws UsageError.
RunSpec with_input_file(const Target&, const Run&, const std::string& path);

/// The kernel's own: its default pattern and length.
RunSpec with_own_input(const Target&, const Run&);
bool is_own_input(const RunSpec&);
/// The request on its pattern: without given values, image and preset.
RunSpec without_given(RunSpec);

/// A request for another kernel on the same input.
struct Carried {
  RunSpec request;
  Message refused;  ///< why that kernel does not take the input; then the request is on its default pattern
};
/// `from` for another kernel: pattern, values, image or preset go along where it takes them, and so do the
/// parameters that it has too. `run` is the one that `from` gave.
Carried carried(const RunSpec& from, const Run& run, const std::string& kernel);

/// What the field of typed values shows of a request: all of its values; empty where they come from a
/// pattern, an image or a preset, or are too many to type.
std::string typed_text(const RunSpec&);
/// What stands there paler where it is empty: the first `most` values that were run.
std::string first_values(const Run&, size_t most);
/// An input that waits, in a sentence.
std::string waiting(const SetAside&);
/// What the input is called: the pattern, the file, the preset, or "typed".
std::string input_called(const RunSpec&);

}  // namespace bscope
