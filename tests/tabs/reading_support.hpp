// What makes a picture hard to read, found in its data: texts that are cut, labels that run together, cells
// that hold a value and show none. Knows neither GoogleTest nor ImGui: unit tests and the driven window ask
// it.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"

namespace bscope {

/// What a picture's texts are: labels that each stand for themselves, or words of sentences and code, whose
/// pieces touch.
enum class Texts : uint8_t { labels, sentences };

/// A line for each fault: a text that ends in an ellipsis; of labels, two on one line that leave each other
/// less than a third of an em (half an em where no box's edge parts them); a value that stands on several
/// arrows; a cell that holds a value, has room for it and draws none (`asked`: after a step that is asked for
/// it may); narrow commas in Chinese; counts without commas. `code` is the source on screen: what ends in
/// points there is not cut.
std::vector<std::string> hard_to_read(const Picture&, const Theme&, Texts, bool asked = false,
                                      const std::string& code = {});

/// Whether a comma or semicolon of Latin letters stands beside a Chinese character, which has wide ones.
bool has_narrow_comma(const std::string& words);

/// Whether the text counts something from a thousand on without a comma: "1024 bytes". Not in code, where
/// numbers have none, nor of what only has a number: "line 1024".
bool has_ungrouped_count(const std::string& words);

/// Whether the text's end is left out. Not where the source on screen says so itself.
bool is_cut(const std::string& words, const std::string& code = {});

}  // namespace bscope
