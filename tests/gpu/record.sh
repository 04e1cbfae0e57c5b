#!/usr/bin/env bash
# Makes the record of what a GPU said, tests/recorded/gpu.json, whole: finds what it lacks, runs that, puts it in, and
# tells what fell short. In parts that each end within 9 minutes, for machines that are lent for no longer. (Afresh, on an
# H100 with 16 cores: 14 minutes.)
#
#   tests/gpu/record.sh [FOLDER]    FOLDER holds gpu_checks and gpu_mutants (default: build/headless/tests)
#   PARTS=1                         so many parts, and no more (default: until nothing is lacking, or no part helps)
#   PART=S                          seconds of a part (default 420, and up to two minutes more to end it)
#   AFRESH=1                        forgets the record there is: after a change of all forms. Otherwise what is not run
#                                   again stays, and says of which GPU and day it is
#   AGAIN="PATTERN PATTERN..."      once more what the record has and fits, as 'sanitizer*traced*'
#
# Needs a GPU, NVIDIA's ncu and compute-sanitizer, and Python. The record so far is what the next call goes on from;
# with $OUT it is kept there, too. Exit 0: nothing is lacking and everything is explained; 3: something is lacking, call
# it again; 1: a check failed, or something is not explained; 2: bad usage.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${1:-$root/build/headless/tests}
page=$root/tools/accuracy_page.py record=$root/tests/recorded/gpu.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in gpu_checks gpu_mutants; do
  [ -x "$folder/$program" ] && continue
  echo "record.sh: $program is not in $folder: build it with the headless preset, or name its folder" >&2
  exit 2
done
[ -z "${AFRESH:-}" ] || rm -f "$record"
read -ra again <<<"${AGAIN:-}"
failed=0 seconds=${PART:-420}

to_do() { python3 "$page" lacking --checks "$folder/gpu_checks" --mutants "$folder/gpu_mutants" "$@" >"$work/only" || exit 2; }
for ((k = 0; k < ${PARTS:-20}; ++k)); do
  to_do ${again[0]+--again "${again[@]}"}
  [ -s "$work/only" ] || break
  before=$(wc -l <"$work/only")
  echo "== part $((k + 1)): $before runs to make"
  OUT=$work/out ONLY=$work/only PART=$seconds LIMIT=$seconds "$root/tests/gpu/on_gpu.sh" "$folder" || failed=1
  python3 "$page" record "$work"/out/*.tgz --checks "$folder/gpu_checks" --mutants "$folder/gpu_mutants" || exit 2
  rm -rf "$work/out"
  [ -z "${OUT:-}" ] || cp "$record" "$OUT/"
  again=()
  to_do
  [ "$(wc -l <"$work/only")" -lt "$before" ] || break
done
to_do
python3 "$page" page 2>/dev/null || failed=1
python3 "$page" check || failed=1
[ -z "${OUT:-}" ] || cp "$record" "$root/docs/accuracy.md" "$OUT/"
if [ -s "$work/only" ]; then
  echo "== still lacking:"
  cat "$work/only"
  exit 3
fi
echo "== nothing is lacking"
exit $failed
