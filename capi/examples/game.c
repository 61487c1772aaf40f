/* Plays games with their counts, one on each line of standard input, and prints every position:
 *
 *   game DIRECTORIES makruk|asean|ouk automatic|not-counted|white|black < games.txt
 *
 * A game is written as UCI's command `position`: `startpos moves e3e4 ...` or `fen FEN moves c2b3 ...`. Among the moves,
 * `begin` says that the side to move begins to count board's honor, and `stop` that nobody counts it any longer. */
#include <stdio.h>
#include <string.h>

#include "sakmak.h"

static const char *const RULES[] = {"makruk", "asean", "ouk"};
static const char *const CHOICES[] = {"automatic", "not-counted", "white", "black"};
static const char *const CATEGORIES[] = {"loss", "blessed-loss", "draw", "cursed-win", "win"};

static int number_of(const char *name, const char *const *names, int n) {
  while (n-- > 0 && strcmp(name, names[n])) {}
  return n;
}

/* Prints the move, fields 4 and 5 of a FEN, the clock, the number said last, whether the count is over, and the result
 * of the tables: category, mate in so many moves, moves that the count leaves. */
static SakmakStatus show(const SakmakTablebase *tables, const char *move, const SakmakGame *game, SakmakError *error) {
  SakmakCount count;
  SakmakValue value;
  uint32_t said;
  uint8_t over;
  SakmakStatus status = sakmak_count_now(&game->count, game->rules, &count, &said, &over, error);
  if (status) return status;
  printf("%s %u %u %u %u %u", move, (unsigned)game->count.limit_plies, (unsigned)game->count.counted_plies,
         (unsigned)game->count.clock_plies, (unsigned)said, over);
  status = game->unmoved ? SAKMAK_STATUS_NOT_IN_TABLES : sakmak_probe(tables, &game->position, game->rules, &count, &value, error);
  if (!status) printf(" %s %u %u", CATEGORIES[value.category + 2], (unsigned)value.dtm.moves, (unsigned)value.allowance.moves_available);
  printf("\n");
  return status < SAKMAK_STATUS_BAD_DIRECTORY ? SAKMAK_STATUS_OK : status; /* The tables may have no answer. */
}

int main(int argc, char **argv) {
  static char line[1 << 16];
  SakmakTablebase *tables = NULL;
  SakmakError error = {0};
  SakmakGame game;
  int rules = argc == 4 ? number_of(argv[2], RULES, 3) : -1, choice = argc == 4 ? number_of(argv[3], CHOICES, 4) : -1;
  SakmakStatus status = rules < 0 || choice < 0 ? SAKMAK_STATUS_BAD_OPTION : sakmak_open(argv[1], NULL, &tables, &error);
  while (!status && fgets(line, sizeof line, stdin)) {
    char *moves = strstr(line, " moves"), *fen = strncmp(line, "fen ", 4) ? NULL : line + 4;
    if (moves) *moves = 0;
    status = sakmak_game_start(fen, rules, choice, &game, &error);
    if (!status) status = show(tables, fen ? "fen" : "startpos", &game, &error);
    for (char *m = strtok(moves ? moves + 6 : NULL, " \n"); m && !status; m = strtok(NULL, " \n")) {
      if (!strcmp(m, "begin")) status = sakmak_count_begin(&game.count, rules, &game.position, &error);
      else if (!strcmp(m, "stop")) status = sakmak_count_stop(&game.count, &game.position, &error);
      else status = sakmak_game_play(&game, m, &error);
      if (!status) status = show(tables, m, &game, &error);
    }
  }
  if (status) fprintf(stderr, "game: %s\n", error.message);
  sakmak_close(&tables, NULL);
  return status != SAKMAK_STATUS_OK;
}
