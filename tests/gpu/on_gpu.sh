#!/usr/bin/env bash
# The GPU checks, on a machine that has a GPU and nothing else: built programs are all that it needs.
#
#   tests/gpu/on_gpu.sh [FOLDER]      FOLDER holds gpu_checks and gpu_mutants (default: build/headless/tests)
#
# Build them where there is nvcc: cmake --preset headless && cmake --build build/headless --target gpu_checks gpu_mutants
# Writes $OUT/gpu.json (default: ./gpu.json); commit it as tests/recorded/gpu.json. Says first what this machine
# can do, and leaves out, saying so, what it cannot. Exit 0: all good; 1: a check failed, or there is no GPU.
set -u
folder=${1:-build/headless/tests}
out=${OUT:-.}
checks=$folder/gpu_checks
mutants=$folder/gpu_mutants
failed=0
left_out=()   # --left-out SENTENCE ...
verdicts=()   # --sanitizer TOOL=VERDICT ...

say() { printf '== %s\n' "$*"; }
bad() { printf 'FAIL %s\n' "$*"; failed=1; }
leave_out() { say "left out: $*"; left_out+=(--left-out "$*"); }
verdict() { say "$1: $2"; verdicts+=(--sanitizer "$1=$2"); }

for program in "$checks" "$mutants"; do
  if [ ! -x "$program" ]; then
    echo "on_gpu.sh: there is no $program: build target $(basename "$program") with the headless preset, or name its folder" >&2
    exit 2
  fi
done

# --- what is this machine? ------------------------------------------------------------------------------------------
say "nvidia-smi"
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm --format=csv || true
else
  echo "no nvidia-smi on this machine"
fi
say "device"
"$checks" device || exit 1

find_tool() {
  command -v "$1" 2>/dev/null || find /usr/local/cuda/bin /opt/nvidia -name "$1" -perm -u+x ! -type d 2>/dev/null | head -1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A tool counts as working if it finds what is planted: a mutant that races for racecheck.
sanitizer=$(find_tool compute-sanitizer)
planted=$("$mutants" list | grep -m1 kogge-stone)
if [ -z "$sanitizer" ]; then
  leave_out "compute-sanitizer: not on this machine"
else
  timeout 90 "$sanitizer" --tool racecheck "$mutants" run untraced "$planted" >"$work/planted" 2>&1
  if grep -q 'RACECHECK SUMMARY: [1-9]' "$work/planted"; then
    say "compute-sanitizer works: it found the planted race in $planted"
  else
    tail -5 "$work/planted"
    leave_out "compute-sanitizer: it does not find the planted race on this machine"
    sanitizer=
  fi
fi
# Hardware counters, of one launch of each kernel that uses shared memory: what the traces predict must be what is.
counters=()   # --wavefronts KERNEL=LOADS,STORES ...
ncu=$(find_tool ncu)
metric=l1tex__data_pipe_lsu_wavefronts_mem_shared_op
if [ -z "$ncu" ]; then
  leave_out "hardware counters: no ncu on this machine"
else
  for kernel in $("$checks" kernels | grep -v -e racy -e global-atomics); do
    timeout 60 "$ncu" --clock-control none --launch-count 1 --kernel-name regex:run_untraced \
      --metrics ${metric}_ld.sum,${metric}_st.sum "$checks" once "$kernel" >"$work/ncu" 2>&1
    loads=$(awk -v m=${metric}_ld.sum '$1 == m { gsub(",", "", $NF); print $NF }' "$work/ncu")
    stores=$(awk -v m=${metric}_st.sum '$1 == m { gsub(",", "", $NF); print $NF }' "$work/ncu")
    if ! [[ $loads =~ ^[0-9]+$ && $stores =~ ^[0-9]+$ ]]; then
      tail -3 "$work/ncu"
      leave_out "hardware counters: ncu cannot read them on this machine"
      break
    fi
    counters+=(--wavefronts "$kernel=$loads,$stores")
  done
fi

# --- compute-sanitizer ------------------------------------------------------------------------------------------------
# The ladder's kernels must be clean in both forms.
if [ -n "$sanitizer" ]; then
  for tool in memcheck synccheck racecheck; do
    for form in untraced traced; do
      ( timeout 150 "$sanitizer" --tool $tool "$checks" load $form >"$work/$tool-$form" 2>&1
        echo "exit $?" >>"$work/$tool-$form" ) &
    done
  done
  wait
  for tool in memcheck synccheck racecheck; do
    for form in untraced traced; do
      log=$work/$tool-$form
      if grep -q '^exit 0$' "$log" && grep -Eq '(ERROR|RACECHECK) SUMMARY: 0 (errors|hazards)' "$log"; then
        verdict "$tool $form" clean
      else
        verdict "$tool $form" "not clean"
        bad "$tool on the $form kernels:"
        grep -v '^$' "$log" | head -25
        tail -3 "$log"
      fi
    done
  done

  # Kernels with one barrier removed: racecheck must say what the CPU's trace says.
  "$mutants" list >"$work/names"
  total=$(wc -l <"$work/names")
  number=0
  while read -r name; do
    number=$((number + 1))
    for form in untraced traced; do
      ( timeout 90 "$sanitizer" --tool racecheck "$mutants" run $form "$name" >"$work/mutant-$number-$form" 2>&1 ) &
    done
    [ $((number % 3)) -ne 0 ] || wait
  done <"$work/names"
  wait
  for form in untraced traced; do
    number=0 flagged=0 redundant=0 unseen=0 wrong=0
    while read -r name; do
      number=$((number + 1))
      log=$work/mutant-$number-$form
      if grep -q 'RACECHECK SUMMARY: [1-9]' "$log"; then seen=race
      elif grep -q 'RACECHECK SUMMARY: 0' "$log"; then seen=clean
      else seen=nothing; fi
      expected=$("$mutants" expect "$name")
      # A plain access against an atomic: racecheck of CUDA 13.0 was seen to stay silent (H200, 2026-11-21), so its
      # silence is counted apart; a flag is as welcome.
      if [ "$expected" = race-with-atomics ] && [ "$seen" = clean ]; then unseen=$((unseen + 1)); continue; fi
      [ "$expected" != race-with-atomics ] || expected=race
      if [ "$seen" != "$expected" ]; then
        wrong=$((wrong + 1))
        bad "$name ($form): racecheck says $seen, the CPU's trace says $expected"
        tail -3 "$log"
      elif [ "$seen" = race ]; then flagged=$((flagged + 1))
      else redundant=$((redundant + 1)); fi
    done <"$work/names"
    verdict "racecheck mutants $form" \
      "$flagged of $total flagged, $redundant clean as the CPU's trace says (redundant barriers), $unseen races with an atomic that racecheck does not see, $wrong disagree"
  done
fi

# --- CPU = GPU, results, and time beside hand-written kernels ---------------------------------------------------------
say "checks"
mkdir -p "$out"
timeout 400 "$checks" all -o "$out/gpu.json" "${verdicts[@]}" "${counters[@]}" "${left_out[@]}" || failed=1
[ -s "$out/gpu.json" ] || bad "no $out/gpu.json was written"
if [ $failed -eq 0 ]; then say "all good"; else say "some checks FAILED"; fi
exit $failed
