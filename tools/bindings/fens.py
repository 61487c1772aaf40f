"""Asks a program that answers like ``sakmak probe --json -`` about the FENs of tests/data/fens.json: it must read or
refuse each as the list says.

    fens.py FENS [--own-words] PROGRAM ARGUMENT...

``{rules}`` in an argument stands for the rule set. With --own-words only the kind of a refusal is compared, not its
words. Exits with 1 at any difference.
"""

import json
import subprocess
import sys
from typing import Any

# Why there is no answer, and the kinds of errors that say so.
REASONS = {"refused": "input", "not_in_tables": "not-in-tables"}


def differences(case: dict[str, Any], answer: dict[str, Any], own_words: bool) -> list[str]:
    """The differences between an answer and the list."""
    found = []
    reason = next((reason for reason in REASONS if reason in case), None)
    if reason is None:
        if answer.get("fen") != case["reads"]:
            found.append(f"reads {answer.get('fen')}")
        if "error" in answer:
            found.append(f"is refused: {answer['error']}")
        return found
    error = answer.get("error")
    if error is None:
        return [f"is not refused: {answer}"]
    if error["kind"] != REASONS[reason]:
        found.append(f"has an error of kind {error['kind']}: {error['message']}")
    if not own_words and case[reason] not in error["message"]:
        found.append(f"is refused with {error['message']!r}")
    return found


def main() -> int:
    """Asks every FEN, rule set by rule set."""
    with open(sys.argv[1]) as file:
        cases = json.load(file)
    own_words = sys.argv[2] == "--own-words"
    command = sys.argv[3:] if own_words else sys.argv[2:]
    wrong = 0
    for rules in sorted({case["rules"] for case in cases}):
        asked = [case for case in cases if case["rules"] == rules]
        lines = "".join(case["fen"] + "\n" for case in asked)
        words = [word.replace("{rules}", rules) for word in command]
        done = subprocess.run(words, input=lines, capture_output=True, text=True, check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) != len(asked):
            print(f"{words[0]}: {len(answers)} answers to {len(asked)} FENs: {done.stderr}")
            return 1
        for case, answer in zip(asked, answers):
            for difference in differences(case, answer, own_words):
                print(f"{words[0]}: {case['fen']!r} in {rules} {difference}")
                wrong += 1
    print(f"{command[0]}: {len(cases)} FENs, {wrong} differences")
    return int(wrong > 0)


sys.exit(main())
