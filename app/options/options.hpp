// The options of a verb. Each is declared once: its name, its help, how what is typed becomes which value,
// and whether a link may say it.
#pragma once

#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bscope {

/// What a link says: keys and values, decoded, in its order.
using Pairs = std::vector<std::pair<std::string, std::string>>;

class Options {
 public:
  using Read = std::function<void(const std::string& name, const std::string& typed)>;
  /// An option as it was declared.
  class Option {
   public:
    /// A link may say it, under its own name or this key: it names no file and nothing of this machine.
    void in_link(const char* key = "");

   private:
    friend class Options;
    CLI::Option* typed;
    bool repeated;
    Read read;                      ///< empty: a flag
    bool* flag = nullptr;           ///< where a flag goes
    std::vector<std::string> keys;  ///< of a link; none: no link may say it
  };

  /// Of this verb, which takes them from `app`; empty: of the app itself.
  Options(CLI::App& app, std::string verb) : app_(app), verb_(std::move(verb)) {}
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  const std::string& verb() const { return verb_; }
  /// Those declared from now on stand under this heading of the help.
  void group(const char* heading) { group_ = heading; }

  /// `names`: "-o,--output"; `type`: what the help calls its value. What is typed goes through
  /// `read(name, typed)` into `into`, once all is parsed: whatever `read` refuses is reported in words of
  /// ours.
  template <class T, class Reads>
  Option& option(const char* names, const char* type, const char* help, T& into, Reads read) {
    return add(names, type, help, false,
               [&into, read](const auto& name, const auto& typed) { into = read(name, typed); });
  }
  /// The same where `read(name, typed)` says itself where its values belong.
  template <class Reads>
  Option& option(const char* names, const char* type, const char* help, Reads read) {
    return add(names, type, help, false, read);
  }
  /// The same; `repeats`: it may be given several times.
  Option& custom_option(const char* names, const char* type, const char* help, bool repeats, Read read) {
    return add(names, type, help, repeats, std::move(read));
  }
  /// The same of one that may be repeated.
  template <class T, class Reads>
  Option& repeated(const char* names, const char* type, const char* help, std::vector<T>& into, Reads read) {
    return add(names, type, help, true,
               [&into, read](const auto& name, const auto& typed) { into.push_back(read(name, typed)); });
  }
  Option& flag(const char* name, const char* help, bool& into);
  /// Whether this word may follow those that were taken.
  using Follows = std::function<bool(const std::vector<std::string>&, const std::string&)>;
  /// What is no option, at most so many of them; more where they `follow`.
  Option& words(const char* name, const char* help, size_t most, std::vector<std::string>& into,
                Follows follow = {});
  /// What stands behind `--`. Where a verb does not say so, it takes nothing there.
  void rest(std::vector<std::string>& into) { rest_ = &into; }

  /// After the command line was parsed: reads all values, and those that `before`, the options of the app,
  /// took before the verb. `link`: what a link among the words says, as far as this verb takes it; what was
  /// typed goes before it. Throws UsageError.
  void read(const Options& before, const std::vector<std::string>& behind = {}, const Pairs& link = {});
  /// Reads what a link says, and nothing else. Throws UsageError for what links may not say, and for what
  /// is said twice.
  void read(const Pairs& link);
  /// Throws UsageError as `read` does for keys, and reads nothing.
  void need_keys(const Pairs& link) const;
  /// Whether a link may hold this under this key.
  bool has_key(const std::string& key) const { return with_key(key) != nullptr; }
  /// What links may say: each option's keys, the type of its value and its help.
  struct LinkKey {
    std::vector<std::string> names;
    std::string type, help;
  };
  std::vector<LinkKey> keys() const;
  /// The names of those that were given, by a link too, without what stood before the verb.
  std::vector<std::string> given() const;
  bool given(const std::string& name) const;
  bool by_link(const std::string& key) const;

 private:
  Option& add(const char* names, const char* type, const char* help, bool repeated, Read);
  /// What the app took before the verb must be something that the verb takes.
  void need_taken(const Options& before) const;
  const Option* with_key(const std::string& key) const;
  static void take(const Option&, const std::string& key, const std::string& value);

  CLI::App& app_;
  std::string verb_, group_;
  std::list<Option> declared_;
  Pairs link_;
  std::vector<std::string>* rest_ = nullptr;
};

/// Readers for Options::option, which throw UsageError. One of these words:
std::function<std::string(const std::string& name, const std::string& typed)> one_of(
    std::vector<std::string> choices);
/// Any word but an empty one, for which `otherwise` is said.
std::function<std::string(const std::string& name, const std::string& typed)> some_word(
    const char* otherwise);
/// A file to write whose name has one of these endings: another would mislead a later reader.
/// `also` takes other files, too.
std::function<std::string(const std::string& name, const std::string& typed)> file_to_write(
    const Options& of, std::vector<std::string> endings, std::function<bool(const std::string&)> also = {});

}  // namespace bscope
