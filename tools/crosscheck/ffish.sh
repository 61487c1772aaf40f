# shellcheck shell=bash
# Sets up Node and ffish for the scripts here, which source this from their own directory, and says
# in "${node[@]}" how Node is called. Fairy-Stockfish comes as ffish from npm and runs as a program
# of its own; nothing of it is linked or shipped.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update >&2
  "${as_root[@]}" apt-get install -y --no-install-recommends nodejs npm >&2
fi
if ! [ node_modules/.package-lock.json -nt package-lock.json ]; then
  npm ci >&2
fi
# ffish loads its WebAssembly from a file, which fetch, where node has it, cannot do.
node=(node)
if node --no-experimental-fetch -e '' 2>/dev/null; then
  node=(node --no-experimental-fetch)
fi

# crosscheck EXAMPLE RULES SCRIPT VARIANT NUMBER SEED: has the example print so many lines under a
# rule set and the script compare them with a variant of Fairy-Stockfish.
crosscheck() {
  (cd ../.. && cargo build --quiet --release -p sakmak-feeders --bin "$1") || return
  "${CARGO_TARGET_DIR:-../../target}/release/$1" "$2" "$5" "$6" |
    "${node[@]}" "$3" "$4" "$5"
}

# play_out EXAMPLE NUMBER SEED TABLES [SET [SCRIPT]]: has the example print so many games and play.js play them in
# Fairy-Stockfish. Without TABLES those of the set are generated, or all of up to four men without bia.
play_out() {
  local tables=$4
  if [ -z "$tables" ]; then
    tables=$(mktemp -d)
    trap 'rm -rf -- "'"$tables"'"' EXIT
    (cd ../.. && cargo run --quiet --release -- generate "${5:-all-4}" --tables "$tables") >&2
  fi
  (cd ../.. && cargo build --quiet --release -p sakmak-feeders --bin "$1")
  "${CARGO_TARGET_DIR:-../../target}/release/$1" "$tables" "$2" "$3" |
    "${node[@]}" "${6:-play.js}"
}
