#!/usr/bin/env bash
# tools/wheel.sh: builds the Python wheel into build/dist; the page goes into it where ./web.sh has built one.
# tools/wheel.sh --page: builds the page, too. --test: and installs the wheel into a folder of its own, and tests it in a real notebook kernel.
# What it needs of PyPI goes into build/wheel-tools; set-up is said on stderr.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
source tools/setup.sh
DIST=$ROOT/build/dist
TOOLS=$ROOT/build/wheel-tools
SITE=$ROOT/build/web/site
TEST='' PAGE=''
for word; do
  case $word in
    --test) TEST=1 ;;
    --page) PAGE=1 ;;
    *)
      say "tools/wheel.sh takes --page, --test or nothing, not $word"
      exit 2
      ;;
  esac
done
[[ -z $PAGE ]] || ./web.sh --build >&2
[[ -f $SITE/app.html ]] || SITE=
install_missing "${PACKAGES_RUN[@]}" "${PACKAGES_WHEEL[@]}"
mkdir -p "$DIST"
# Made anew where what it holds has changed: a half-made one is not taken for whole.
if ! cmp -s python/requirements.txt "$TOOLS/requirements.txt"; then
  rm -rf "$TOOLS"
  /usr/bin/python3 -m venv "$TOOLS"
  "$TOOLS/bin/pip" install --quiet --disable-pip-version-check -r python/requirements.txt >&2
  cp python/requirements.txt "$TOOLS/requirements.txt"
fi
export PATH=$TOOLS/bin:$PATH CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(jobs_allowed)}

say "Building the wheel (its program as build/wheel), $([[ $SITE ]] && echo "with the page" || echo "without the page: tools/wheel.sh --page builds it")"
rm -rf "$DIST/linux"
pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$DIST/linux" \
  --config-settings=cmake.define.BARRIERSCOPE_SITE="$SITE" ./python >&2
# The tag says which glibc it needs; nothing is added to it, for it needs nothing else.
rm -f "$DIST"/*.whl
auditwheel repair --wheel-dir "$DIST" "$DIST"/linux/*.whl >&2
rm -rf "$DIST/linux"
WHEEL=$(echo "$DIST"/*.whl)
echo "${WHEEL#"$ROOT"/} $(stat -c %s "$WHEEL") bytes"
[[ $TEST ]] || exit 0

# Installed as users do it, beside what the tests need.
HOME_OF_TESTS=$ROOT/build/wheel-test
rm -rf "$HOME_OF_TESTS"
/usr/bin/python3 -m venv --without-pip "$HOME_OF_TESTS"
pip --python "$HOME_OF_TESTS/bin/python" install --quiet --disable-pip-version-check --no-index --no-deps "$WHEEL" >&2
echo "$TOOLS"/lib/python3*/site-packages >"$(echo "$HOME_OF_TESTS"/lib/python3*/site-packages)/tools.pth"
mypy --strict --no-error-summary python/barrierscope
export BARRIERSCOPE_RELEASE=${BARRIERSCOPE_RELEASE:-$ROOT/build/release/barrierscope}
[[ -x $BARRIERSCOPE_RELEASE ]] || echo "left out: pictures beside those of the release build (it is not built)"
command -v chromium >/dev/null || echo "left out: a view in a browser (no chromium)"
"$HOME_OF_TESTS/bin/python" -m pytest -q -p no:cacheprovider tests/python
