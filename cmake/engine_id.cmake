# cmake -DOUT=file.hpp -DROOT=dir -DFILES=a|b|c -P engine_id.cmake: names the engine after what its headers say. Program
# and GPU module of one name have one layout of everything that goes between them.
string(REPLACE "|" ";" FILES "${FILES}")
set(all "")
foreach(file IN LISTS FILES)
  file(SHA256 "${ROOT}/${file}" hash)
  string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING "${hash}" 0 16 hash)
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#pragma once\n#define BARRIERSCOPE_ENGINE barrierscope_engine_${hash}\n")
