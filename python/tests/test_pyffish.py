"""Fairy-Stockfish, called through pyffish, agrees on legal moves and on how games end."""

import random
from pathlib import Path
from typing import cast

import pyffish
import pytest

import sakmak

VARIANTS = {"makruk": "makruk", "asean": "asean", "ouk": "cambodian"}


def board(men: list[tuple[str, int]]) -> str:
    """The first field of a FEN."""
    squares = {square: letter for letter, square in men}
    ranks = []
    for rank in range(7, -1, -1):
        text, empty = "", 0
        for file in range(8):
            letter = squares.get(8 * rank + file)
            if letter is None:
                empty += 1
                continue
            text += (str(empty) if empty else "") + letter
            empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    return "/".join(ranks)


@pytest.mark.parametrize("rules", VARIANTS)
def test_legal_moves_and_their_notation_agree(tables: Path, rules: str) -> None:
    names = cast(sakmak.Rules, rules)
    variant = VARIANTS[rules]
    chance = random.Random(7)
    khon = "B" if rules == "asean" else "S"
    compared = 0
    with sakmak.Tablebase(tables) as tablebase:
        while compared < 150:
            men = chance.choice([["R"], [khon], ["R", "n"]])
            letters = ["K", "k", *men]
            if chance.random() < 0.5:
                letters = [letter.swapcase() for letter in letters]
            squares = chance.sample(range(64), len(letters))
            fen = f"{board(list(zip(letters, squares)))} {chance.choice('wb')} - - 0 1"
            try:
                answer = tablebase.probe(fen, names)
            except sakmak.FenError:
                continue
            compared += 1
            legal = pyffish.legal_moves(variant, fen, [])
            ours = {move["uci"]: move["san"] for move in answer["moves"]}
            assert sorted(ours) == sorted(legal), fen
            assert answer["stalemate"] + answer["checkmate"] == (not legal), fen
            for uci, san in ours.items():
                assert pyffish.get_san(variant, fen, uci) == san, fen


def test_a_line_is_played_out_to_mate_there(tables: Path) -> None:
    fen = "8/8/8/8/8/2k5/8/K6R w - - 0 1"
    with sakmak.Tablebase(tables) as tablebase:
        line = tablebase.line(fen)
    moves = [move["uci"] for move in line["moves"]]
    assert len(moves) == 27 and line["result"] == "1-0"
    for n, move in enumerate(moves):
        assert move in pyffish.legal_moves("makruk", fen, moves[:n])
    assert not pyffish.legal_moves("makruk", fen, moves)
    assert pyffish.gives_check("makruk", fen, moves)


@pytest.mark.parametrize("rules", VARIANTS)
def test_its_own_fens_with_their_counts_are_read_all_along_a_line(tables: Path, rules: str) -> None:
    names = cast(sakmak.Rules, rules)
    fen = "8/8/8/8/8/1k6/8/K6R w - - 0 1"
    with sakmak.Tablebase(tables) as tablebase:
        line = tablebase.line(fen, names)
        moves = [move["uci"] for move in line["moves"]]
        assert len(moves) > 8
        before = None
        for n in range(1, len(moves)):
            there = pyffish.get_fen(VARIANTS[rules], fen, moves[:n])
            limit = there.split()[3]
            assert limit != "-", "it counts"
            answer = tablebase.probe(there, names)
            count = answer["count"]
            assert count is not None and count["started"] and 2 * count["limit"] == int(limit)
            # Each move of White leaves one move fewer; Black's moves leave as many.
            spent = n % 2
            assert before is None or count["moves_available"] == before - spent
            before = count["moves_available"]
