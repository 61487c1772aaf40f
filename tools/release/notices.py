"""The licences of the crates linked into the program and the C library, with the notices that they require.

    notices.py [TARGET]     the program and the C library
    notices.py --web        the reader in WebAssembly

Prints the crates, each with its licence, and the texts that come with them, each once. Exits with 1 if one comes
without a text, unless its licence has the same text for all.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

PACKAGES = ["sakmak-cli", "sakmak-capi"]
NAMES = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense)([-._].*)?$", re.IGNORECASE)
# The zstd library can be had under this licence too; here it is used under its BSD licence.
OTHER_CHOICE = re.compile("GNU GENERAL PUBLIC LICENSE")
# Its text is the same everywhere, and ours.
WITHOUT_NAMES = "Apache-2.0"


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], check=True, capture_output=True, text=True).stdout


def linked(target, packages, workspace):
    """The names and versions of the linked crates."""
    platform = ["--target", target] if target else []
    found = set()
    for package in packages:
        features = ["--features", "serve,download"] if package == "sakmak-cli" else []
        lines = cargo("tree", "--locked", "--package", package, "--edges", "normal", "--prefix", "none",
                      "--format", "{p}", *features, *platform, *workspace)
        for line in lines.splitlines():
            name, version, *_ = line.split()
            found.add((name, version.removeprefix("v")))
    return found


def texts(directory):
    """The licence files of a crate, including those of C sources in it."""
    for path in sorted(directory.rglob("*")):
        depth = len(path.relative_to(directory).parts)
        if depth <= 2 and path.is_file() and NAMES.match(path.name):
            text = path.read_text(errors="replace").replace("\r\n", "\n").strip()
            if len(text) > 200 and not OTHER_CHOICE.search(text[:200]):
                yield text


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else None
    if target == "--web":
        workspace = ["--manifest-path", "explorer/web/wasm/Cargo.toml"]
        wanted = linked("wasm32-unknown-unknown", ["sakmak-web"], workspace)
    else:
        workspace = []
        wanted = linked(target, PACKAGES, workspace)
    packages = json.loads(cargo("metadata", "--locked", "--format-version", "1", *workspace))["packages"]
    crates = [p for p in packages if (p["name"], p["version"]) in wanted and p["source"]]
    users, missing = {}, []
    for crate in sorted(crates, key=lambda crate: (crate["name"], crate["version"])):
        name = f"{crate['name']} {crate['version']}"
        found = list(texts(Path(crate["manifest_path"]).parent))
        licences = set(re.findall(r"[\w.-]+", crate["license"] or ""))
        if not found and WITHOUT_NAMES not in licences:
            missing.append(name)
        for text in found:
            users.setdefault(text, []).append(name)
        print(f"{name}: {crate['license']}")
    print("\nThe Rust standard library: MIT OR Apache-2.0")
    for text, names in users.items():
        print(f"\n{'=' * 100}\n{', '.join(names)}\n\n{text}")
    if missing:
        sys.exit(f"notices.py: no licence text in {', '.join(missing)}")


if __name__ == "__main__":
    main()
