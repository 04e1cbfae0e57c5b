// JSON written as it comes, for what is too large for a tree of values: of a long run a tree takes 3.5 times
// as long. Everything else is an nlohmann::ordered_json.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "engine/trace/json_text.hpp"

namespace bscope {

/// writer.object([&] { writer.member("n", 3); }): commas, quotes and brackets are its own matter.
class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}
  ~JsonWriter() { out_ << text_; }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  template <class Members>
  void object(Members members) {
    begin('{');
    members();
    end('}');
  }
  /// An array of values of several kinds.
  template <class Values>
  void tuple(Values values) {
    begin('[');
    values();
    end(']');
  }
  /// `one(x)` writes one value.
  template <class Range, class One>
  void array(const Range& range, One one) {
    tuple([&] {
      for (const auto& x : range) one(x);
    });
  }
  /// The next value belongs to this name: writer.name("lines").array(...)
  JsonWriter& name(std::string_view s) {
    quoted(s);
    text_ += ':';
    follows_ = false;
    return *this;
  }
  template <class V>
  void member(std::string_view s, const V& v) {
    name(s).value(v);
  }
  /// What comes next begins a line, behind so many blanks.
  JsonWriter& line(size_t blanks) {
    line_ = "\n" + std::string(blanks, ' ');
    return *this;
  }

  void value(std::string_view s) { quoted(s); }
  void value(const std::string& s) { quoted(s); }
  void value(const char* s) { quoted(s); }
  void value(std::nullptr_t) { raw("null"); }
  void value(const nlohmann::ordered_json& j) { raw(json_text(j)); }
  template <std::same_as<bool> B>
  void value(B b) {
    raw(b ? "true" : "false");
  }
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  void value(I i) {
    raw(fmt::format_int(i).c_str());
  }
  /// JSON already.
  void raw(std::string_view json) {
    comma();
    text_ += json;
    follows_ = true;
  }

 private:
  void comma() {
    if (follows_) text_ += ',';
    text_ += line_;
    line_.clear();
  }
  void begin(char bracket) {
    comma();
    text_ += bracket;
    follows_ = false;
  }
  void end(char bracket) {
    text_ += bracket;
    follows_ = true;
    if (text_.size() < 1 << 16) return;
    out_ << text_;
    text_.clear();
  }
  void quoted(std::string_view s) {
    const auto plain = [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; };
    if (!std::ranges::all_of(s, plain)) return raw(json_text(std::string(s)));
    comma();
    text_ += '"';
    text_ += s;
    text_ += '"';
    follows_ = true;
  }

  std::ostream& out_;
  std::string text_, line_;
  bool follows_ = false;  ///< a value stands before what comes next
};

}  // namespace bscope
