# shellcheck shell=bash disable=SC2034
# Sourced by run.sh and test.sh: installs what is missing, configures, builds. Says everything on stderr.
# Needs bash; ROOT is the project's folder.

PACKAGES_RUN=(
  g++ cmake ninja-build pkg-config python3 python3-pip python3-glad
  libboost-context1.81-dev libflatbuffers-dev flatbuffers-compiler libfmt-dev libcli11-dev nlohmann-json3-dev
  libcmark-gfm-dev libcmark-gfm-extensions-dev libseccomp-dev libtbb-dev libcairo2-dev libfreetype-dev libstb-dev
  libglfw3-dev libegl-dev libopengl-dev libgl-dev libgl1-mesa-dri libegl1
  fonts-inter fonts-jetbrains-mono fonts-wqy-microhei
  clang-16 # compiles Barrierscope
  clang-19 # compiles users' own CUDA files, here as in the page
)
PACKAGES_VIDEO=(ffmpeg)
PACKAGES_WHEEL=(python3-venv)
PACKAGES_DEB=(dpkg-dev file help2man lintian)
# The page. clang 19 and its C++ library's source, for emscripten's own are too old; dpkg-dev unpacks Debian's sources.
PACKAGES_WEB=(
  cmake ninja-build python3 python3-pip emscripten binaryen nodejs clang-19 lld-19 llvm-19 dpkg-dev patch
  libflatbuffers-dev flatbuffers-compiler libfmt-dev libcli11-dev nlohmann-json3-dev libstb-dev libcmark-gfm-dev
  libcmark-gfm-extensions-dev fonts-inter fonts-jetbrains-mono fonts-wqy-microhei python3-fonttools uglifyjs brotli
)
# Its clang: LLVM's headers and archives, 71 MB to download and 650 MB on disk. A build needs the first alone, the others
# tests/scripts/page_clang_test.py.
PACKAGES_WEB_CLANG=(llvm-19-dev libclang-19-dev liblld-19-dev)
PACKAGES_BROWSERS=(chromium firefox-esr xvfb)
PACKAGES_TEST=(
  libgtest-dev libgmock-dev libbenchmark-dev xvfb ccache
  clang-tidy-16 clang-format-16 libclang-rt-16-dev
)

say() { printf '%s\n' "$*" >&2; }

# install_missing PACKAGE...: asks for nothing; does nothing when all are there.
install_missing() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "Not a Debian system: the packages' names are in tools/setup.sh; going on with what is here."
    return
  fi
  local have missing=() package
  have=" $(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null |
    awk '$1 == "ii" { printf "%s ", $2 }') " || true
  for package in "$@"; do
    [[ $have == *" $package "* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      say "Some packages are missing. Install them, then run this again:"
      say "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
      exit 1
    fi
    as_root=(sudo -n)
  fi
  say "Installing Debian packages: ${missing[*]}"
  # apt waits for another apt-get that is running, so that two first starts do not collide.
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600)
  local log=$ROOT/build/packages.log
  mkdir -p "$ROOT/build"
  if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say "The packages could not be installed (the whole log is $log). By hand:"
    say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    exit 1
  fi
}

# Everything that a build reads. A folder's time changes when a file in it comes or goes.
SOURCES=(CMakeLists.txt CMakePresets.json cmake engine kernels app third_party assets/words)
# The same for what nvcc compiles.
SOURCES_GPU=(CMakeLists.txt CMakePresets.json cmake engine/trace engine/simt engine/timing kernels)

# newer_than STAMP PATH...: whether anything of these is newer.
newer_than() {
  local here=() path stamp=$1
  shift
  [[ -f $stamp ]] || return 0
  for path in "$@"; do [[ -e $ROOT/$path ]] && here+=("$ROOT/$path"); done
  [[ -n $(find "${here[@]}" -newer "$stamp" -not -name __pycache__ -print -quit) ]]
}

# jobs: as many compilers as cores, but no more than memory allows (1.5 GB each).
jobs_allowed() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
  ((memory < 1)) && memory=1
  echo $((cores < memory ? cores : memory))
}
