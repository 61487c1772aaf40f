"""Puts the code of docs/engines.md into the source of Fairy-Stockfish 11, and hooks it in.

    integrate.py ENGINES.md SRC
"""

import re
import sys
from pathlib import Path

PRELUDE = """#include <algorithm>
#include <iostream>
#include "sakmak.h"
#include "sakmak_probe.h"
#include "misc.h"
#include "position.h"
#include "thread.h"
#include "uci.h"

using Search::RootMove;
using Search::RootMoves;

static void tell(const char* message) { sync_cout << "info string " << message << sync_endl; }

namespace Sakmak {
"""

HEADER = """#ifndef SAKMAK_PROBE_OF_ENGINE_H
#define SAKMAK_PROBE_OF_ENGINE_H
#include "search.h"

namespace Sakmak {
extern int ProbeLimit, ProbeDepth, CountDepth, CountStarted;
void open_tables(const char* path, size_t cacheMiB);
bool probe(const Position& pos, int depth, int ply, Value alpha, Value beta, Value* value);
bool rank_root(const Position& pos, Search::RootMoves& rootMoves, bool all);
}
#endif
"""

OPTIONS = """
  o["SakmakPath"]            << Option("", on_sakmak);
  o["SakmakCache"]           << Option(256, 1, 65536, on_sakmak);
  o["SakmakProbeDepth"]      << Option(5, 1, 100, on_sakmak_limits);
  o["SakmakCountDepth"]      << Option(12, 1, 100, on_sakmak_limits);
  o["SakmakProbeLimit"]      << Option(5, 0, 8, on_sakmak_limits);
"""

HANDLERS = """
static void on_sakmak(const Option&) {
  std::string path = Options["SakmakPath"];
  Sakmak::open_tables(path.c_str(), size_t(int(Options["SakmakCache"])));
}
static void on_sakmak_limits(const Option&) {
  Sakmak::ProbeDepth = Options["SakmakProbeDepth"];
  Sakmak::CountDepth = Options["SakmakCountDepth"];
  Sakmak::ProbeLimit = Options["SakmakProbeLimit"];
}
"""

ROOT = """
  if (!rootMoves.empty())
      Sakmak::rank_root(pos, rootMoves, Options["MultiPV"] > 1 || !limits.searchmoves.empty());
"""

NODE = """
    if (!rootNode && !excludedMove && Sakmak::probe(pos, depth, ss->ply, alpha, beta, &value))
    {
        thisThread->tbHits.fetch_add(1, std::memory_order_relaxed);
        return value;
    }
"""


def insert(path: Path, anchor: str, text: str, before: bool = False) -> None:
    """Puts text after, or before, the one line that has the anchor."""
    lines = path.read_text().splitlines(keepends=True)
    found = [number for number, line in enumerate(lines) if re.search(anchor, line)]
    if len(found) != 1:
        raise SystemExit(f"{path}: {len(found)} lines have {anchor}: this is another version of the engine")
    lines.insert(found[0] + (0 if before else 1), text)
    path.write_text("".join(lines))


def main() -> None:
    """Does it."""
    page, source = Path(sys.argv[1]), Path(sys.argv[2])
    code = "".join(re.findall(r"^```cpp\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE))
    # Version 11 has the limit in full moves for what stands on the board, and the one that runs inside.
    code = code.replace("pos.counting_limit(CountStarted)", "pos.running_limit()")
    (source / "sakmak_probe.cpp").write_text(f"{PRELUDE}{code}}}\n")
    (source / "sakmak_probe.h").write_text(HEADER)
    insert(source / "position.h", r"^  int counting_limit\(\) const;", "  int running_limit() const { return st->countingLimit; }\n")
    insert(source / "Makefile", r"^OBJS = benchmark\.o", "\tsakmak_probe.o \\\n")
    insert(source / "ucioption.cpp", r'#include "uci\.h"', '#include "sakmak_probe.h"\n')
    insert(source / "ucioption.cpp", r"^void on_tb_path", HANDLERS, before=True)
    insert(source / "ucioption.cpp", r'o\["SyzygyProbeLimit"\]', OPTIONS)
    insert(source / "thread.cpp", r'#include "uci\.h"', '#include "sakmak_probe.h"\n')
    insert(source / "thread.cpp", r"Tablebases::rank_root_moves\(pos, rootMoves\);", ROOT)
    insert(source / "search.cpp", r'#include "uci\.h"', '#include "sakmak_probe.h"\n')
    insert(source / "search.cpp", r"// Step 5\. Tablebases probe", NODE, before=True)


main()
