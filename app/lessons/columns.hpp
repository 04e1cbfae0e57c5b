// A text in columns, and on further pages: where one column ends and the next begins.
#pragma once

#include <utility>
#include <vector>

#include "app/lessons/document.hpp"
#include "app/lessons/markdown.hpp"

namespace bscope {

struct Metrics;
struct Theme;

/// A text whose lines say in which of them a column begins (`MarkdownLine::new_box`).
struct ColumnText {
  std::vector<TextBlock> blocks;  ///< a paragraph that goes on in another column is two
  std::vector<MarkdownLine> lines;
  bool whole = true;  ///< no column ends within a sentence
};
/// In columns of these heights, page after page. A column ends with a paragraph where its page has room for
/// as much then, else with a sentence; questions and tables are not broken. The block `begins_page` begins
/// a page, if it is not 0.
ColumnText in_columns(std::vector<TextBlock>, const MarkdownOptions&, const Theme&, const Metrics&,
                      const std::vector<float>& heights, size_t begins_page = 0);
/// The halves of a paragraph's words, one pair for each sentence that ends before its last.
std::vector<std::pair<Spans, Spans>> parted_at_sentences(const Spans&);

}  // namespace bscope
