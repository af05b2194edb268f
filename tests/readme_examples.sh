#!/usr/bin/env bash
# Run what the README says, as pasted: every `sh` and `python` block, in a folder of its own.
# usage: readme_examples.sh README.md SCRATCH   (with urlconform on the PATH)
set -euo pipefail
readme=$(realpath "$1")
scratch=$2/readme
mkdir -p "$scratch"
cd "$scratch"
awk '
  /^```(sh|python)$/ { count++; kind = substr($0, 4); name = sprintf("block-%02d.%s", count, kind); next }
  /^```/             { name = "" }
  name               { print > name }
' "$readme"
ran=0
for block in block-*; do
  if grep -q 'pip install' "$block"; then continue; fi   # the two commands: the caller has run them already
  echo "-- $block"
  case $block in
    *.sh) bash -euo pipefail "$block" >"$block.out" 2>&1 ;;
    *.python) python "$block" >"$block.out" 2>&1 ;;
  esac || { cat "$block.out"; echo "$block of the README failed"; exit 1; }
  test -s "$block.out"
  ran=$((ran + 1))
done
echo "$ran blocks of the README ran"
test "$ran" -ge 3
