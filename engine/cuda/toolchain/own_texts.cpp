#include "engine/cuda/toolchain/own_texts.hpp"

#include <algorithm>
#include <iterator>

#include "engine/cuda/toolchain/paths.hpp"
#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
constexpr size_t most_own_text = size_t(8) << 20, most_own_headers = 200;

/// The names in #include "NAME".
std::vector<std::string> quoted_includes(std::string_view text) {
  const std::vector<Token> words = code_tokens(text);
  const auto word = [&](size_t k) { return text.substr(words[k].begin, words[k].end - words[k].begin); };
  std::vector<std::string> names;
  for (size_t k = 0; k + 2 < words.size(); ++k)
    if (words[k].directive && word(k) == "#" && word(k + 1) == "include" &&
        words[k + 2].kind == Token::text && word(k + 2).size() > 2)
      names.emplace_back(word(k + 2).substr(1, word(k + 2).size() - 2));
  return names;
}

/// A file's name in messages: its place from the program's first file on, or its name alone.
std::string shown(const fs::path& path, const fs::path& home) {
  const fs::path from_home = path.lexically_relative(home);
  const bool beneath = !from_home.empty() && *from_home.begin() != "..";
  return (beneath ? from_home : path.filename()).string();
}

}  // namespace

std::vector<OwnText> own_texts(const std::vector<std::string>& files,
                               const std::vector<std::string>& includes,
                               const std::function<bool(const fs::path&)>& may_read) {
  std::vector<OwnText> all;
  for (const std::string& file : files)
    all.push_back({absolute_path(file),
                   {fs::path(file).filename().string(), as_text(read_file(file, most_own_text), file)}});
  const fs::path home = all.empty() ? fs::path() : all.front().path.parent_path();
  const auto add = [&](const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored) || (may_read && !may_read(path))) return false;
    if (std::ranges::find(all, path, &OwnText::path) != all.end()) return true;
    try {
      all.push_back(
          {path, {shown(path, home), as_text(read_file(path, most_own_text), path.string()), true}, true});
    } catch (const BadFile&) { return false; }
    return true;
  };
  for (size_t k = 0; k < all.size(); ++k)
    for (const std::string& name : quoted_includes(all[k].text.text)) {
      if (all.size() > files.size() + most_own_headers) return all;
      std::vector<fs::path> folders = {all[k].path.parent_path()};
      folders.insert(folders.end(), includes.begin(), includes.end());
      for (const fs::path& folder : folders)
        if (add(absolute_path(folder / name))) break;
    }
  return all;
}

bool has_cuda_code(std::string_view text) {
  constexpr std::string_view marks[] = {"__global__", "__device__", "__shared__", "__constant__"};
  const bool any =
      std::ranges::any_of(marks, [&](std::string_view m) { return text.find(m) != std::string_view::npos; });
  if (!any && text.find("<<<") == std::string_view::npos) return false;
  const std::vector<Token> words = code_tokens(text);
  const auto word = [&](size_t k) { return text.substr(words[k].begin, words[k].end - words[k].begin); };
  for (size_t k = 0; k < words.size(); ++k) {
    if (words[k].directive) continue;
    if (words[k].kind == Token::name && std::ranges::find(marks, word(k)) != std::end(marks)) return true;
    const bool launch = words[k].kind == Token::sign && k + 2 < words.size() && word(k) == "<" &&
                        word(k + 1) == "<" && word(k + 2) == "<";
    if (launch) return true;
  }
  return false;
}

std::vector<std::string> cuda_files(const Program& p, const std::vector<OwnText>& own) {
  std::vector<std::string> all;
  const auto is_c = [](const fs::path& path) { return path.extension() == ".c"; };
  for (const OwnText& t : own) {
    if (t.header) continue;
    const bool named =
        std::ranges::any_of(p.cuda, [&](const std::string& f) { return absolute_path(f) == t.path; });
    if (named || is_cuda_source(t.path.string()) || (!is_c(t.path) && has_cuda_code(t.text.text)))
      all.push_back(t.path.string());
  }
  const bool by_header =
      std::ranges::any_of(own, [](const OwnText& t) { return t.header && has_cuda_code(t.text.text); });
  if (all.empty() && by_header && !own.empty() && !is_c(own.front().path))
    all.push_back(own.front().path.string());
  return all;
}

}  // namespace bscope::cuda
