#!/usr/bin/env bash
# Checks that the plain CUDA twins of the catalog's kernels print on a GPU what they print here.
#
#   tests/gpu/twins.sh build FOLDER [ARCH]   nvcc's programs of tests/cuda/twins, untouched, and what barrierscope says
#                                            they print. ARCH: native (default), sm_90... PROGRAM: barrierscope's
#                                            (default: build/release/barrierscope). Needs nvcc and Python, no GPU.
#   tests/gpu/twins.sh run FOLDER            runs them and compares. Needs a GPU and nothing else.
#
# Where the order of the threads decides (a race, a barrier that is not met), a GPU may print anything: such a program
# is run, and its output is shown, not judged. Exit 0: all alike; 1: one differs, does not compile or does not end;
# 2: bad usage.
set -u
twins=$(cd "$(dirname "${BASH_SOURCE[0]}")/../cuda/twins" 2>/dev/null && pwd)
failed=0
seconds=20 # that a program may take on the GPU

bad() {
  printf 'FAIL %s\n' "$*"
  failed=1
}
usage() {
  echo "twins.sh: $1; say: twins.sh build FOLDER [ARCH], or twins.sh run FOLDER" >&2
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

build() {
  local program=${PROGRAM:-build/release/barrierscope} nvcc name
  nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  [ -x "$nvcc" ] || usage "there is no nvcc on this machine"
  [ -x "$program" ] || usage "there is no $program: build it, or name it in PROGRAM"
  mkdir -p "$folder" || exit 1
  for source in "$twins"/*.cu; do
    name=$folder/$(basename "$source" .cu)
    rm -f "$name" "$name".{out,code,order}
    "$nvcc" -O2 -arch="$arch" -cudart static -o "$name" "$source" || bad "$source does not compile"
    "$program" check "$source" --json 2>/dev/null | keep_expected "$name" || bad "$source: barrierscope cannot run it"
  done
}

run() {
  local found=0 name code same
  if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
    echo "twins.sh: there is no NVIDIA GPU on this machine: run what build wrote on one that has it" >&2
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
      echo "told $(basename "$name"): the order decides; here it prints $same, exit code $code"
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

[ $# -ge 2 ] || usage "a word is missing"
folder=$2
arch=${3:-native}
case $1 in
  build) build ;;
  run) run ;;
  *) usage "\"$1\" is neither build nor run" ;;
esac
exit $failed
