#!/usr/bin/env bash
# ./web.sh [--build] [--port P]: installs what is missing, builds the page into build/web/site, a folder that any web
# server can host, and serves it on this machine alone. --build: does not serve.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILD=$ROOT/build/web
SITE=$BUILD/site
source "$ROOT/tools/setup.sh"

PORT=8000 SERVE=1
while (($#)); do
  case $1 in
    --build) SERVE= ;;
    --port) PORT=${2?--port needs a number} && shift ;;
    *)
      sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"
      [[ $1 == -h || $1 == --help ]]
      exit
      ;;
  esac
  shift
done

SOURCES_WEB=("${SOURCES[@]}" assets shaders examples tools/web_site.py tools/web_gallery.py tools/web_service_worker.py)
mkdir -p "$BUILD"
exec {lock}>"$ROOT/build/.web-lock"
flock "$lock"
if newer_than "$BUILD/.built" "${SOURCES_WEB[@]}" || [[ ! -f $SITE/index.html ]]; then
  install_missing "${PACKAGES_WEB[@]}"
  touch "$BUILD/.built.new"
  log=$BUILD/build.log
  say "Building the page (a quarter of an hour the first time; log: ${log#"$ROOT"/})"
  if ! { cmake -S "$ROOT" --preset web && cmake --build "$BUILD" --target barrierscope_page barrierscope -j "$(jobs_allowed)" &&
    /usr/bin/python3 "$ROOT/tools/web_site.py" "$BUILD" "$SITE"; } >"$log" 2>&1; then
    grep -E -A 20 'error|FAILED' "$log" | head -n 60 >&2 || tail -n 40 "$log" >&2
    say "The page could not be built; the whole log is $log"
    exit 1
  fi
  tail -n 1 "$log" >&2
  mv "$BUILD/.built.new" "$BUILD/.built"
fi
exec {lock}>&-
say "The page: ${SITE#"$ROOT"/}"
[[ -z $SERVE ]] || exec python3 "$ROOT/tools/web_server.py" "$SITE" --port "$PORT"
