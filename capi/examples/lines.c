/* Prints for each FEN on standard input the line of best play, the line that begins with the worst move, and the value of
 * the position, which is probed together with all others:
 *
 *   lines DIRECTORIES makruk|asean|ouk < positions.txt
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sakmak.h"

#define MOST_MOVES 1024 /* Of a line. */

static const char *const RULES[] = {"makruk", "asean", "ouk"};
static const char *const CATEGORIES[] = {"loss", "blessed-loss", "draw", "cursed-win", "win"};
static const char *const ENDS[] = {"checkmate", "stalemate", "count", "draw"};

static void *room(size_t number, size_t size) {
  void *memory = calloc(number, size);
  if (!memory) exit(1);
  return memory;
}

static SakmakStatus line(const SakmakTablebase *tables, const SakmakPosition *position, int rules, const SakmakCount *count,
                         const char *first) {
  static SakmakLineMove moves[MOST_MOVES];
  size_t number;
  SakmakEnd end;
  SakmakStatus status = sakmak_line(tables, position, rules, count, first, moves, MOST_MOVES, &number, &end, NULL);
  if (status) return status;
  for (size_t i = 0; i < number && i < MOST_MOVES; i++) {
    SakmakLineMove *m = &moves[i];
    printf("%s=%s %s %u %u/%d:%u/%u/%u, ", m->uci, m->san, CATEGORIES[m->category + 2], (unsigned)m->dtm.moves,
           (unsigned)m->number, (int)m->count.kind, (unsigned)m->count.limit_plies, (unsigned)m->count.counted_plies,
           (unsigned)m->count.clock_plies);
  }
  printf("%s\n", ENDS[end]);
  return status;
}

int main(int argc, char **argv) {
  static char fen[4096];
  SakmakTablebase *tables = NULL;
  int rules = 3;
  while (argc == 3 && rules-- > 0 && strcmp(argv[2], RULES[rules])) {}
  if (argc != 3 || rules < 0 || sakmak_open(argv[1], NULL, &tables, NULL)) return 2;
  size_t n = 0, most = 1 << 20;
  SakmakPosition *positions = room(most, sizeof *positions);
  SakmakCount *counts = room(most, sizeof *counts);
  while (n < most && fgets(fen, sizeof fen, stdin)) {
    SakmakMove moves[SAKMAK_MAX_MOVES];
    size_t number;
    fen[strcspn(fen, "\n")] = 0;
    if (sakmak_read_fen(fen, rules, &positions[n], &counts[n], NULL, NULL)) continue;
    if (line(tables, &positions[n], rules, &counts[n], NULL) ||
        sakmak_best_moves(tables, &positions[n], rules, &counts[n], moves, SAKMAK_MAX_MOVES, &number, NULL))
      printf("none\n");
    else if (number)
      line(tables, &positions[n], rules, &counts[n], moves[number - 1].uci);
    n++;
  }
  SakmakValue *values = room(n + 1, sizeof *values);
  SakmakCategory *categories = room(n + 1, sizeof *categories);
  SakmakStatus *statuses = room(n + 1, sizeof *statuses);
  SakmakStatus *of_categories = room(n + 1, sizeof *statuses);
  SakmakStatus first = sakmak_probe_many(tables, positions, counts, n, rules, values, statuses, NULL);
  if (sakmak_category_many(tables, positions, counts, n, rules, categories, of_categories, NULL) != first) return 1;
  for (size_t i = 0; i < n; i++) {
    SakmakValue alone;
    if (sakmak_probe(tables, &positions[i], rules, &counts[i], &alone, NULL) != statuses[i] || statuses[i] != of_categories[i])
      return 1;
    if (statuses[i]) continue;
    if (alone.category != values[i].category || alone.dtm.moves != values[i].dtm.moves || categories[i] != alone.category)
      return 1;
    printf("%s %u\n", CATEGORIES[values[i].category + 2], (unsigned)values[i].dtm.moves);
  }
  free(positions);
  free(counts);
  free(values);
  free(categories);
  free(statuses);
  free(of_categories);
  return sakmak_close(&tables, NULL) != SAKMAK_STATUS_OK;
}
