// The errors of a command line that cannot be read, and what was probably meant.
#pragma once

#include "engine/trace/error.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace bscope {

/// `used`: the verb that `app` met, or `app` itself where there was none.
UsageError usage_error(const CLI::ParseError&, const CLI::App& app, const CLI::App& used);
/// Of a command line that names no verb: throws UsageError where its first word is a misspelt one.
void need_no_misspelt_verb(const CLI::App& app);

}  // namespace bscope
