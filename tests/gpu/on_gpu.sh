#!/usr/bin/env bash
# The GPU checks, on a machine that has a GPU and nothing else: built programs are all that it needs.
#
#   tests/gpu/on_gpu.sh [FOLDER [STAGE...]]   FOLDER holds gpu_checks and gpu_mutants (default: build/headless/tests)
#
# Stages, each under 8 minutes and of use alone (default: all of them):
#   counters    Nsight Compute's counters of every kernel      ncu/KERNEL.csv
#   sanitizer   compute-sanitizer on kernels, mistakes, mutants   verdicts.tsv
#   checks      CPU = GPU, results, against CUB and Thrust     checks/KERNEL.json, libraries/KERNEL.json
#   timing      time beside hand-written kernels               raw/KERNEL.json
#   stamped     time with stamps                               stamped/KERNEL.json
#   timelines   when each warp came where                      timelines/KERNEL.json
# KERNELS="scan/look-ahead mistakes/in-place" ./on_gpu.sh ...   these alone (and their mutants): what is found goes into
#                                                               the record beside what it has of the others.
# ONLY=FILE ./on_gpu.sh ...   what this file names alone, a line each, as tools/accuracy_page.py lacking prints it: what
#                             the record has not. LIMIT=S: seconds of a stage; PART=S: of all stages together.
# tests/gpu/record.sh does all of it, part by part.
# All goes under $OUT (default: .); whatever a stage finds is written at once, so that a run that is cut short keeps
# it, and in the end packed into $OUT/gpu-out-STAGES.tgz. Build where there is nvcc: cmake --preset headless && cmake --build build/headless --target gpu_checks
# gpu_mutants. Then, where there is Python: tools/accuracy_page.py record $OUT/*.tgz. Exit 0: all good; 1: a check failed, or
# there is no GPU; 2: bad usage.
set -u
folder=${1:-build/headless/tests}
[ $# -gt 0 ] && shift
stages=${*:-counters sanitizer checks timing stamped timelines}
out=${OUT:-.}
checks=$folder/gpu_checks
mutants=$folder/gpu_mutants
failed=0
width=${WIDTH:-$(($(nproc) < 12 ? $(nproc) : 12))}  # programs at a time, where none is timed
limit=${LIMIT:-440}                                 # seconds of a stage; what is left then is left out, and said
last_call=$((limit + 80))                           # and whatever still runs is ended
part=${PART:-1000000}

say() { printf '== %s\n' "$*"; }
bad() { printf 'FAIL %s\n' "$*"; failed=1; }
leave_out() { say "left out: $*"; printf '%s\n' "$*" >>"$out/left_out.txt"; }
file_of() { printf '%s' "${1//[\/ ]/-}"; }

for stage in $stages; do
  case $stage in counters|sanitizer|checks|timing|stamped|timelines) ;; *) echo "on_gpu.sh: no stage \"$stage\": counters, sanitizer, checks, timing, stamped or timelines" >&2; exit 2;; esac
done
for program in "$checks" "$mutants"; do
  if [ ! -x "$program" ]; then
    echo "on_gpu.sh: there is no $program: build target $(basename "$program") with the headless preset, or name its folder" >&2
    exit 2
  fi
done

# --- this machine ---------------------------------------------------------------------------------------------------
say "nvidia-smi"
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm --format=csv || true
else
  echo "no nvidia-smi on this machine"
fi
say "device"
mkdir -p "$out"
"$checks" device -o "$out/device.json" || exit 1

