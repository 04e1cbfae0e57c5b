#!/usr/bin/env bash
# ./run.sh ARGS: installs and builds what is missing, then runs `barrierscope ARGS`.
# ./run.sh --with-gpu ARGS: the same, and first of all builds what runs kernels on a GPU, wherever there is nvcc.
# Set-up is said on stderr, so that --json pipes clean. Safe to start twice at once.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILD=$ROOT/build/release
PROGRAM=$BUILD/barrierscope
STAMP=$BUILD/.built
# What nvcc compiles takes it a quarter of an hour: a folder and a lock of its own, so that no window waits for it.
GPU_BUILD=$ROOT/build/gpu
MODULE=libbarrierscope_gpu.so
source "$ROOT/tools/setup.sh"

WITH_GPU=
if [[ ${1-} == --with-gpu ]]; then
  WITH_GPU=1
  shift
fi

current() { [[ -x $PROGRAM ]] && ! newer_than "$STAMP" "${SOURCES[@]}"; }
module_current() { [[ -f $GPU_BUILD/$MODULE ]] && ! newer_than "$GPU_BUILD/.built" "${SOURCES_GPU[@]}"; }

# configure_and_build FOLDER PRESET TARGET OPTION...: what went wrong is said, the whole log kept in the folder. Its
# stamp is as old as the build's start: what is edited meanwhile is built next time.
configure_and_build() {
  local folder=$1 preset=$2 target=$3 log=$1/build.log
  shift 3
  mkdir -p "$folder"
  touch "$folder/.built.new"
  if [[ ! -f $folder/build.ninja ]]; then
    say "Configuring (log: ${log#"$ROOT"/})"
    if ! cmake --fresh -S "$ROOT" --preset "$preset" "$@" >"$log" 2>&1; then
      tail -n 40 "$log" >&2
      say "Configuring failed; the whole log is $log"
      return 1
    fi
  fi
  say "Building $target (a few minutes the first time)"
  if ! cmake --build "$folder" --target "$target" -j "$(jobs_allowed)" >"$log" 2>&1; then
    grep -E -A 20 'error:|FAILED:|CMake Error' "$log" | head -n 60 >&2 || tail -n 40 "$log" >&2
    say "The build failed; the whole log is $log"
    return 1
  fi
  mv "$folder/.built.new" "$folder/.built"
}

# CMake's answer of an earlier build, with or without nvcc, stays: the program is the same.
build() {
  install_missing "${PACKAGES_RUN[@]}"
  configure_and_build "$BUILD" release barrierscope -DBARRIERSCOPE_TESTS=OFF -DBARRIERSCOPE_BENCHMARKS=OFF \
    -DBARRIERSCOPE_CUDA_MODE=OFF
}

# The module, then a copy beside the program, whole from the first moment.
build_module() {
  mkdir -p "$ROOT/build"
  exec {gpu_lock}>"$ROOT/build/.gpu-lock"
  flock "$@" "$gpu_lock" || return 0 # another process has it
  module_current || configure_and_build "$GPU_BUILD" gpu barrierscope_gpu || return
  if ! cmp -s "$GPU_BUILD/$MODULE" "$BUILD/$MODULE"; then
    cp "$GPU_BUILD/$MODULE" "$BUILD/$MODULE.new" && mv "$BUILD/$MODULE.new" "$BUILD/$MODULE"
  fi
  exec {gpu_lock}>&-
}

nvcc_here() { command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc || -x /opt/cuda/bin/nvcc ]]; }
gpu_here() { [[ ${BARRIERSCOPE_GPU-} != no ]] && { [[ -e /dev/nvidiactl ]] || command -v nvidia-smi >/dev/null; }; }

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

if [[ $WITH_GPU ]]; then
  if ! nvcc_here; then
    say "--with-gpu needs nvcc, which is neither on PATH nor in /usr/local/cuda/bin: install the CUDA toolkit"
    exit 1
  fi
  module_current || say "Building the GPU module: nvcc takes a quarter of an hour"
  build_module
elif gpu_here && nvcc_here && ! module_current; then
  say "There is a GPU: its module is built in the background (log: build/gpu/build.log) and there at the next start."
  say "To wait for it: ./run.sh --with-gpu"
  (trap '' HUP INT; renice -n 19 "$BASHPID"; build_module -n) </dev/null >/dev/null 2>&1 &
fi

case ${1-} in -h | --help)
  printf 'run.sh itself takes --with-gpu as its first word: it builds the GPU module, too, and waits for it. Where there are\n'
  printf 'a GPU and nvcc, the first start builds it in the background (BARRIERSCOPE_GPU=no: never).\n\n' ;;
esac
# A video is joined by ffmpeg, which nothing else needs: fetched when the first one is asked for.
for argument in "$@"; do
  if [[ $argument == *.mp4 || $argument == *.webp ]]; then install_missing "${PACKAGES_VIDEO[@]}"; fi
done
exec "$PROGRAM" "$@"
