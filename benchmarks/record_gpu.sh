#!/bin/sh
# Measures the three families at full size on this machine's GPU, with CUB, Thrust, a copy and a pure read beside
# them, into one recording for assets/recorded, and prints what each kernel reaches of those.
#
#   benchmarks/record_gpu.sh FILE.json [PROGRAM]     PROGRAM: default build/headless/barrierscope
#
# Needs the driver and the program alone (cmake --preset headless builds one that can be carried). LIMIT seconds at
# most (default 420, enough on an H200); what is left then is left out, and said. Cut short, by Ctrl-C too, it keeps
# what it has. Without Python it prints the program's table instead of ratios. Where gpu_checks lies in PROGRAM's
# tests/ it also times the traced source beside hand-written kernels. Exit 0: all good; 1: something failed; 2: bad
# usage.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?"usage: benchmarks/record_gpu.sh FILE.json [PROGRAM]"}
program=${2:-$here/build/headless/barrierscope}
limit=${LIMIT:-420}
say() { echo "record_gpu.sh: $*" >&2; }
case $out in *.json) ;; *) say "FILE must end in .json, not $out"; exit 2 ;; esac
case $out in /*) ;; *) out=$PWD/$out ;; esac
case $program in /*) ;; *) program=$PWD/$program ;; esac
[ -x "$program" ] || { say "no program at $program: build it with cmake --preset headless"; exit 2; }
# the names from the program itself, so that a new kernel is recorded without an edit here
names=$("$program" list --json | tr ',{' '\n\n' | sed -n 's/.*"name" *: *"\([a-z]*\/[^"]*\)".*/\1/p')
of() { printf '%s\n' "$names" | grep "^$1/"; }
reduce=$(of reduce) && scan=$(of scan) && histogram=$(of histogram) || { say "$program lists no kernels"; exit 2; }
last="reduce/grid-stride reduce/bulk-copy reduce/one-atomic reduce/last-block scan/look-back scan/look-ahead
  histogram/privatised histogram/per-lane"

began=$(date +%s)
parts=$(mktemp -d "$out.parts.XXXXXX") || exit 1
failed=0 cut=0 child=
left() { echo $((limit - $(date +%s) + began)); }

