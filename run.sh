#!/usr/bin/env bash
# ./run.sh ARGS: installs and builds what is missing, then runs `barrierscope ARGS`.
# Set-up is said on stderr, so that --json pipes clean. Safe to start twice at once.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILD=$ROOT/build/release
PROGRAM=$BUILD/barrierscope
STAMP=$BUILD/.built
source "$ROOT/tools/setup.sh"

# The stamp holds the nvcc it was built with: a CUDA toolkit that came or went means another configuration.
same_nvcc() { [[ -f $STAMP && $(<"$STAMP") == "$(command -v nvcc || true)" ]]; }
current() { [[ -x $PROGRAM ]] && same_nvcc && ! newer_than "$STAMP"; }

build() {
  install_missing "${PACKAGES_RUN[@]}"
  # The stamp is as old as the build's start: what is edited meanwhile is built next time.
  mkdir -p "$BUILD"
  command -v nvcc >"$STAMP.new" || true
  local log=$BUILD/build.log
  if [[ ! -f $BUILD/build.ninja ]] || { [[ -f $STAMP ]] && ! same_nvcc; }; then
    say "Configuring (log: ${log#"$ROOT"/})"
    if ! cmake --fresh -S "$ROOT" --preset release -DBARRIERSCOPE_TESTS=OFF -DBARRIERSCOPE_BENCHMARKS=OFF \
      >"$log" 2>&1; then
      tail -n 40 "$log" >&2
      say "Configuring failed; the whole log is $log"
      exit 1
    fi
  fi
  say "Building barrierscope (a few minutes the first time)"
  if ! cmake --build "$BUILD" --target barrierscope -j "$(jobs_allowed)" >"$log" 2>&1; then
    grep -E -A 20 'error|FAILED' "$log" | head -n 60 >&2 || tail -n 40 "$log" >&2
    say "The build failed; the whole log is $log"
    exit 1
  fi
  mv "$STAMP.new" "$STAMP"
}

if ! current; then
  mkdir -p "$ROOT/build"
  exec {lock}>"$ROOT/build/.lock"
  if ! flock -n "$lock"; then
    say "Another run.sh is building; waiting for it"
    flock "$lock"
  fi
  current || build
  exec {lock}>&-
fi
# A video is joined by ffmpeg, which nothing else needs: fetched when the first one is asked for.
for argument in "$@"; do
  if [[ $argument == *.mp4 || $argument == *.webp ]]; then install_missing "${PACKAGES_VIDEO[@]}"; fi
done
exec "$PROGRAM" "$@"