find_tool() {
  command -v "$1" 2>/dev/null || find /usr/local/cuda*/bin /opt/nvidia -name "$1" -perm -u+x ! -type d 2>/dev/null | head -1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Of the names on its input, those that KERNELS names; without KERNELS all. A mutant's name begins with its kernel's.
chosen() { awk -v some="${KERNELS:-}" 'BEGIN { n = split(some, k) } { for (i in k) if ($1 == k[i]) { print; next } } !n'; }
all=$("$checks" kernels)
kernels=$(chosen <<<"$all")
mistakes=$("$checks" mistakes | chosen)
for name in ${KERNELS:-}; do
  if ! grep -qxF "$name" <<<"$kernels"$'\n'"$mistakes"; then
    echo "on_gpu.sh: no kernel \"$name\" in KERNELS: gpu_checks kernels and gpu_checks mistakes list them" >&2
    exit 2
  fi
done
began=0
in_time() { [ $((SECONDS - began)) -lt "$limit" ] && [ "$SECONDS" -lt "$part" ]; }
# What ONLY asks for; without ONLY everything.
wanted() { [ -z "${ONLY:-}" ] || grep -qxF -- "$*" "$ONLY"; }
# Seconds for a program that may take this long: no longer than until $last_call, or a little beyond the part's end.
at_most() {
  local left=$((last_call - SECONDS + began)) of_part=$((part + 40 - SECONDS))
  left=$((of_part < left ? of_part : left))
  echo $((left < 1 ? 1 : left < $1 ? left : $1))
}
# Runs a function in the background, at most $width at a time.
in_turn() {
  while [ "$(jobs -rp | wc -l)" -ge "$width" ]; do wait -n; done
  "$@" &
}

# --- hardware counters ----------------------------------------------------------------------------------------------
shared=l1tex__data_pipe_lsu_wavefronts_mem_shared sectors=l1tex__t_sectors_pipe_lsu_mem_global
requests=l1tex__t_requests_pipe_lsu_mem_global conflicts=l1tex__data_bank_conflicts_pipe_lsu_mem_shared
needed="${shared}_op_ld.sum,${shared}_op_st.sum,${sectors}_op_ld.sum,${sectors}_op_st.sum,${sectors}_op_red.sum"
needed+=",${sectors}_op_atom.sum,smsp__thread_inst_executed_per_inst_executed.ratio"
# ncu's versions and GPUs do not all have these: where they are not all there, each is asked for on its own.
optional="${shared}_op_atom.sum sass__inst_executed_per_opcode sass__thread_inst_executed_true_per_opcode
  ${requests}_op_ld.sum ${requests}_op_st.sum ${requests}_op_red.sum ${requests}_op_atom.sum
  ${conflicts}_op_ld.sum ${conflicts}_op_st.sum ${conflicts}_op_atom.sum"

profile() { # FILE METRICS KERNEL [COUNT]: one row a launch
  timeout -k 5 "$(at_most 150)" "$ncu" --csv --page raw --print-units base --print-metric-instances "$instances" --clock-control none \
    --cache-control none --kernel-name regex:run_untraced --print-kernel-base function --metrics "$2" \
    --log-file "$1" "$checks" counters "${@:3}" >"$1.said" 2>&1
}
# The tool works if a row of numbers comes back with the metric's name above.
counts() { grep -q "\"$2[\" ]" "$1" 2>/dev/null && [ "$(grep -c '^"' "$1")" -ge 3 ] && ! grep -q '"n/a"' "$1"; }

stage_counters() {
  ncu=$(find_tool ncu)
  if [ -z "$ncu" ]; then leave_out "hardware counters: no ncu on this machine"; return; fi
  "$ncu" --version | tail -2
  mkdir -p "$out/ncu"
  local first instances=details wanted metric names kernel csv start
  # Shared atomics and plain accesses, so that every counter counts something.
  first=$(grep -m1 -x histogram/shared-atomics <<<"$all" || head -1 <<<"$all")
  wanted=$needed,$(echo $optional | tr ' ' ,)
  profile "$work/probe.csv" "$wanted" "$first" 1
  if ! counts "$work/probe.csv" "${shared}_op_atom.sum"; then
    instances=none wanted=$needed
    profile "$work/probe.csv" "$wanted" "$first" 1
    if ! counts "$work/probe.csv" "${shared}_op_ld.sum"; then
      tail -n 5 "$work/probe.csv" "$work/probe.csv.said"
      cp "$work/probe.csv" "$out/ncu/probe.txt"
      leave_out "hardware counters: ncu cannot read them on this machine"
      return
    fi
    instances=details
    for metric in $optional; do
      profile "$work/probe.csv" "$metric" "$first" 1
      if counts "$work/probe.csv" "$metric"; then wanted+=",$metric"
      else leave_out "metric $metric: ncu does not have it on this machine"; fi
    done
  fi
  names=$(grep -v '^skeleton/' <<<"$kernels")
  for kernel in $names; do
    wanted counters "$kernel" || continue
    if ! in_time; then leave_out "hardware counters of $kernel: no time left"; continue; fi
    csv=$out/ncu/$(file_of "$kernel").csv start=$SECONDS
    profile "$csv" "$wanted" "$kernel"
    local code=$? rows
    rows=$(grep -c '^"[0-9]' "$csv" 2>/dev/null)
    if [ $code -eq 0 ] && [ "${rows:-0}" -gt 0 ]; then rm -f "$csv.said"; printf '%-28s %4d launches counted; %d s\n' "$kernel" "$rows" $((SECONDS - start))
    else bad "counters of $kernel: ncu ended with $code after ${rows:-0} launches"; tail -n 4 "$csv" "$csv.said"; fi
  done
}

# --- compute-sanitizer ------------------------------------------------------------------------------------------------
# One line each: TOOL FORM WHAT EXPECTED SEEN, tab-separated. Expected is what the CPU's trace says.
verdict() { printf '%s\t%s\t%s\t%s\t%s\n' "$@" >>"$out/verdicts.tsv"; }

seen_in() { # LOG: what the tool said
  if grep -Eq '(RACECHECK|ERROR) SUMMARY: [1-9]' "$1"; then
    if grep -q 'RACECHECK SUMMARY' "$1"; then echo race; else echo errors; fi
  elif grep -q '^exit 124$' "$1"; then echo hangs
  elif grep -Eq '(RACECHECK|ERROR) SUMMARY: 0 (errors|hazards)' "$1" && grep -q '^exit 0$' "$1"; then echo clean
  else echo nothing; fi
}
kernel_under() { # TOOL FORM KERNEL EXPECTED
  local log seen
  log=$work/$(file_of "$1-$2-$3")
  timeout -k 5 "$(at_most 100)" "$sanitizer" --tool "$1" "$checks" load "$2" "$3" >"$log" 2>&1
  echo "exit $?" >>"$log"
  seen=$(seen_in "$log")
  verdict "$1" "$2" "$3" "$4" "$seen"
  [ "$seen" = clean ] || { grep -v '^$' "$log" | head -60 >"$out/sanitizer/$(file_of "$1-$2-$3").txt"; tail -2 "$log" >>"$out/sanitizer/$(file_of "$1-$2-$3").txt"; }
}
mutant_under() { # FORM NAME EXPECTED
  local log seen
  log=$work/$(file_of "mutant-$1-$2")
  timeout -k 5 "$(at_most 100)" "$sanitizer" --tool racecheck "$mutants" run "$1" "$2" >"$log" 2>&1
  echo "exit $?" >>"$log"
  seen=$(seen_in "$log")
  verdict racecheck "$1" "$2" "$3" "$seen"
  [ "$seen" != nothing ] || { head -30 "$log"; tail -2 "$log"; } >"$out/sanitizer/$(file_of "mutant-$1-$2").txt"
}

stage_sanitizer() {
  sanitizer=$(find_tool compute-sanitizer)
  if [ -z "$sanitizer" ]; then leave_out "compute-sanitizer: not on this machine"; return; fi
  mkdir -p "$out/sanitizer"
  # It counts as working if it finds what is planted: a mutant that races.
  local planted form tool kernel name expected rest
  planted=$("$mutants" list | grep -m1 kogge-stone)
  timeout 90 "$sanitizer" --tool racecheck "$mutants" run untraced "$planted" >"$work/planted" 2>&1
  if ! grep -q 'RACECHECK SUMMARY: [1-9]' "$work/planted"; then
    tail -5 "$work/planted"
    leave_out "compute-sanitizer: it does not find the planted race on this machine"
    return
  fi
  say "compute-sanitizer works: it found the planted race in $planted"
  : >"$out/verdicts.tsv"

  "$mutants" list | chosen >"$work/mutants"
  for kernel in $kernels; do
    for form in untraced traced stamped; do
      for tool in racecheck memcheck synccheck; do
        wanted sanitizer "$tool $form $kernel" || continue
        in_time || { leave_out "$tool on $kernel, $form: no time left"; continue; }
        in_turn kernel_under $tool $form "$kernel" clean
      done
    done
  done
  while read -r name; do
    expected=
    for form in untraced traced; do
      wanted sanitizer "racecheck $form $name" || continue
      [ -n "$expected" ] || expected=$("$mutants" expect "$name") || expected=nothing
      in_time || { leave_out "racecheck on $name, $form: no time left"; continue; }
      in_turn mutant_under $form "$name" "$expected"
    done
  done <"$work/mutants"
  # Mistakes last: one that hangs or faults may take the GPU along.
  for kernel in $mistakes; do
    ! { wanted sanitizer "racecheck untraced $kernel" || wanted sanitizer "racecheck traced $kernel"; } && continue
    read -r expected rest <<<"$(timeout 60 "$checks" expect "$kernel")"
    say "$kernel: the CPU's trace says ${expected:-nothing} $rest"
    for form in untraced traced; do
      wanted sanitizer "racecheck $form $kernel" || continue
      # Writing out of bounds untraced would hit whatever lies there.
      if [ $form = untraced ] && [[ $rest == *unsafe* ]]; then verdict racecheck $form "$kernel" "${expected:-nothing} $rest" "not run"; continue; fi
      in_time || { leave_out "$kernel, $form: no time left"; continue; }
      in_turn kernel_under racecheck $form "$kernel" "${expected:-nothing}${rest:+ $rest}"
      for tool in synccheck memcheck; do in_turn kernel_under $tool $form "$kernel" "clean${rest:+ $rest}"; done
    done
  done
  wait

  # Judged here in short; docs/accuracy.md has all of it. A plain access against an atomic: racecheck was seen to stay
  # silent (CUDA 13.0), so its silence is counted apart; a flag is as welcome.
  awk -F'\t' -v mistakes="$mistakes" '
    $3 ~ /^mistakes\// { next }
    $1 == "racecheck" && $4 == "race-with-atomics" && ($5 == "clean" || $5 == "race") { unseen += $5 == "clean"; next }
    $4 == $5 { good++; next }
    { printf "FAIL %s on %s (%s): it says %s, the trace of the CPU says %s\n", $1, $3, $2, $5, $4; bad++ }
    END { printf "== sanitizer: %d agree, %d races with an atomic that racecheck does not see, %d disagree\n", good, unseen, bad; exit bad > 0 }
  ' "$out/verdicts.tsv" || failed=1
  grep -P '\tmistakes/' "$out/verdicts.tsv" || true
}

# --- CPU = GPU, results, libraries ------------------------------------------------------------------------------------
checked() { # FOLDER LIMIT VERB [KERNEL]
  local name file
  name=$(file_of "${4:-words}")
  file=$out/$1/$name.json
  timeout -k 5 "$(at_most "$2")" "$checks" "${@:3}" -o "$file" >"$work/$1-$name" 2>&1
  local code=$?
  grep -v '^$' "$work/$1-$name"
  if [ $code -ne 0 ]; then
    printf 'FAIL %s %s: exit %d\n' "$3" "${4:-}" $code
    touch "$work/failed"
  fi
}

stage_checks() {
  mkdir -p "$out/checks" "$out/libraries"
  local kernel
  ! wanted words || in_turn checked checks 200 words
  for kernel in $kernels; do
    wanted checks "$kernel" || continue
    if in_time; then in_turn checked checks 300 check "$kernel"; else leave_out "CPU = GPU of $kernel: no time left"; fi
  done
  for kernel in $kernels; do
    wanted libraries "$kernel" || continue
    if in_time; then in_turn checked libraries 200 libraries "$kernel"; else leave_out "CUB and Thrust beside $kernel: no time left"; fi
  done
  wait
}

# --- time beside hand-written kernels ---------------------------------------------------------------------------------
# of_each STAGE FOLDER SECONDS VERB WHAT KERNEL...: what gpu_checks VERB writes of each that is wanted.
of_each() {
  local stage=$1 folder=$2 seconds=$3 verb=$4 what=$5 kernel
  shift 5
  mkdir -p "$out/$folder"
  for kernel; do
    wanted "$stage" "$kernel" || continue
    if in_time; then checked "$folder" "$seconds" "$verb" "$kernel"; else leave_out "$what $kernel: no time left"; fi
  done
}
# patterns have no hand-written twin: they are timed by none
stage_timing() { of_each timing raw 120 raw "time of" $(grep -v '^patterns/' <<<"$kernels"); }
stage_stamped() { of_each stamped stamped 60 stamped "what stamps cost" $kernels; }

# --- when each warp came where ---------------------------------------------------------------------------------------
stage_timelines() { of_each timelines timelines 60 timeline "timeline of" $kernels; }

# Whether the stage has anything to do.
any_wanted() {
  case $1 in
    checks) set -- '(checks|libraries|words)' ;;
  esac
  [ -z "${ONLY:-}" ] || grep -Eq "^$1( |\$)" "$ONLY"
}
for stage in $stages; do
  any_wanted "$stage" || continue
  began=$SECONDS
  say "$stage"
  "stage_$stage"
  say "$stage: $((SECONDS - began)) s"
done
[ ! -e "$work/failed" ] || failed=1
# One file travels better than a hundred.
parts=$(cd "$out" && ls -d ncu sanitizer checks libraries raw stamped timelines verdicts.tsv left_out.txt device.json 2>/dev/null)
# shellcheck disable=SC2086  # one word a file
tar -czf "$out/gpu-out-${stages// /-}.tgz" -C "$out" $parts && (cd "$out" && rm -rf ${parts/device.json/})
if [ $failed -eq 0 ]; then say "all good"; else say "some checks FAILED"; fi
exit $failed
