/* Probes verdict tables for the positions on standard input, one per line, and compares every answer
 * with the distances.
 *
 *   verdicts DISTANCES VERDICTS RULES < positions.txt
 *
 * DISTANCES is a directory with only distance tables, VERDICTS one with only verdict tables of the same
 * endings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sakmak.h"

static const char *const RULES[] = {"makruk", "asean", "ouk"};

static SakmakTablebase *open_tables(const char *directories) {
  SakmakTablebase *tablebase = NULL;
  SakmakError error;
  if (sakmak_open(directories, NULL, &tablebase, &error)) {
    fprintf(stderr, "verdicts: %s\n", error.message);
    exit(2);
  }
  return tablebase;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int rules = 0;
  while (rules < 2 && strcmp(RULES[rules], argv[3])) rules++;
  char directories[4096], line[512];
  snprintf(directories, sizeof directories, "%s:%s", argv[1], argv[2]);
  SakmakTablebase *distances = open_tables(argv[1]), *verdicts = open_tables(argv[2]);
  SakmakTablebase *both = open_tables(directories);
  size_t endings[3], most[3];
  sakmak_tables(distances, &endings[0], &most[0], NULL);
  sakmak_tables(verdicts, &endings[1], &most[1], NULL);
  sakmak_tables(both, &endings[2], &most[2], NULL);
  if (endings[0] != endings[1] || endings[0] != endings[2] || most[0] != most[1] || most[0] != most[2]) {
    fprintf(stderr, "verdicts: the directories have tables of different endings\n");
    return 1;
  }

  long positions = 0, drawn = 0, missing = 0;
  SakmakError error = {0};
  while (fgets(line, sizeof line, stdin)) {
    SakmakPosition position;
    SakmakCount count;
    SakmakValue value, fresh;
    SakmakCategory category;
    SakmakCategoryBounds bounds;
    line[strcspn(line, "\r\n")] = 0;
    if (sakmak_read_fen(line, rules, &position, &count, NULL, NULL) ||
        sakmak_probe(distances, &position, rules, &count, &value, NULL) ||
        sakmak_probe(distances, &position, rules, NULL, &fresh, NULL))
      continue;
    positions++;
    const char *wrong = NULL;
    if (sakmak_category(verdicts, &position, rules, NULL, &category, &error) || category != fresh.category)
      wrong = "a count that begins now";
    else if (sakmak_category_cached(verdicts, &position, rules, NULL, &category, &error) || category != fresh.category)
      wrong = "what has been decoded";
    else if (sakmak_category(both, &position, rules, &count, &category, &error) || category != value.category)
      wrong = "the count given";
    else if (sakmak_category_bounds(verdicts, &position, rules, &count, &bounds, &error) ||
             value.category < bounds.least || value.category > bounds.most || bounds.most - bounds.least > 1)
      wrong = "the bounds";
    /* Under a running count, positions without distances have an exact category only if nobody can force mate. */
    SakmakStatus status = sakmak_category(verdicts, &position, rules, &count, &category, &error);
    if (status == SAKMAK_STATUS_MISSING_TABLE) missing++;
    else if (status || category != value.category) wrong = "the count given, without distances";
    drawn += fresh.category == SAKMAK_CATEGORY_DRAW;
    int kings_alone = (position.white | position.black) == position.kings;
    if (!kings_alone && sakmak_probe(verdicts, &position, rules, NULL, &value, &error) != SAKMAK_STATUS_MISSING_TABLE)
      wrong = "distances that are not there";
    if (wrong) {
      fprintf(stderr, "verdicts: %s: %s: %d %s\n", line, wrong, (int)category, error.message);
      return 1;
    }
  }
  sakmak_close(&distances, NULL);
  sakmak_close(&verdicts, NULL);
  sakmak_close(&both, NULL);
  if (positions == 0 || drawn == 0 || drawn == positions || missing == 0) {
    fprintf(stderr, "verdicts: too few positions to tell\n");
    return 1;
  }
  printf("%s: %ld positions, the verdict of each that of the distances; %ld with a count that needs those\n", argv[3],
         positions, missing);
  return 0;
}
