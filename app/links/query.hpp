// The text of a link: where its query begins, and how keys and values are written so that every program that
// hands a link on leaves it as it is.
#pragma once

#include <string>
#include <string_view>

#include "app/options/options.hpp"

namespace bscope {

/// Longer ones are cut somewhere on their way: servers take lines of 8 KB.
inline constexpr size_t longest_link = 8000;

/// Letters, digits and the characters of `kept` as they are, all else as %XX of its UTF-8 (RFC 3986).
std::string percent_encoded(std::string_view text, std::string_view kept);
/// "key=value&key=value". Letters and digits stay, and so does what a query may hold and a reader expects
/// (commas, slashes, colons); all else is %XX of its UTF-8.
std::string query_of(const Pairs&);
/// What stands behind the first ? or # of a link, without white space around it; all of it where there is
/// neither.
std::string_view query_in(std::string_view link);
/// The pairs of a link, in its order; a + is a space. Throws UsageError for what is too long, for a % that
/// is followed by no two digits, and for what is no text.
Pairs pairs_in(std::string_view link);
/// A link as it was written, from one that was decoded on its way: GLFW does that with what is dropped. What
/// stands behind a & without a = was no key.
std::string encoded_anew(std::string_view link);

}  // namespace bscope
