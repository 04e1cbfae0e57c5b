#!/usr/bin/env bash
# Checks that users' own programs are timed in place on a GPU, and that they print there what they print here.
#
#   tests/gpu/in_place.sh build FOLDER [ARCH]  puts the programs, barrierscope and nvcc's builds for ARCH (default: sm_90)
#                                              into FOLDER. Needs nvcc, no GPU.
#                                              PROGRAM: a barrierscope that runs on both machines (default:
#                                              build/headless/barrierscope; its GPU half measures the copy).
#   tests/gpu/in_place.sh run FOLDER           needs a GPU. With nvcc, `barrierscope time` compiles and times each file;
#                                              without, the builds of the other machine are timed. Writes FOLDER/NAME.times.json.
#   tests/gpu/in_place.sh join FOLDER          where build was: each recording beside a run on the CPU, as a table.
#                                              HERE: a barrierscope with clang (default: build/release/barrierscope).
#
# Exit 0: every launch of every program is timed, and all print what they should; 1: one does not; 2: bad usage.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
failed=0

bad() {
  printf 'FAIL %s\n' "$*"
  failed=1
}
usage() {
  echo "in_place.sh: $1; say: in_place.sh build FOLDER [ARCH], run FOLDER, or join FOLDER" >&2
  exit 2
}
find_nvcc() { command -v nvcc || { [ -x /usr/local/cuda/bin/nvcc ] && echo /usr/local/cuda/bin/nvcc; }; }

# nvcc in the place of nvcc, on a machine that has none: hands out what was built elsewhere.
write_stand_in() {
  cat >"$folder/stand-in/nvcc" <<'EOF'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do
  case $1 in
    -o) to=$2; shift ;;
    -*) ;;
    */launch_times.cu) ;;
    *.cu) from=$(dirname "$0")/$(basename "$1" .cu) ;;
  esac
  shift
done
exec cp "$from" "$to"
EOF
  chmod +x "$folder/stand-in/nvcc"
}

build() {
  local program=${PROGRAM:-build/headless/barrierscope} nvcc name times wraps
  nvcc=$(find_nvcc) || usage "there is no nvcc on this machine"
  [ -x "$program" ] || usage "there is no $program: build it, or name another in PROGRAM"
  mkdir -p "$folder/stand-in" || exit 1
  cp "$program" "$folder/barrierscope" && cp "$here/in_place.sh" "$folder/" || exit 1
  write_stand_in
  times=$here/../../engine/cuda/on_gpu/launch_times.cu
  wraps=$(grep -oE ' __wrap_\w+\(' "$times" | sed 's/ __wrap_//; s/(//; s/^/-Xlinker --wrap=/')
  for source in "$here"/../cuda/on_gpu/*.cu "$here"/../../kernels/*/cuda/*.cu; do
    name=$(basename "$source" .cu)
    cp "$source" "$folder/"
    # shellcheck disable=SC2086
    "$nvcc" -O3 -arch="$arch" -std=c++17 -o "$folder/stand-in/$name" "$source" "$times" $wraps || bad "$name does not compile"
  done
}

run() {
  local source name found=0
  find_nvcc >/dev/null || { echo "no nvcc here: timing what was built elsewhere"; export NVCC=$folder/stand-in/nvcc; }
  for source in "$folder"/*.cu; do
    [ -e "$source" ] || continue
    found=1
    name=$(basename "$source" .cu)
    printf '== %s\n' "$name"
    (cd "$folder" && ./barrierscope time "$name.cu" -o "$name.times.json" --seconds 20) >"$folder/$name.text" 2>"$folder/$name.err"
    code=$?
    cat "$folder/$name.text"
    # a program that is wrong by design may end with another code: join judges that
    if ! grep -q '"kernels":\[' "$folder/$name.times.json" 2>/dev/null; then
      bad "$name is not timed (exit code $code): $(tail -1 "$folder/$name.err")"
    elif grep -q '"median_s":0[,}]' "$folder/$name.times.json"; then
      bad "$name has a launch that took no time"
    fi
  done
  [ $found = 1 ] || usage "there are no programs in $folder"
}

join() {
  local on_cpu=${HERE:-build/release/barrierscope} source name
  [ -x "$on_cpu" ] || usage "there is no $on_cpu: build it, or name another in HERE"
  for source in "$folder"/*.cu; do
    name=$(basename "$source" .cu)
    [ -e "$folder/$name.times.json" ] || { bad "$name was not timed"; continue; }
    printf '== %s\n' "$name"
    # one that is wrong by design says so by its exit code: what counts is that both print the same
    "$on_cpu" time "$source" --recorded "$folder/$name.times.json" -o "$folder/$name.joined.json"
    grep -q '"check":{.*"wrong":false' "$folder/$name.joined.json" || bad "$name does not print what it should"
  done
}

[ $# -ge 2 ] || usage "a word is missing"
mkdir -p "$2" && folder=$(cd "$2" && pwd) || exit 1
arch=${3:-sm_90}
case $1 in
  build) build ;;
  run) run ;;
  join) join ;;
  *) usage "\"$1\" is none of build, run, join" ;;
esac
exit $failed
