#!/usr/bin/env bash
# debian_source.sh PACKAGE FOLDER: downloads the package's source from the mirrors that apt knows, checked by apt's keys.
# Debian's usual sources.list names no sources: a list of our own does, in FOLDER, and the system's stays as it is.
set -euo pipefail
package=$1 folder=$2
mkdir -p "$folder/lists/partial"
apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
  awk '$NF == "Debian" && !seen[$0]++ { print "deb-src", $1, $2, $3 }' >"$folder/sources.list"
apt=(apt-get -q -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder" -o APT::Sandbox::User="$(id -un)")
"${apt[@]}" update
cd "$folder"
"${apt[@]}" source --download-only "$package"
