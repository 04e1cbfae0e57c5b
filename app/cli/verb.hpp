// A verb of the command line is one value: its name, its help, its options and what it does. It stands in a
// file of its own (app/cli/verbs) and registers itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bscope {

struct Console;
class Options;
struct Window;

/// What a verb does once its options are read. Returns the exit code.
using Action = std::function<int(Console&, const Window&)>;

struct Verb {
  const char* name;         ///< "show"; empty: the app itself, which opens without a verb
  const char* what;         ///< one line of the help, English (see `translated`)
  int place;                ///< in the help
  const char* footer = "";  ///< what its own help ends with
  /// Declares what it takes, and says what it does with it. The options live as long as the action.
  std::function<Action(Options&)> takes;
  /// Takes what follows its name as it is: the options are another program's. `takes` then declares none.
  std::function<int(const std::vector<std::string>&, Console&)> takes_line = {};
};

/// static const RegisterVerb show{{.name = "show", ...}}; it is known as long as this lives.
struct RegisterVerb {
  explicit RegisterVerb(Verb);
  ~RegisterVerb();
  RegisterVerb(const RegisterVerb&) = delete;
  RegisterVerb& operator=(const RegisterVerb&) = delete;

 private:
  const Verb verb_;
};

/// All of them, as the help lists them; the app itself is the first.
const std::vector<const Verb*>& verbs();

}  // namespace bscope
