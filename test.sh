#!/usr/bin/env bash
# ./test.sh [STEP...]: installs what is missing, builds everything every way, and runs every check.
# Says at the end what failed and what was left out. Steps: see the end of this file.
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$ROOT" || exit
source tools/setup.sh
LOGS=$ROOT/build/test-logs
mkdir -p "$LOGS"
CHOSEN=("$@")
FAILED=()
RELEASE_SECONDS=0
LEFT_OUT=()
export CTEST_OUTPUT_ON_FAILURE=1
# Builds share what they compile alike, through ccache's own folder: a second run, in whichever clone, is warm. CMake
# reads these when a folder is new. (BARRIERSCOPE_CCACHE= ./test.sh does without.)
if [[ -n ${BARRIERSCOPE_CCACHE-ccache} ]]; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros # else it leaves alone whatever uses a precompiled header
fi

# Processor seconds that finished commands have taken so far, from what `times` printed (in a pipe it would count
# the pipe's).
processor_seconds() { awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }'; }

# step NAME COMMAND...: runs it, its output into a log that is shown when it fails.
step() {
  local name=$1 start=$SECONDS cpu took
  shift
  if ((${#CHOSEN[@]})) && [[ " ${CHOSEN[*]} " != *" $name "* ]]; then return; fi
  times >"$LOGS/times"
  cpu=$(processor_seconds <"$LOGS/times")
  if "$@" >"$LOGS/$name.log" 2>&1; then took=ok; else took=FAILED; fi
  times >"$LOGS/times"
  [[ $name != release ]] || RELEASE_SECONDS=$((SECONDS - start))
  printf '%-7s %-12s %4d s, %4d s of processor\n' "$took" "$name" $((SECONDS - start)) \
    $(($(processor_seconds <"$LOGS/times") - cpu))
  if [[ $took == FAILED ]]; then
    FAILED+=("$name")
    grep -E -A 8 'error:|ERROR:|Error |CHECK failed|FAILED:|: Failure|\*\*\*(Failed|Timeout|Exc)|^FAIL' "$LOGS/$name.log" |
      cut -c1-240 | head -n 80
    tail -n 12 "$LOGS/$name.log" | cut -c1-240
    printf '        (the whole log: %s)\n' "${LOGS#"$ROOT"/}/$name.log"
  fi
  # A step says what it had to leave out in lines that begin so.
  while IFS= read -r line; do LEFT_OUT+=("$name: ${line#left out: }"); done < <(grep -h '^left out: ' "$LOGS/$name.log")
}

# fits TENTHS: whether what takes so many tenths of the release build's time still fits into the time of a run. A machine
# that is busy with other things may be three times as slow: then the longest steps are left out and named, before a time
# limit takes everything. A step that was asked for by name always fits.
fits() {
  local most=$((60 * ${BARRIERSCOPE_TEST_MINUTES:-84}))
  ((${#CHOSEN[@]})) || ((SECONDS - BEGUN + RELEASE_SECONDS * $1 / 10 < most))
}

# build PRESET [OPTION...]
build() {
  local preset=$1
  shift
  cmake --preset "$preset" "$@" && cmake --build --preset "$preset" -j "$(jobs_allowed)"
}

ours() { find engine kernels app tests benchmarks third_party -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.h'; }

check_format() { ours | xargs clang-format-16 --dry-run -Werror; }
check_rules() { python3 tools/check_includes.py && python3 tools/check_names.py && python3 tools/check_style.py; }
# Sources without precompiled headers and what else is compiled with them, those changed last first. Asked for by name: all.
check_alone() {
  local seconds=45
  ((${#CHOSEN[@]} == 0)) || seconds=100000
  python3 tools/check_alone.py build/release --sources build/headless-check --seconds "$seconds"
}

build_release() {
  local gpu=ON
  if ! command -v nvcc >/dev/null && [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
    gpu=OFF
    echo "left out: the GPU module (no nvcc)"
  fi
  local unit_tests=ON
  ((${#CHOSEN[@]})) || unit_tests=OFF # the sanitizers' build has them
  build release -DBARRIERSCOPE_TESTS=ON -DBARRIERSCOPE_UNIT_TESTS=$unit_tests -DBARRIERSCOPE_BENCHMARKS=ON \
    -DBARRIERSCOPE_CUDA_MODE=$gpu
}
run_tests() {
  ctest --preset release -j "$(nproc)" --no-tests=error -E machine_code || return  # headless builds what that one looks at
  command -v nvidia-smi >/dev/null || echo "left out: runs on a GPU (there is none here; tests/gpu holds them)"
}

# The program that travels: nothing but glibc is asked of the machine that it runs on.
check_headless() {
  # -O0: it is begun twice, and that g++ takes it shows without optimisation, too. Fibers as on other processors. g++ spends
  # a sixth of its time on collecting garbage unless it may take more than half a gigabyte.
  local garbage="--param ggc-min-expand=500 --param ggc-min-heapsize=1500000"
  cmake --preset headless -B build/headless-check -DBARRIERSCOPE_BENCHMARKS=OFF -DBARRIERSCOPE_TESTS=OFF \
    -DBARRIERSCOPE_GPU_FORMS=AUTO -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG -DBARRIERSCOPE_PORTABLE_FIBERS $garbage" || return
  cmake --build build/headless-check -j "$(jobs_allowed)" --target barrierscope || return
  local needs
  needs=$(ldd build/headless-check/barrierscope | awk '{ print $1 }' |
    grep -v -E '^(linux-vdso|libc|libm|libdl|librt|libpthread)\.so|ld-linux')
  if [[ -n $needs ]]; then
    echo "error: the headless program needs more than glibc: $needs"
    return 1
  fi
  build/headless-check/barrierscope list >/dev/null && build/headless-check/barrierscope check scan/blelloch >/dev/null
}

check_sanitizers() {
  if ! fits 24; then
    echo "left out: the sanitizers (this machine is too slow today; ./test.sh asan)"
    build release -DBARRIERSCOPE_UNIT_TESTS=ON && ctest --preset release -j "$(nproc)" -LE scripts
    return
  fi
  # Users' programs run without sanitizers: what they are linked with is that of the release build, where there is one.
  local runtime=
  if [[ -f build/release/build.ninja ]]; then
    cmake --build --preset release -j "$(jobs_allowed)" --target barrierscope_cuda || return
    runtime=$ROOT/build/release/cuda/lib/libbarrierscope_cuda.so
    [[ -f $runtime ]] || runtime=
  fi
  build asan -DBARRIERSCOPE_CUDA_RUNTIME="$runtime" || return
  # Fibers run on stacks of their own, which the fake-stack mode does not know. Eight frames of each allocation are
  # noted, not thirty: a tenth less time. 16 MB of freed memory are kept apart, not 256: another tenth.
  ASAN_OPTIONS=detect_stack_use_after_return=0:malloc_context_size=8:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS=suppressions="$ROOT/tools/lsan.supp":print_suppressions=0 \
    ctest --preset asan -j "$(nproc)" --no-tests=error -LE scripts
}

# One libFuzzer target for ten seconds. New inputs go into the first folder; the committed corpus is only read.
fuzz() {
  local name=${1##*/fuzz_} seeds=tests/fuzz/corpus
  [[ -d tests/fuzz/$name ]] && seeds=tests/fuzz/$name
  mkdir -p "build/asan/corpus/$name"
  "$1" -max_total_time=10 -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    "build/asan/corpus/$name" "$seeds" >"build/asan/corpus/$name.log" 2>&1 && return
  echo "FAILED: $1"
  cat "build/asan/corpus/$name.log"
  return 1
}
check_fuzz() {
  if [[ ! -f build/asan/build.ninja ]]; then
    echo "left out: libFuzzer (it takes the build of the sanitizers)"
    return
  fi
  cmake --build --preset asan -j "$(jobs_allowed)" --target fuzz || return
  export -f fuzz
  find build/asan/tests/fuzz -maxdepth 1 -type f -executable -name 'fuzz_*' -print0 |
    xargs -0 -P "$(nproc)" -I{} bash -c 'fuzz {}' || return
  echo "left out: ten million inputs (ten seconds a target were tried; tests/fuzz/README.md runs them all)"
}

# The page's program under node: traces and reports as the native program writes them, byte for byte. Its packages are
# large, and its C++ library is Debian's source: where they cannot be had, it is left out.
build_web() {
  (install_missing "${PACKAGES_WEB[@]}") || { echo "left out: the page (its packages cannot be installed)"; return 2; }
  local log=build/web-configured.log
  if ! cmake --preset web ${WEB_OPTIMISE:+"-DBARRIERSCOPE_WEB_OPTIMISE=$WEB_OPTIMISE"} >"$log" 2>&1; then
    cat "$log"
    [[ $(tr -s ' \n' ' ' <"$log") == *'could not be downloaded'* ]] || return 1 # CMake breaks its lines
    echo "left out: the page (the sources of its libraries cannot be downloaded)"
    return 2
  fi
  cmake --build build/web -j "$(jobs_allowed)" --target "$@"
}
check_web() {
  local code=0 WEB_OPTIMISE=-O1 # wasm-opt takes a minute longer to make it small
  build_web barrierscope web_program_libraries barrierscope_own_code || code=$?
  ((code != 2)) || return 0
  ((code == 0)) || return 1
  (install_missing "${PACKAGES_WEB_CLANG[@]}") || true # the last test says what it lacks
  # As many at once as there are processors; the longest begin first.
  xargs -P "$(nproc)" -I{} bash -c 'python3 {}' <<'TESTS'
tests/scripts/web_toolchain_test.py
tests/web/same_as_native.py build/release/barrierscope build/web/barrierscope.js
tests/scripts/web_machine_test.py
tests/scripts/web_program_test.py
tests/scripts/page_clang_test.py
TESTS
}

# The page itself, in browsers: a quarter of an hour, and more where nothing is compiled yet.
check_web_page() {
  if [[ " ${CHOSEN[*]} " != *" web-page "* ]]; then
    echo "left out: the page in Chromium and Firefox (./test.sh release web-page)"
    return
  fi
  local code=0
  build_web barrierscope_page barrierscope barrierscope_own_code web_program_libraries barrierscope_cuda_headers || code=$?
  ((code != 2)) || return 0
  ((code == 0)) || return 1
  (install_missing "${PACKAGES_BROWSERS[@]}")
  /usr/bin/python3 tools/web_site.py build/web build/web/site --programs &&
    python3 tests/web/service_worker_test.py &&
    python3 tests/web/page_test.py build/web/site build/release/barrierscope &&
    python3 tests/web/embed_test.py build/web/site build/release/barrierscope &&
    python3 tests/web/gallery_test.py build/web/site build/release/barrierscope &&
    python3 tests/web/own_code_test.py build/web/site build/release/barrierscope --serve &&
    python3 tests/web/own_code_test.py build/web/site build/release/barrierscope --serve --firefox &&
    python3 tests/web/firefox_test.py build/web/site build/release/barrierscope
}

# What a GPU machine gets: every GPU form, what is run there, and the machine code beside the hand-written kernels'.
check_gpu_forms() {
  if ! command -v nvidia-smi >/dev/null && [[ " ${CHOSEN[*]} " != *" gpu-forms "* ]]; then
    echo "left out: all GPU forms and their machine code, a quarter of an hour of nvcc (./test.sh gpu-forms)"
    return
  fi
  cmake --preset headless -DBARRIERSCOPE_BENCHMARKS=OFF &&
    cmake --build --preset headless -j "$(jobs_allowed)" --target barrierscope gpu_checks gpu_mutants &&
    BARRIERSCOPE_OBJECTS=$ROOT/build/headless python3 tests/scripts/machine_code_test.py
}

# The machine code that comes with the program is that of today's kernels: nvcc's alone, one form of each file's code.
check_machine_code() {
  if ! command -v nvcc >/dev/null && [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
    echo "left out: the kernels' machine code, made once more (no nvcc)"
    return
  fi
  local code=0
  python3 tools/machine_code.py --check || code=$?
  ((code != 3)) || echo "left out: the kernels' machine code, made once more (its tools cannot be had here)"
  ((code == 3)) || return "$code"
}

# What `install` puts in place works from there.
check_install() {
  local place=build/installed
  rm -rf "$place"
  cmake --install build/release --prefix "$place" && "$place/bin/barrierscope" list >/dev/null &&
    [[ -f $place/share/applications/barrierscope.desktop ]] &&
    "$place/bin/barrierscope" show scan/blelloch --values 3,1,7,0,4,1,6,3 --block 4 --json | python3 -m json.tool >/dev/null
}

# The real window opens on a display and stays; without one the program says so and walks through the run.
check_window() {
  local server code=0
  rm -f "$LOGS/display" # an earlier run's would be read before Xvfb has emptied it
  Xvfb -displayfd 3 -screen 0 1600x900x24 3>"$LOGS/display" &
  server=$!
  for _ in {1..100}; do [[ -s $LOGS/display ]] || sleep 0.1; done
  DISPLAY=:$(<"$LOGS/display") timeout 6 build/release/barrierscope || code=$?
  kill "$server"
  if ((code != 124)); then
    echo "error: the window should have stayed open until it was ended (124), but the program ended with $code"
    return 1
  fi
  env -u DISPLAY -u WAYLAND_DISPLAY build/release/barrierscope </dev/null | grep -q 'There is no display here'
}

# clang-tidy gets what is left of 20 minutes: at least 40 seconds, at most five minutes.
check_tidy() {
  local left=$((1200 - (SECONDS - BEGUN))) commands=build/asan
  [[ -f build/asan/compile_commands.json ]] || commands=build/release
  python3 tools/tidy.py "$commands" "${BARRIERSCOPE_TIDY_SECONDS:-$((left < 40 ? 40 : left > 300 ? 300 : left))}"
}

say "Testing; logs in ${LOGS#"$ROOT"/}"
install_missing "${PACKAGES_RUN[@]}" "${PACKAGES_TEST[@]}"
BEGUN=$SECONDS
step format check_format       # clang-format-16 has nothing to change
step rules check_rules         # which parts may include which; the style of comments and pages
step release build_release     # clang++-16, warnings as errors; nvcc where there is one
step tests run_tests           # scripts, what lessons say; unit and UI tests, too, if it is asked for by name
step install check_install
step window check_window
step headless check_headless   # g++, warnings as errors; static, no window, sm_90
step alone check_alone         # each source and each header alone, as far as its time goes
step web check_web             # WebAssembly, under node
step web-page check_web_page   # in browsers, by name
step gpu-forms check_gpu_forms # where there is a GPU, or by name
step machine-code check_machine_code # assets/machine-code is what nvcc makes now
step asan check_sanitizers     # unit and UI tests under AddressSanitizer and UBSan
step fuzz check_fuzz           # libFuzzer, on the same build
step tidy check_tidy           # clang-tidy-16, as far as its time goes

printf '%d s in all\n' $((SECONDS - BEGUN))
for line in "${LEFT_OUT[@]}"; do printf 'left out: %s\n' "$line"; done
if ((${#FAILED[@]})); then
  printf 'FAILED: %s\n' "${FAILED[*]}"
  exit 1
fi
printf 'all passed\n'
