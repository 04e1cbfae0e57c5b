#include "app/lessons/document.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <memory>

#include "app/draw/letters.hpp"

namespace bscope {
namespace {

/// Takes the parser's tree, node by node; nodes may lie in each other as deep as a text likes.
class TreeReader {
 public:
  std::vector<TextBlock> read(std::string_view text) {
    static const bool once = (cmark_gfm_core_extensions_ensure_registered(), true);
    (void)once;
    const std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser(
        cmark_parser_new(CMARK_OPT_VALIDATE_UTF8), cmark_parser_free);
    cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
    cmark_parser_feed(parser.get(), text.data(), text.size());
    const std::unique_ptr<cmark_node, void (*)(cmark_node*)> root(cmark_parser_finish(parser.get()),
                                                                  cmark_node_free);
    const std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> nodes(cmark_iter_new(root.get()),
                                                                   cmark_iter_free);
    for (cmark_event_type e; (e = cmark_iter_next(nodes.get())) != CMARK_EVENT_DONE;) {
      node_ = cmark_iter_get_node(nodes.get());
      take(cmark_node_get_type_string(node_), e == CMARK_EVENT_ENTER);
    }
    return std::move(blocks_);
  }

 private:
  void take(std::string_view type, bool enters) {
    const auto is = [&](auto... names) { return ((type == names) || ...); };
    if (is("strong", "emph")) bold_ += enters ? 1 : -1;
    if (is("block_quote")) quotes_ += enters ? 1 : -1;
    if (is("list") && enters) lists_.push_back(cmark_node_get_list_start(node_));
    if (is("list") && !enters) lists_.pop_back();
    if (is("link", "image")) link(enters);
    if (!enters) return;
    if (is("item")) {
      const bool counted = cmark_node_get_list_type(cmark_node_parent(node_)) == CMARK_ORDERED_LIST;
      mark_ = counted ? std::to_string(lists_.back()++) + "." : "\u2022";
    } else if (is("paragraph")) {
      begin(quotes_ ? TextBlock::question : lists_.empty() ? TextBlock::paragraph : TextBlock::item);
    } else if (is("heading")) {
      begin(TextBlock::heading);
    } else if (is("thematic_break")) {
      begin(TextBlock::rule);
    } else if (is("code_block")) {
      begin(TextBlock::code).text = literal();
      if (std::string& code = blocks_.back().text; code.ends_with('\n')) code.pop_back();
    } else if (is("html_block")) {
      begin(TextBlock::paragraph);
      std::string words = literal();
      if (words.ends_with('\n')) words.pop_back();
      std::ranges::replace(words, '\n', ' ');
      add(words);
    } else if (is("table")) {
      begin(TextBlock::table);
    } else if (is("table_header", "table_row")) {
      blocks_.back().rows.emplace_back();
    } else if (is("table_cell")) {
      words_ = &blocks_.back().rows.back().emplace_back();
    } else if (is("softbreak", "linebreak")) {
      broken_ = true;
    } else if (is("text", "html_inline")) {
      add(literal());
    } else if (is("code")) {
      add(literal(), true);
    }
  }

  std::string literal() const { return cmark_node_get_literal(node_); }
  int line() const { return std::max(0, cmark_node_get_start_line(node_) - 1); }

  void link(bool enters) {
    const std::string url = cmark_node_get_url(node_);
    if (url.empty()) return add(enters ? "[" : "]()");
    if (enters) linked_ = false;
    if (!enters && !linked_) add("");  // it is there, with no words to click
    link_ = enters ? url : "";
  }

  TextBlock& begin(TextBlock::BlockType kind) {
    blocks_.push_back({.kind = kind, .line = line()});
    TextBlock& b = blocks_.back();
    if (kind == TextBlock::item) {
      b.mark = std::move(mark_);
      b.level = int(std::min<size_t>(lists_.size(), 4)) - 1;
    }
    mark_.clear();
    words_ = &b.words;
    broken_ = false;
    return b;
  }

  void add(std::string words, bool code = false) {
    if (!words_) return;
    if (broken_ && !words.empty() && !words_->empty()) {
      const std::string& before = words_->back().words;
      const bool chinese = !before.empty() &&
                           is_wide(letter_at(before, cut_before(before, before.size() - 1)).code) &&
                           is_wide(letter_at(words, 0).code);
      // the space belongs to no link and no code
      if (!chinese) words_->push_back({.words = " ", .line = line()});
    }
    TextSpan span{std::move(words), bold_ > 0, code, link_, line()};
    if (!span.words.empty()) broken_ = false;
    linked_ = true;
    if (!words_->empty() && words_->back().like(span) && words_->back().line == span.line)
      words_->back().words += span.words;
    else
      words_->push_back(std::move(span));
  }

  cmark_node* node_ = nullptr;
  std::vector<TextBlock> blocks_;
  Spans* words_ = nullptr;  ///< what is filled
  int bold_ = 0, quotes_ = 0;
  std::vector<int> lists_;  ///< the next item's number of each that is open
  std::string link_, mark_;
  bool linked_ = false, broken_ = false;  ///< since: words were added to the link; a line has ended
};

}  // namespace

std::vector<TextBlock> read_markdown(std::string_view text) { return TreeReader().read(text); }

std::vector<Spans> prose_of(const std::vector<TextBlock>& blocks) {
  std::vector<Spans> all;
  for (const TextBlock& b : blocks) {
    if (!b.words.empty()) all.push_back(b.words);
    for (const auto& row : b.rows) all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace bscope
