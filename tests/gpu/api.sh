#!/usr/bin/env bash
# Records what the programs of tests/cuda/api print on a GPU: tests/recorded/api/NAME.txt, with which
# tests/scripts/api_test.py compares what they print here.
#
#   tests/gpu/api.sh [NAME...]     all programs, or those named. Needs nvcc and a GPU. $ARCH: native (default), sm_90...
#   OUT=FOLDER                     where the records go (default: tests/recorded/api)
#
# Exit 0: all recorded; 1: one does not compile, fails or does not end; 2: bad usage.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=${OUT:-$root/tests/recorded/api}
seconds=20 # that a program may take on the GPU
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -x "$nvcc" ]; then
  echo "api.sh: there is no nvcc on this machine; install the CUDA Toolkit" >&2
  exit 2
fi
[ $# -gt 0 ] || set -- $(basename -s .cu "$root"/tests/cuda/api/*.cu)
mkdir -p "$out"

record() {
  local name=$1 source=$root/tests/cuda/api/$1.cu libraries
  libraries=$(sed -n 's|^// nvcc: ||p' "$source")
  # shellcheck disable=SC2086 # several options
  if ! "$nvcc" -O2 -std=c++17 -arch="${ARCH:-native}" -rdc=true $libraries -o "$work/$name" "$source" >"$work/$name.log" 2>&1; then
    echo "FAIL $name does not compile:"
    head -5 "$work/$name.log"
    return 1
  fi
  timeout "$seconds" "$work/$name" >"$work/$name.txt" 2>/dev/null
  local code=$?
  if [ $code != 0 ]; then
    echo "FAIL $name ends with $code"
    return 1
  fi
  mv "$work/$name.txt" "$out/$name.txt"
  echo "recorded $name"
}
export -f record
export root out seconds nvcc work
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -c 'record {}'
[ $? = 0 ] || exit 1
