"""Packs a directory: the same files give the same bytes.

    pack.py DIRECTORY ARCHIVE.tar.gz|ARCHIVE.zip

Every file gets the time SOURCE_DATE_EPOCH.
"""

import gzip
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path


def main():
    directory, archive = Path(sys.argv[1]), sys.argv[2]
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    names = [str(Path(directory.name, path.relative_to(directory))) for path in files]
    if archive.endswith(".zip"):
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for path, name in zip(files, names):
                entry = zipfile.ZipInfo(name, time.gmtime(epoch)[:6])
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
                packed.writestr(entry, path.read_bytes())
        return
    with open(archive, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, epoch) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as packed:
            for path, name in zip(files, names):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime = path.stat().st_size, epoch
                entry.mode = 0o755 if os.access(path, os.X_OK) else 0o644
                with open(path, "rb") as file:
                    packed.addfile(entry, file)


if __name__ == "__main__":
    main()
