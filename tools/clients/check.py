"""Asks a server through the client that openapi-python-client has generated: check.py URL."""

import sys

from client import Client
from client.api.default import get_makruk, get_makruk_mainline, get_v1_line, get_v1_probe
from client.models import Answer, Error, LilaAnswer, LilaMainline, Line

ROOK = "8/8/8/8/8/2k5/8/K6R w"
KNIGHT = "8/3k4/8/8/8/8/1nK5/2R5 w"

client = Client(base_url=sys.argv[1])

answer = get_v1_probe.sync(client=client, fen=ROOK)
assert isinstance(answer, Answer)
assert (answer.category, answer.dtm, answer.moves[0].uci) == ("win", 14, "h1d1"), answer
refused = get_v1_probe.sync(client=client, fen="nonsense")
assert isinstance(refused, Error) and refused.error.message, refused

# Against a bare king a win inside the count is as long as the distance to mate says, with men on both sides it need not
# be.
for fen, is_equal in ((ROOK, True), (KNIGHT, False)):
    lila, mainline = (ask.sync(client=client, fen=fen) for ask in (get_makruk, get_makruk_mainline))
    assert isinstance(lila, LilaAnswer) and isinstance(mainline, LilaMainline)
    assert (len(mainline.mainline) == lila.dtm) == is_equal, (lila.dtm, len(mainline.mainline))
    line = get_v1_line.sync(client=client, fen=fen)
    assert isinstance(line, Line) and len(line.moves) == len(mainline.mainline) and line.end == "checkmate"
print("the client in Python works")
