// Names of kernels on screen.
#pragma once

#include <string>
#include <string_view>

namespace bscope {

struct Launch;
struct Parameter;
struct Trace;

/// The catalog's title of an algorithm ("Kogge-Stone"), or the last part of a name that is not in it.
std::string title_of(const std::string& kernel);
/// "Kogge-Stone scan": the title with its family, in the language that is spoken; another name as it is.
std::string full_title(const std::string& kernel);
/// Whether the launch is called what the user's code calls its kernel, which is the same in every language.
bool is_named_by_user(const Trace&, const Launch&);
/// A launch's name. Of a kernel of the catalog in the language that is spoken: traces hold it as English
/// text.
std::string launch_title(const Trace&, const Launch&);
/// "2: scan" of the number "2" and the gap tr(": "), in the language that is spoken. What changed memory
/// between launches has no number; a launch without a name is its number.
std::string numbered(const Trace&, const Launch&, const std::string& number, const std::string& gap);
/// A kernel's name without template arguments, which all its instantiations share: "sum" of "sum<int, 256>".
std::string_view template_name(std::string_view kernel);
/// "Reduction": the name of a family, in the language that is spoken.
std::string family_name(const std::string& family);
/// What a parameter of an algorithm means, in the language that is spoken.
std::string meaning_of(const Parameter& p);

}  // namespace bscope
