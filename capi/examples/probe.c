/* Asks the tables about one position, as an engine would at the root.
 *
 *   probe DIRECTORY FEN
 */
#include <stdio.h>

#include "sakmak.h"

static const char *category(SakmakCategory category) {
  switch (category) {
    case SAKMAK_CATEGORY_WIN: return "win";
    case SAKMAK_CATEGORY_CURSED_WIN: return "win, but not inside the count: drawn";
    case SAKMAK_CATEGORY_DRAW: return "draw";
    case SAKMAK_CATEGORY_BLESSED_LOSS: return "loss, but not inside the count: drawn";
    case SAKMAK_CATEGORY_LOSS: return "loss";
    default: return "not decided";
  }
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: probe DIRECTORY FEN\n");
    return 2;
  }
  SakmakError error;
  SakmakTablebase *tablebase = NULL;
  SakmakPosition position;
  SakmakCount count;
  SakmakValue value;
  SakmakMove moves[SAKMAK_MAX_MOVES];
  size_t number = 0;

  if (sakmak_open(argv[1], NULL, &tablebase, &error) ||
      sakmak_read_fen(argv[2], SAKMAK_RULES_MAKRUK, &position, &count, NULL, &error) ||
      sakmak_probe(tablebase, &position, SAKMAK_RULES_MAKRUK, &count, &value, &error) ||
      sakmak_best_moves(tablebase, &position, SAKMAK_RULES_MAKRUK, &count, moves, SAKMAK_MAX_MOVES,
                        &number, &error)) {
    fprintf(stderr, "probe: %s\n", error.message);
    sakmak_close(&tablebase, NULL);
    return 1;
  }

  printf("%s\n", category(value.category));
  if (value.allowance.kind != SAKMAK_LIMIT_KIND_NONE)
    printf("the count leaves %u moves\n", value.allowance.moves_available);
  for (size_t i = 0; i < number; i++) {
    printf("%-8s %s", moves[i].san, category(moves[i].category));
    if (moves[i].dtm.outcome == SAKMAK_OUTCOME_WIN) printf(", mates in %u", moves[i].dtm.moves);
    if (moves[i].dtm.outcome == SAKMAK_OUTCOME_LOSS) printf(", mated in %u", moves[i].dtm.moves);
    printf("\n");
  }
  sakmak_close(&tablebase, NULL);
  return 0;
}
