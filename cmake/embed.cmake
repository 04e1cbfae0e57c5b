# cmake -DOUT=file.cpp -DROOT=dir -DFILES=a|b|c -P embed.cmake: writes source_text(), which knows the files' text.
string(REPLACE "|" ";" FILES "${FILES}")
set(rows "")
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" text)
  string(APPEND rows "    {\"${file}\", R\"bscope_text(${text})bscope_text\"},\n")
endforeach()
file(WRITE "${OUT}" "// Generated from the kernel files by cmake/embed.cmake.
#include \"engine/catalog/catalog.hpp\"

#include <utility>

namespace bscope {

std::string_view source_text(std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> files[] = {
${rows}    {\"\", \"\"},
  };
  for (const auto& [name, text] : files)
    if (name == path) return text;
  return {};
}

}  // namespace bscope
")
