#!/usr/bin/env bash
# Times the kernels of the lessons' programs (assets/lessons/programs) at full size on this machine's GPU, in turn with
# cuBLAS, CUB and cuSPARSE: 20 runs of each, their median and spread, into a JSON file.
#
#   benchmarks/course_libraries.sh FILE.json [ARCH]     builds in a folder of its own and runs. ARCH: sm_90... (default:
#                                                       native). Needs nvcc and a GPU.
#   benchmarks/course_libraries.sh build FOLDER [ARCH]  builds FOLDER/course_libraries, which writes the JSON to stdout.
#                                                       Needs nvcc, no GPU.
#
# Exit 0: measured; 1: it does not build, or a run failed; 2: bad usage.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
usage() {
  echo "course_libraries.sh: $1; say: course_libraries.sh FILE.json [ARCH], or course_libraries.sh build FOLDER [ARCH]" >&2
  exit 2
}

# copy NAME CONSTANT=VALUE...: the program with these constants; AS names the copy.
copy() {
  python3 - "$here/assets/lessons/programs/$1.cu" "$folder/${AS:-$1}.cu" "${@:2}" <<'EOF'
import pathlib, re, sys
source, copy, *constants = sys.argv[1:]
text = pathlib.Path(source).read_text()
for name, value in (constant.split("=") for constant in constants):
    text, found = re.subn(rf"(?m)^(const .*\b{name} = )[^,;]+", rf"\g<1>{value}", text, count=1)
    if not found:
        sys.exit(f"{source} has no constant {name}")
pathlib.Path(copy).write_text(text)
EOF
}

build() {
  [ -x "$nvcc" ] || usage "there is no nvcc on this machine"
  mkdir -p "$folder"
  copy tiled_matmul N=4096 K=4096 M=4096 TILE=32
  copy transpose ROWS=16384 COLUMNS=16384
  AS=transpose_unpadded copy transpose ROWS=16384 COLUMNS=16384 PADDING=0
  copy compaction N=1\<\<26 BLOCK=1024 LIMIT=499
  copy bitonic_sort N=1\<\<25 BLOCK=1024
  copy radix_sort N=1\<\<25 BLOCK=1024 KEY_BITS=32 BITS=3
  copy merge A=1\<\<25 B=1\<\<25 BLOCK=256 ITEMS=8
  copy spmv BLOCK=256 LONG_ROW=256
  copy spmv_ell BLOCK=256
  "$nvcc" -O3 -std=c++20 -arch="$arch" -cudart static -I"$folder" -o "$folder/course_libraries" \
    "$here/benchmarks/course_libraries.cu" -lcublas -lcusparse
}

case ${1:-} in
  build)
    folder=${2:?"usage: course_libraries.sh build FOLDER [ARCH]"} arch=${3:-native}
    build
    ;;
  *.json)
    arch=${2:-native} folder=$(mktemp -d)
    trap 'rm -r "$folder"' EXIT
    build
    "$folder/course_libraries" >"$folder/times.json"
    mv "$folder/times.json" "$1"
    ;;
  *) usage "the file must end in .json" ;;
esac
