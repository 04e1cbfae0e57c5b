# cmake -DOUT=file.cpp -DTEMPLATE=file.in -DROOT=dir -DFILES=a|b|c -P embed.cmake: compiles files' texts in. OUT is the
# template, the files' names and texts in the place of @rows@: {"name", R"(text)"}, a line each.
string(REPLACE "|" ";" FILES "${FILES}")
set(rows "")
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" text)
  string(APPEND rows "    {\"${file}\", R\"bscope_text(${text})bscope_text\"},\n")
endforeach()
configure_file("${TEMPLATE}" "${OUT}" @ONLY)
