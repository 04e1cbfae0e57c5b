#!/bin/sh
# Measures every kernel of the three families on this machine's GPU, N = 2^10 to 2^28, with CUB beside them, into one
# recording for assets/recorded. Needs nothing but the driver and the program (cmake --preset headless builds one
# that can be carried); under four minutes on an H100.
#   benchmarks/record_gpu.sh FILE.json [PROGRAM]
set -eu
out=${1:?"usage: benchmarks/record_gpu.sh FILE.json [PROGRAM]"}
program=${2:-$(dirname "$0")/../build/headless/barrierscope}
[ -x "$program" ] || { echo "record_gpu.sh: no program at $program: build it with cmake --preset headless" >&2; exit 1; }
# the names by family, from the program itself, so that a new kernel is recorded without an edit here
kernels=$("$program" list --json | tr ',{' '\n\n' | sed -n 's/.*"name" *: *"\(\(reduce\|scan\|histogram\)\/[^"]*\)".*/\1/p')
[ -n "$kernels" ] || { echo "record_gpu.sh: $program lists no kernels" >&2; exit 1; }
# shellcheck disable=SC2086 # one name a word
exec "$program" time $kernels --device gpu -o "$out"
