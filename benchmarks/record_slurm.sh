#!/bin/bash
#SBATCH --job-name=barrierscope-times
#SBATCH --array=0-7
#SBATCH --gres=gpu:1
#SBATCH --exclusive=user
#SBATCH --time=00:15:00
# Measures full-size runs on a cluster: each task of the array a part of the points, on a GPU of its own; then one
# task puts the parts together. docs/recording.md says more.
#
#   job=$(sbatch --parsable benchmarks/record_slurm.sh FOLDER)
#   sbatch --array=0 --gres=none --dependency=afterany:$job benchmarks/record_slurm.sh FOLDER merge
#
# Parts go to FOLDER/part-K.json, all of them to FOLDER/times.json. Exit code: the program's; 2: bad usage.
#   PROGRAM   the program, default build/headless/barrierscope below the folder of sbatch
#   TIMES     what `barrierscope time` is given, default: the three families at every length
set -eu
folder=${1:?"usage: sbatch benchmarks/record_slurm.sh FOLDER [merge]"}
# Slurm runs a copy of this file: its place says nothing
program=${PROGRAM:-${SLURM_SUBMIT_DIR:-$PWD}/build/headless/barrierscope}
[ -x "$program" ] || { echo "record_slurm.sh: no program at $program: build it with cmake --preset headless" >&2; exit 2; }

case ${2:-measure} in
  measure)
    : "${SLURM_ARRAY_TASK_ID:?"this is no task of a job array: start it with sbatch"}"
    families='s/.*"name" *: *"\(\(reduce\|scan\|histogram\)\/[^"]*\)".*/\1/p'
    all="$("$program" list --json | tr ',{' '\n\n' | sed -n "$families")
      --sweep n=2^10..2^31 --sweep unroll=1,2,4,8 --seconds 0.25 --most-seconds 0.5 --device gpu"
    mkdir -p "$folder"
    # shellcheck disable=SC2086 # one word an argument
    exec "$program" time ${TIMES:-$all} --part "$SLURM_ARRAY_TASK_ID/${SLURM_ARRAY_TASK_COUNT:?}" \
      -o "$folder/part-$SLURM_ARRAY_TASK_ID.json"
    ;;
  merge)
    exec "$program" time --merge "$folder"/part-*.json -o "$folder/times.json"
    ;;
  *)
    echo "record_slurm.sh: $2 is neither measure nor merge" >&2
    exit 2
    ;;
esac
