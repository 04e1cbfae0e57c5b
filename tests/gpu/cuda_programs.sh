#!/usr/bin/env bash
# Checks that the catalog's CUDA programs (kernels/*/cuda) compile with nvcc without a warning, and print on a GPU what
# they print here.
#
#   tests/gpu/cuda_programs.sh FOLDER [ARCH]         on one machine with nvcc and a GPU: build, then run
#   tests/gpu/cuda_programs.sh build FOLDER [ARCH]   nvcc's programs, and what barrierscope says they print. ARCH: sm_90...
#                                                    (default: native; the copy engine's need sm_90 or higher). PROGRAM:
#                                                    barrierscope's (default: build/release/barrierscope). Needs nvcc and
#                                                    Python, no GPU.
#   tests/gpu/cuda_programs.sh run FOLDER            runs them and compares. Needs a GPU and nothing else.
#
# Where the order of the threads decides (a race, a barrier that is not met), a GPU may print anything: such a program
# is run, and its output is shown, not judged. Exit 0: all alike; 1: one differs, does not compile or does not end;
# 2: bad usage.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." 2>/dev/null && pwd)
failed=0
seconds=20 # that a program may take on the GPU

bad() {
  printf 'FAIL %s\n' "$*"
  failed=1
}
usage() {
  echo "cuda_programs.sh: $1; say: cuda_programs.sh FOLDER [ARCH], cuda_programs.sh build FOLDER [ARCH], or cuda_programs.sh run FOLDER" >&2
  exit 2
}

# From what `check --json` says: NAME.out and NAME.code as they should be, NAME.order if the order decides.
keep_expected() {
  python3 -c '
import json, pathlib, sys
name = sys.argv[1]
verdict = json.load(sys.stdin)
pathlib.Path(name + ".out").write_text(verdict["program"]["output"])
pathlib.Path(name + ".code").write_text(str(verdict["program"]["exit"]))
if verdict["hazards"] or verdict["findings"]:
    pathlib.Path(name + ".order").touch()
' "$@"
}

# build_one SOURCE
build_one() {
  local name
  name=$folder/$(basename "$(dirname "$(dirname "$1")")")_$(basename "$1" .cu)
  rm -f "$name" "$name".{out,code,order}
  "$nvcc" -O2 -arch="$arch" -Werror all-warnings -Xcompiler -Wall,-Werror -cudart static -o "$name" "$1" || {
    echo "FAIL $1 does not compile without a warning"
    return 1
  }
  "$program" check "$1" --json --no-try 2>/dev/null | keep_expected "$name" || {
    echo "FAIL $1: barrierscope cannot run it"
    return 1
  }
}

build() {
  nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  program=${PROGRAM:-$root/build/release/barrierscope}
  [ -x "$nvcc" ] || usage "there is no nvcc on this machine"
  [ -x "$program" ] || usage "there is no $program: build it, or name it in PROGRAM"
  mkdir -p "$folder" || exit 1
  export -f build_one keep_expected
  export folder arch nvcc program
  printf '%s\n' "$root"/kernels/*/cuda/*.cu | xargs -P "$(nproc)" -I{} bash -c 'build_one {}' || failed=1
}

run() {
  local found=0 name code same
  if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
    echo "cuda_programs.sh: there is no NVIDIA GPU on this machine: run what build wrote on one that has it" >&2
    exit 1
  fi
  for expected in "$folder"/*.out; do
    name=${expected%.out}
    [ -x "$name" ] || continue
    found=1
    timeout "$seconds" "$name" >"$name.printed"
    code=$?
    if [ -e "$name.order" ]; then
      cmp -s "$expected" "$name.printed" && same=alike || same=otherwise
      echo "note $(basename "$name"): the order decides; here it prints $same, exit code $code"
    elif ! cmp -s "$expected" "$name.printed"; then
      bad "$(basename "$name") prints otherwise:"
      diff "$expected" "$name.printed" | head -5
    elif [ "$code" != "$(cat "$name.code")" ]; then
      bad "$(basename "$name") ends with $code, not $(cat "$name.code")"
    else
      echo "pass $(basename "$name")"
    fi
  done
  [ $found = 1 ] || usage "there are no programs in $folder"
}

[ $# -ge 1 ] || usage "a folder is missing"
case $1 in
  build | run)
    [ $# -ge 2 ] || usage "a folder is missing"
    folder=$2
    arch=${3:-native}
    "$1"
    ;;
  *)
    folder=$1
    arch=${2:-native}
    build
    run
    ;;
esac
exit $failed
