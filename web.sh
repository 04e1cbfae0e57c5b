#!/usr/bin/env bash
# ./web.sh [--build] [--port P] [--programs | --with-clang | --clang FILE]: installs what is missing, builds the page into
# build/web/site, a folder that any web server can host, and serves it on this machine alone. --build: does not serve.
# --programs: also builds what runs users' own programs, for `barrierscope serve` and `barrierscope page`. --with-clang: builds
# their compiler, too, which takes an hour and more the first time and goes on where it was interrupted; --clang FILE: takes one
# that is built (build/web/clang/barrierscope-clang.tar.gz).
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILD=$ROOT/build/web
SITE=$BUILD/site
source "$ROOT/tools/setup.sh"

PORT=8000 SERVE=1 CLANG=none
while (($#)); do
  case $1 in
    --build) SERVE= ;;
    --port) PORT=${2?--port needs a number} && shift ;;
    --programs) CLANG=elsewhere ;;
    --with-clang) CLANG=built ;;
    --clang) CLANG=$(realpath -e "${2?--clang needs a file}") && shift ;;
    *)
      sed -n '2,6s/^# //p' "${BASH_SOURCE[0]}"
      [[ $1 == -h || $1 == --help ]]
      exit
      ;;
  esac
  shift
done

# progress WHAT: says what of it is built, and the minutes that the rest will take if it is like what was built. Reads what ninja
# says with the status below; a build that another one starts is smaller, and is passed over.
STATUS='@%f/%t@%e '
progress() {
  local line built of seconds last=0 most=50
  while IFS= read -r line; do
    if [[ $line =~ ^@([0-9]+)/([0-9]+)@([0-9]+) ]]; then
      built=${BASH_REMATCH[1]} of=${BASH_REMATCH[2]} seconds=${BASH_REMATCH[3]}
      ((of < most)) && continue
      most=$of
      ((20 * built / of <= last)) && continue
      last=$((20 * built / of))
      say "$1: $((100 * built / of))% ($built of $of), about $((seconds * (of - built) / built / 60 + 1)) minutes left"
    elif [[ $line == '# '* ]]; then  # what a step of its own says
      say "$1: ${line#\# }"
    fi
  done
}

# build_clang: makes build/web/clang/clang.js and clang.wasm, or goes on with it.
build_clang() {
  local log=$BUILD/clang.log
  install_missing "${PACKAGES_WEB[@]}" "${PACKAGES_WEB_CLANG[@]}"
  say "Building clang for the page (an hour and more the first time; log: ${log#"$ROOT"/})"
  if ! { cmake -S "$ROOT" --preset web -DBARRIERSCOPE_WITH_CLANG=ON &&
    NINJA_STATUS=$STATUS cmake --build "$BUILD" --target web_clang -j "$(jobs_allowed)"; } 2>&1 | tee "$log" | progress clang; then
    grep -E -A 20 'error:|FAILED:|CMake Error' "$log" | head -n 60 >&2 || tail -n 40 "$log" >&2
    say "clang could not be built; the whole log is $log"
    exit 1
  fi
}

SOURCES_WEB=("${SOURCES[@]}" assets shaders examples tools/web_site.py tools/web_gallery.py tools/web_own_code.py
  tools/web_service_worker.py)
mkdir -p "$BUILD"
exec {lock}>"$ROOT/build/.web-lock"
flock "$lock"
TARGETS=(barrierscope_page barrierscope) WITH=()
[[ $CLANG == none ]] || TARGETS+=(barrierscope_own_code web_program_libraries barrierscope_cuda_headers)
case $CLANG in
  none) ;;
  elsewhere) WITH=(--programs) ;;
  built) build_clang && WITH=(--clang "$BUILD/clang") ;;
  *)
    WITH=(--clang "$BUILD/clang-given")
    mkdir -p "$BUILD/clang-given" && tar -xzf "$CLANG" -C "$BUILD/clang-given" clang.js clang.wasm licences.txt
    CLANG+=" $(sha256sum <"$CLANG")"
    ;;
esac
if newer_than "$BUILD/.built" "${SOURCES_WEB[@]}" || [[ ! -f $SITE/index.html || $(<"$BUILD/.built") != "$CLANG" ]]; then
  install_missing "${PACKAGES_WEB[@]}"
  echo "$CLANG" >"$BUILD/.built.new"
  log=$BUILD/build.log
  say "Building the page (a quarter of an hour the first time; log: ${log#"$ROOT"/})"
  if ! { cmake -S "$ROOT" --preset web && NINJA_STATUS=$STATUS cmake --build "$BUILD" --target "${TARGETS[@]}" -j "$(jobs_allowed)" &&
    /usr/bin/python3 -u "$ROOT/tools/web_site.py" "$BUILD" "$SITE" "${WITH[@]}"; } 2>&1 | tee "$log" | progress page; then
    grep -E -A 20 'error:|FAILED:|CMake Error' "$log" | head -n 60 >&2 || tail -n 40 "$log" >&2
    say "The page could not be built; the whole log is $log"
    exit 1
  fi
  tail -n 1 "$log" >&2
  mv "$BUILD/.built.new" "$BUILD/.built"
fi
exec {lock}>&-
say "The page: ${SITE#"$ROOT"/}"
[[ -z $SERVE ]] || exec python3 "$ROOT/tools/web_server.py" "$SITE" --port "$PORT"