# The parts so far. Called from their folder, so that their short names stand in the notes.
merge() (
  cd "$parts"
  set -- *.json
  [ -e "$1" ] && "$program" time --merge "$@" -o "$out" >merged.txt
)
end() {
  trap - INT TERM
  [ -z "$child" ] || { kill -INT "$child" 2>/dev/null; wait "$child" || true; }
  cut=1
  finish
}
finish() {
  if merge; then
    ratios
    rm -r "$parts"
    say "$out written, $(($(date +%s) - began)) s"
  else
    failed=1
    rm -f "$parts"/*.txt
    if rmdir "$parts" 2>/dev/null; then say "nothing was measured"; else say "cannot merge: what was measured is in $parts"; fi
  fi
  [ "$cut" = 0 ] || say "cut short: some parts are missing"
  [ "$failed$cut" = 00 ] || exit 1
  exit 0
}
ratios() {
  if command -v python3 >/dev/null; then
    python3 "$here/tools/performance_page.py" --ratios "$out"
  else
    cat "$parts/merged.txt"
  fi
}
trap end INT TERM

# part NAME ARGUMENTS...: one run of `barrierscope time` into $parts/NAME.json, as long as there is time.
part() {
  name=$1
  shift
  if [ "$(left)" -lt 5 ]; then
    say "left out for want of time: $name"
    return
  fi
  say "$name, $(left) s left"
  timeout -s INT -k 10 "$(left)" "$program" time "$@" --device gpu -o "$parts/$name.json" >"$parts/$name.txt" &
  child=$!
  wait "$child" && rc=0 || rc=$?
  child=
  if [ "$rc" = 124 ]; then
    say "$name: cut short for want of time"
  elif [ "$rc" != 0 ]; then
    say "$name failed ($rc); what it measured is kept"
  fi
  [ "$rc" = 0 ] || failed=1
  # a machine that cannot do the first part does none
  [ -e "$parts/$name.json" ] || [ "$name" != 1-ladders ] || finish
  merge || true  # so that even a run that is killed leaves its whole parts in $out
}
# The ways to tune a kernel that it declares itself: --sweep items=1,2,4 --sweep stages=2,3
ways() {
  "$program" list | awk -v name="$1" '$1 == name { on = 1; next } /^  [a-z]/ { on = 0 } on' | tr ' ' '\n' |
    grep -E '^(items|loads|stages|access|copies|width|block_scan)=' | tr '|' ',' | sed 's/=N$/=2,4,8,16,32/; s/^/--sweep /'
}

if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,temperature.gpu,power.draw,power.limit \
    --format=csv >&2 || true
fi

short="--seconds 0.1 --samples 11..60 --most-seconds 0.2"
patient="--seconds 0.6 --samples 50..200"
# shellcheck disable=SC2086,SC2046 # one word an argument
{
  # every kernel at every length; the standard run of interleaved-global has 1024 threads a block
  part 1-ladders $(printf '%s\n' $reduce $scan $histogram | grep -v interleaved-global) --sweep n=2^10..2^31 \
    --sweep unroll=1,2,4,8 $short
  part 2-interleaved reduce/interleaved-global --block 1024 --sweep n=2^10..2^31 --sweep unroll=1,2,4,8 $short
  # the fastest kernels again, with patience: of a point that was measured twice the later counts
  part 3-last $last --sweep n=2^20,2^24,2^29,2^31 $patient
  # what is slow at 2^31 belongs to the series: few samples of it
  part 4-slow histogram/racy histogram/global-atomics histogram/shared-atomics --n 2^31 --seconds 1 --samples 3..20 \
    --most-seconds 2
  part 4-settings histogram/coarsened histogram/privatised --n 2^31 --sweep items=4,8,64 --sweep copies=per-warp $short
  # keys of every skew
  keys="histogram/shared-atomics histogram/coarsened histogram/privatised histogram/per-lane --n 2^31 --set items=64
    --seconds 0.3 --samples 7..100 --most-seconds 2"
  part 5-zipf $keys --pattern zipf
  part 5-entropy $keys --sweep entropy=0.811,0.544,0.337,0.201,0
  part 5-skew $keys --skew 0.5
  part 6-types $reduce $scan --n 2^28 --sweep type=float,double $short
  part 7-block $(printf '%s\n' $reduce $scan $histogram | grep -v histogram/serial) --n 2^27 --sweep block=32,64,128,256,512,1024 $short
  for kernel in $reduce $scan $histogram; do
    sweeps=$(ways "$kernel") || continue
    part "8-$(echo "$kernel" | tr / -)" "$kernel" --n 2^27 $sweeps $short
  done
}
if command -v nvidia-smi >/dev/null && [ "$(nvidia-smi -L | wc -l)" -gt 1 ]; then
  part 9-gpus reduce/one-atomic scan/look-ahead scan/hierarchical histogram/per-lane --sweep n=2^24,2^27,2^29,2^31 --gpus all \
    --seconds 1
fi

# the traced source beside the same kernel written by hand
checks=$(dirname "$program")/tests/gpu_checks
if [ -x "$checks" ]; then
  for kernel in $last $(printf '%s\n' $reduce $scan $histogram | grep -v histogram/serial); do
    case " $(cat "$parts/raw.done" 2>/dev/null | tr '\n' ' ') " in *" $kernel "*) continue ;; esac
    echo "$kernel" >>"$parts/raw.done"
    [ "$(left)" -ge 5 ] || { say "left out for want of time: $kernel beside its twin"; continue; }
    timeout -k 5 "$(left)" "$checks" raw "$kernel" -o "$parts/raw.out" | grep 'untraced / raw' || true
  done
fi
finish
