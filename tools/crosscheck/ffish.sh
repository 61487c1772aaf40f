# shellcheck shell=bash
# Sets up Node and ffish for the scripts in this directory, which source it there; "${node[@]}" is the command that
# starts Node. Fairy-Stockfish comes as ffish from npm and runs as a separate program; none of it is linked or shipped.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update >&2
  "${as_root[@]}" apt-get install -y --no-install-recommends nodejs npm >&2
fi
if ! [ node_modules/.package-lock.json -nt package-lock.json ]; then
  npm ci >&2
fi
# ffish loads its WebAssembly from a file, which Node's fetch cannot do, so fetch is disabled.
node=(node)
if node --no-experimental-fetch -e '' 2>/dev/null; then
  node=(node --no-experimental-fetch)
fi

# crosscheck EXAMPLE RULES SCRIPT VARIANT NUMBER SEED: the example prints NUMBER lines under a rule set, and the script
# compares them with a variant of Fairy-Stockfish.
crosscheck() {
  ../build || return
  "${CARGO_TARGET_DIR:-../../target}/release/$1" "$2" "$5" "$6" |
    "${node[@]}" "$3" "$4" "$5"
}

# play_out EXAMPLE NUMBER SEED TABLES [SET [SCRIPT]]: the example prints NUMBER games, and play.js plays them in
# Fairy-Stockfish. Without TABLES those of the set are generated, by default all of up to four men without bia.
play_out() {
  local tables=$4
  if [ -z "$tables" ]; then
    tables=$(mktemp -d)
    trap 'rm -rf -- "'"$tables"'"' EXIT
    ../build
    "${CARGO_TARGET_DIR:-../../target}/release/sakmak" generate "${5:-all-4}" --rules makruk,asean,ouk --tables "$tables" >&2
  fi
  ../build
  "${CARGO_TARGET_DIR:-../../target}/release/$1" "$tables" "$2" "$3" |
    "${node[@]}" "${6:-play.js}"
}
