#include "app/assignments/json_lines.hpp"

#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

namespace bscope {
namespace {

using Json = nlohmann::json;

/// Goes through a text and leaves behind how far the parser has read.
struct LineCounter {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* at;
  int* line;  ///< of what was read last
  reference operator*() const { return *at; }
  LineCounter& operator++() {
    *line += *at == '\n';
    ++at;
    return *this;
  }
  LineCounter operator++(int) {
    const LineCounter before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCounter& o) const { return at == o.at; }
  bool operator!=(const LineCounter& o) const { return at != o.at; }
};

/// Notes the line of each value that the parser comes by.
class Notes : public nlohmann::json_sax<Json> {
 public:
  explicit Notes(const int& line) : line_(line) {}
  std::map<std::string, int> lines;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool key(string_t& name) override {
    open_.back().name = name;
    lines[path()] = line_;
    return true;
  }
  bool start_object(std::size_t) override { return begins(false); }
  bool start_array(std::size_t) override { return begins(true); }
  bool end_object() override { return ends(); }
  bool end_array() override { return ends(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  struct Level {
    bool array;
    int index = 0;
    std::string name = {};
  };
  std::string path() const {
    std::string all;
    for (const Level& l : open_) all += "/" + (l.array ? std::to_string(l.index) : l.name);
    return all;
  }
  bool value() {
    if (open_.empty()) return true;
    lines.try_emplace(path(), line_);
    ++open_.back().index;
    return true;
  }
  bool begins(bool array) {
    lines.try_emplace(path(), line_);
    open_.push_back({array});
    return true;
  }
  bool ends() {
    open_.pop_back();
    if (!open_.empty()) ++open_.back().index;
    return true;
  }

  const int& line_;
  std::vector<Level> open_;
};

}  // namespace

std::map<std::string, int> json_lines(std::string_view text) {
  int line = 1;
  Notes notes(line);
  const LineCounter first{text.data(), &line}, last{text.data() + text.size(), &line};
  if (!Json::sax_parse(first, last, &notes)) return {};
  return std::move(notes.lines);
}

}  // namespace bscope
