#!/usr/bin/env bash
# tools/deb.sh: packs build/release as a Debian package into build/dist, looks at it, and runs the program from it.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
source tools/setup.sh
DIST=$ROOT/build/dist
if (($#)); then
  say "tools/deb.sh takes nothing"
  exit 2
fi

install_missing "${PACKAGES_RUN[@]}" "${PACKAGES_DEB[@]}"
# A build that is there is packed as it is, with its tests and its GPU module or without.
[[ -f build/release/build.ninja ]] || cmake --preset release -DBARRIERSCOPE_TESTS=OFF -DBARRIERSCOPE_BENCHMARKS=OFF \
  -DBARRIERSCOPE_CUDA_MODE=OFF >&2
cmake --build build/release --target barrierscope -j "$(jobs_allowed)" >&2
mkdir -p "$DIST"
rm -f "$DIST"/*.deb
(cd build/release && cpack -G DEB -B "$DIST/tree") >&2
mv "$DIST"/tree/*.deb "$DIST"
rm -rf "$DIST/tree"
DEB=$(echo "$DIST"/*.deb)

# Unpacked elsewhere it is whole, and works: what it brings along is found beside it.
PLACE=$(mktemp -d)
trap 'rm -rf "$PLACE"' EXIT
dpkg-deb -x "$DEB" "$PLACE"
for file in bin/barrierscope lib/barrierscope/cuda/lib/libbarrierscope_cuda.so lib/barrierscope/cuda/include/cuda_runtime.h \
  share/applications/barrierscope.desktop share/icons/hicolor/scalable/apps/barrierscope.svg \
  share/mime/packages/barrierscope.xml share/barrierscope/lessons/en share/man/man1/barrierscope.1.gz \
  share/doc/barrierscope/copyright share/doc/barrierscope/third-party.txt; do
  if [[ ! -e $PLACE/usr/$file ]]; then
    say "error: $file is not in ${DEB#"$ROOT"/}"
    exit 1
  fi
done
PROGRAM=$PLACE/usr/bin/barrierscope
cp kernels/reduce/cuda/4_shared.cu "$PLACE"
(cd "$PLACE" && "$PROGRAM" check scan/blelloch && "$PROGRAM" check 4_shared.cu && "$PROGRAM" new tree-sum mine.cu &&
  "$PROGRAM" render scan/blelloch --plain -o step.png) >/dev/null 2>"$PLACE/said" || {
  cat "$PLACE/said" >&2
  say "error: the program does not run from the package"
  exit 1
}
dpkg-deb --field "$DEB" Depends Recommends Installed-Size
lintian --fail-on error "$DEB"
echo "${DEB#"$ROOT"/} $(stat -c %s "$DEB") bytes"
