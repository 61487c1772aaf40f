/* Makes every mistake of a caller that the library can detect, and expects the error for each.
 *
 *   mistakes DIRECTORY       a directory with KRvK.skm, but without KRRvK.skm
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sakmak.h"

static SakmakError error;

static void expect(int line, SakmakStatus found, SakmakStatus expected) {
  if (found == expected && (found == SAKMAK_STATUS_OK ||
                            (error.status == found && strlen(error.message) > 10)))
    return;
  fprintf(stderr, "mistakes.c:%d: status %d instead of %d\n", line, found, expected);
  exit(1);
}
#define EXPECT(call, expected) expect(__LINE__, call, SAKMAK_STATUS_##expected)

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  SakmakTablebase *tablebase = NULL;
  EXPECT(sakmak_open(argv[1], NULL, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_open("/no such directory", NULL, &tablebase, &error), BAD_DIRECTORY);
  if (tablebase) return 1;
  SakmakOptions options = {.cache_bytes = 1 << 20, .most_open = 1, .access = 9};
  EXPECT(sakmak_open(argv[1], &options, &tablebase, &error), BAD_OPTION);
  options.access = SAKMAK_ACCESS_BLOCKS;
  options.reserved[4] = 1;
  EXPECT(sakmak_open(argv[1], &options, &tablebase, &error), BAD_OPTION);
  options.reserved[4] = 0;

  /* The header and the library are of one version. */
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", SAKMAK_VERSION_MAJOR, SAKMAK_VERSION_MINOR, SAKMAK_VERSION_PATCH);
  if (strcmp(version, SAKMAK_VERSION) != 0 || strcmp(version, sakmak_version()) != 0) return 1;
  if (SAKMAK_VERSION_NUMBER / 10000 != SAKMAK_VERSION_MAJOR) return 1;

  options.access = SAKMAK_ACCESS_MAP;
  for (int bits = 36; bits < 64; bits++) {
    options.cache_bytes = (size_t)1 << bits;
    /* This may succeed on a machine with so much memory. */
    SakmakStatus status = sakmak_open(argv[1], &options, &tablebase, &error);
    if (bits > 46) EXPECT(status, NO_MEMORY);
    EXPECT(sakmak_close(&tablebase, &error), OK);
  }
  options.cache_bytes = SIZE_MAX;
  EXPECT(sakmak_open(argv[1], &options, &tablebase, &error), NO_MEMORY);
  if (tablebase) return 1;
  options.cache_bytes = 1 << 20;
  options.access = SAKMAK_ACCESS_BLOCKS;

  /* One bad directory among good ones is reported, and the tables of the others are loaded. */
  char directories[4096];
  snprintf(directories, sizeof directories, "/no such directory:%s:/nor this", argv[1]);
  EXPECT(sakmak_open(directories, &options, &tablebase, &error), BAD_DIRECTORY);
  if (!tablebase || !strstr(error.message, "/nor this") || !strstr(error.message, "/no such"))
    return 1;
  size_t tables = 0, most_men = 0;
  EXPECT(sakmak_tables(tablebase, &tables, &most_men, &error), OK);
  if (tables == 0 || most_men < 3) return 1;
  EXPECT(sakmak_close(&tablebase, &error), OK);

  EXPECT(sakmak_open(argv[1], &options, &tablebase, &error), OK);

  const int rules = SAKMAK_RULES_MAKRUK;
  SakmakPosition position, other;
  SakmakCount count;
  SakmakValue value;
  SakmakDistance dtm;
  SakmakMove moves[SAKMAK_MAX_MOVES];
  size_t number;
  uint8_t flag;
  char fen[SAKMAK_FEN_SIZE];
  const char *text = "8/8/8/8/8/2k5/8/K6R w";

  EXPECT(sakmak_read_fen(NULL, rules, &position, &count, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_read_fen(text, rules, NULL, &count, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_read_fen(text, rules, &position, NULL, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_read_fen(text, 3, &position, &count, NULL, &error), BAD_RULES);
  EXPECT(sakmak_read_fen(text, -1, &position, &count, NULL, &error), BAD_RULES);
  EXPECT(sakmak_read_fen("8/8 w", rules, &position, &count, NULL, &error), BAD_FEN);
  EXPECT(sakmak_read_fen("\xff\xfe", rules, &position, &count, NULL, &error), NOT_UTF8);
  EXPECT(sakmak_read_fen("8/8/8/8/8/2k5/8/K6B w", rules, &position, &count, NULL, &error), BAD_FEN);
  EXPECT(sakmak_read_fen(text, rules, &position, &count, NULL, &error), OK);

  const uint8_t squares[] = {0, 18, 7}, colors[] = {0, 1, 0}, roles[] = {0, 0, 1};
  const uint8_t bad[] = {64, 64, 64};
  EXPECT(sakmak_position_from_men(squares, colors, roles, 3, 0, &other, &error), OK);
  if (memcmp(&position.white, &other.white, 7 * sizeof(uint64_t)) || other.turn) return 1;
  EXPECT(sakmak_position_from_men(NULL, colors, roles, 3, 0, &other, &error), NULL_POINTER);
  EXPECT(sakmak_position_from_men(bad, colors, roles, 3, 0, &other, &error), BAD_POSITION);
  EXPECT(sakmak_position_from_men(squares, bad, roles, 3, 0, &other, &error), BAD_POSITION);
  EXPECT(sakmak_position_from_men(squares, colors, bad, 3, 0, &other, &error), BAD_POSITION);
  EXPECT(sakmak_position_from_men(squares, colors, roles, 3, 2, &other, &error), BAD_POSITION);
  EXPECT(sakmak_position_from_men(squares, colors, roles, 33, 0, &other, &error), BAD_POSITION);
  EXPECT(sakmak_position_from_men(squares, colors, roles, 1, 0, &other, &error), BAD_POSITION);

  EXPECT(sakmak_probe(tablebase, NULL, rules, &count, &value, &error), NULL_POINTER);
  EXPECT(sakmak_probe(tablebase, &position, rules, &count, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_probe(tablebase, &position, 7, &count, &value, &error), BAD_RULES);
  other = position;
  other.rooks |= other.kings;
  EXPECT(sakmak_probe(tablebase, &other, rules, &count, &value, &error), BAD_POSITION);
  /* A bia on its last rank is illegal in every rule set; a bia behind its first rank is in no table. */
  other = position;
  other.white |= UINT64_C(1) << 60;
  other.bia = UINT64_C(1) << 60;
  for (int32_t any = 0; any < 3; any++)
    EXPECT(sakmak_probe(tablebase, &other, any, NULL, &value, &error), BAD_POSITION);
  other.bia = UINT64_C(1) << 12;
  other.white = position.white | other.bia;
  EXPECT(sakmak_probe(tablebase, &other, rules, NULL, &value, &error), NOT_IN_TABLES);
  /* A side with more men than in any game. */
  other = position;
  other.mets = UINT64_C(0xffff) << 32;
  other.white |= other.mets;
  EXPECT(sakmak_probe(tablebase, &other, rules, NULL, &value, &error), BAD_POSITION);
  /* What is legal and in no table is no mistake: nine men, and the first position of a game. */
  const uint8_t of_nine[] = {0, 63, 8, 9, 10, 11, 12, 13, 14}, nine_colors[] = {0, 1, 0, 0, 0, 0, 0, 0, 0};
  const uint8_t nine_roles[] = {0, 0, 2, 2, 2, 2, 2, 2, 2};
  EXPECT(sakmak_position_from_men(of_nine, nine_colors, nine_roles, 9, 0, &other, &error), NOT_IN_TABLES);
  const char *start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
  SakmakCount of_start;
  EXPECT(sakmak_read_fen(start, rules, &other, &of_start, NULL, &error), NOT_IN_TABLES);
  memset(&other, 0, sizeof other);
  other.white = UINT64_C(0xff00ff);
  other.black = UINT64_C(0xff00ff0000000000);
  other.kings = UINT64_C(1) << 3 | UINT64_C(1) << 60;
  other.mets = UINT64_C(1) << 4 | UINT64_C(1) << 59;
  other.rooks = UINT64_C(0x8100000000000081);
  other.knights = UINT64_C(0x4200000000000042);
  other.khons = UINT64_C(0x2400000000000024);
  other.bia = UINT64_C(0xff0000ff0000);
  SakmakCategory no_category;
  SakmakCategoryBounds no_bounds;
  EXPECT(sakmak_probe(tablebase, &other, rules, NULL, &value, &error), NOT_IN_TABLES);
  EXPECT(sakmak_probe_cached(tablebase, &other, rules, NULL, &value, &error), NOT_IN_TABLES);
  EXPECT(sakmak_category(tablebase, &other, rules, NULL, &no_category, &error), NOT_IN_TABLES);
  EXPECT(sakmak_category_bounds(tablebase, &other, rules, NULL, &no_bounds, &error), NOT_IN_TABLES);
  EXPECT(sakmak_best_moves(tablebase, &other, rules, NULL, moves, 1, &number, &error), NOT_IN_TABLES);
  EXPECT(sakmak_dtm(tablebase, &other, &dtm, &error), NOT_IN_TABLES);
  EXPECT(sakmak_is_stored(tablebase, &other, &flag, &error), NOT_IN_TABLES);
  EXPECT(sakmak_is_insufficient(&other, rules, &flag, &error), OK);
  if (flag) return 1;
  EXPECT(sakmak_has_table(tablebase, &other, &flag, &error), OK);
  if (flag) return 1;
  EXPECT(sakmak_write_fen(&other, NULL, 1, rules, fen, sizeof fen, &error), OK);
  if (strcmp(fen, start)) return 1;
  SakmakCount wrong = {99, 32, 8, 0};
  EXPECT(sakmak_probe(tablebase, &position, rules, &wrong, &value, &error), BAD_COUNT);
  EXPECT(sakmak_best_moves(tablebase, &position, rules, &count, NULL, 1, &number, &error),
         NULL_POINTER);
  EXPECT(sakmak_best_moves(tablebase, &position, rules, &count, moves, 1, NULL, &error),
         NULL_POINTER);
  EXPECT(sakmak_best_moves(tablebase, &position, rules, &count, NULL, 0, &number, &error), OK);
  size_t all = number;
  EXPECT(sakmak_best_moves(tablebase, &position, rules, &count, moves, 1, &number, &error), OK);
  if (number != all || strcmp(moves[0].uci, "h1d1")) return 1;
  EXPECT(sakmak_write_fen(&position, &count, 1, rules, fen, 10, &error), BUFFER_TOO_SMALL);
  EXPECT(sakmak_write_fen(&position, &count, 1, rules, NULL, 10, &error), NULL_POINTER);
  EXPECT(sakmak_tables(tablebase, NULL, NULL, &error), OK);
  EXPECT(sakmak_add_directory(tablebase, NULL, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_add_directory(tablebase, "/no such directory", NULL, &error), BAD_DIRECTORY);

  /* Men that cannot mate, even with the opponent's help: two kings, and a bia that can become only a met. */
  const uint8_t bia_squares[] = {5, 7, 36, 30}, bia_colors[] = {0, 1, 0, 1}, bia_roles[] = {0, 0, 5, 5};
  for (int32_t any = 0; any < 3; any++)
    for (size_t men = 2; men <= 4; men++) {
      EXPECT(sakmak_position_from_men(bia_squares, bia_colors, bia_roles, men, 0, &other, &error), OK);
      EXPECT(sakmak_is_insufficient(&other, any, &flag, &error), OK);
      if (flag != (men == 2 || (men == 3 && any != SAKMAK_RULES_ASEAN))) return 1;
    }
  EXPECT(sakmak_is_insufficient(NULL, rules, &flag, &error), NULL_POINTER);
  EXPECT(sakmak_is_insufficient(&other, rules, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_is_insufficient(&other, 3, &flag, &error), BAD_RULES);

  /* A missing table, with and without an error message. The other tables still answer. */
  SakmakPosition missing;
  EXPECT(sakmak_read_fen("8/8/8/8/8/2k5/8/K5RR w", rules, &missing, &count, NULL, &error), OK);
  EXPECT(sakmak_has_table(tablebase, &missing, &flag, &error), OK);
  if (flag) return 1;
  EXPECT(sakmak_dtm(tablebase, &missing, &dtm, &error), MISSING_TABLE);
  if (sakmak_dtm(tablebase, &missing, &dtm, NULL) != SAKMAK_STATUS_MISSING_TABLE) return 1;
  EXPECT(sakmak_probe(tablebase, &position, rules, NULL, &value, &error), OK);
  if (value.category != SAKMAK_CATEGORY_WIN || value.dtm.moves != 14) return 1;

  SakmakCategory category = SAKMAK_CATEGORY_DRAW;
  EXPECT(sakmak_category(tablebase, &position, rules, NULL, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_category(tablebase, &position, rules, &wrong, &category, &error), BAD_COUNT);
  EXPECT(sakmak_category(tablebase, &position, rules, NULL, &category, &error), OK);
  if (category != SAKMAK_CATEGORY_WIN) return 1;
  /* With a limit of 0 there is no count, and the number is the clock of the fifty-move rule. */
  SakmakCount none = {SAKMAK_COUNT_KIND_RUNNING, 0, 0, 0}, clock = {SAKMAK_COUNT_KIND_RUNNING, 0, 99, 0};
  EXPECT(sakmak_category(tablebase, &position, rules, &none, &category, &error), OK);
  if (category != SAKMAK_CATEGORY_WIN) return 1;
  EXPECT(sakmak_category(tablebase, &position, rules, &clock, &category, &error), OK);
  if (category != SAKMAK_CATEGORY_WIN) return 1;
  EXPECT(sakmak_category(tablebase, &position, SAKMAK_RULES_ASEAN, &clock, &category, &error), OK);
  if (category == SAKMAK_CATEGORY_WIN) return 1;
  EXPECT(sakmak_is_stored(tablebase, &position, &flag, &error), OK);
  if (!flag) return 1;

  /* A tablebase that was just opened has no decoded block, so this probe has no answer. */
  SakmakTablebase *cold = NULL;
  EXPECT(sakmak_open(argv[1], NULL, &cold, &error), OK);
  EXPECT(sakmak_probe_cached(cold, &position, rules, NULL, &value, &error), NOT_DECODED);
  EXPECT(sakmak_close(&cold, &error), OK);
  value.dtm.moves = 0;
  EXPECT(sakmak_probe_cached(tablebase, &position, rules, NULL, &value, &error), OK);
  if (value.dtm.moves != 14) return 1;

  /* Counts of games. */
  SakmakGameCount game_count, next_count;
  SakmakGame game;
  uint32_t said = 9;
  const int nobody = SAKMAK_BOARDS_HONOR_NOT_COUNTED;
  EXPECT(sakmak_count_start(NULL, rules, NULL, nobody, &game_count, &error), NULL_POINTER);
  EXPECT(sakmak_count_start(&position, 7, NULL, nobody, &game_count, &error), BAD_RULES);
  EXPECT(sakmak_count_start(&position, rules, NULL, 4, &game_count, &error), BAD_COUNT);
  EXPECT(sakmak_count_start(&position, rules, NULL, nobody, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_count_start(&position, rules, NULL, nobody, &game_count, &error), OK);
  EXPECT(sakmak_count_after(NULL, rules, &position, &position, &next_count, &error), NULL_POINTER);
  EXPECT(sakmak_count_after(&game_count, rules, &position, NULL, &next_count, &error), NULL_POINTER);
  EXPECT(sakmak_count_after(&game_count, rules, &position, &position, &next_count, &error), BAD_POSITION);
  EXPECT(sakmak_count_after(&game_count, rules, &position, &position, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_count_begin(&game_count, rules, &position, &error), BAD_COUNT);
  EXPECT(sakmak_count_begin(NULL, rules, &position, &error), NULL_POINTER);
  EXPECT(sakmak_count_stop(NULL, &position, &error), NULL_POINTER);
  EXPECT(sakmak_count_stop(&game_count, &position, &error), OK);
  EXPECT(sakmak_count_now(&game_count, rules, NULL, NULL, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_count_now(&game_count, rules, &count, &said, &flag, &error), OK);
  /* White has a rook, so Black counts on from three men; White's move comes first. */
  if (count.kind != SAKMAK_COUNT_KIND_RUNNING || count.limit_plies != 32 || count.counted_plies != 5) return 1;
  if (said != 3 || flag) return 1;
  game_count.boards_honor = -1;
  EXPECT(sakmak_count_now(&game_count, rules, &count, NULL, NULL, &error), BAD_COUNT);

  EXPECT(sakmak_game_start(NULL, 7, nobody, &game, &error), BAD_RULES);
  EXPECT(sakmak_game_start("no FEN", rules, nobody, &game, &error), BAD_FEN);
  EXPECT(sakmak_game_start("\xff", rules, nobody, &game, &error), NOT_UTF8);
  EXPECT(sakmak_game_start(NULL, rules, nobody, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_game_start(NULL, rules, nobody, &game, &error), OK);
  const char *const no_moves[] = {"", "e3", "e3e5", "e3e4m", "e2e3", "e6e5", "e3e4e", "E3 E4", "i3i4", "e3e9", "0000", "a1a3"};
  for (size_t i = 0; i < sizeof no_moves / sizeof *no_moves; i++)
    EXPECT(sakmak_game_play(&game, no_moves[i], &error), BAD_MOVE);
  EXPECT(sakmak_game_play(&game, "\xff", &error), NOT_UTF8);
  EXPECT(sakmak_game_play(&game, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_game_play(NULL, "e3e4", &error), NULL_POINTER);
  EXPECT(sakmak_game_play(&game, "E3E4", &error), OK);
  EXPECT(sakmak_game_play(&game, "e3e4", &error), BAD_MOVE);
  /* The bia promotes with its letter only; a man that is pinned stays. */
  EXPECT(sakmak_game_start("8/8/8/7P/8/1S6/8/1K1k4 w", rules, nobody, &game, &error), OK);
  EXPECT(sakmak_game_play(&game, "h5h6", &error), BAD_MOVE);
  EXPECT(sakmak_game_play(&game, "h5h6m", &error), OK);
  if (game.count.limit_plies != 88 || game.count.counted_plies != 8) return 1;
  EXPECT(sakmak_game_start("4k3/8/8/4r3/8/4S3/8/4K3 w", rules, nobody, &game, &error), OK);
  EXPECT(sakmak_game_play(&game, "e3d4", &error), BAD_MOVE);
  EXPECT(sakmak_game_play(&game, "e3e4", &error), OK);

  /* Lines, and many positions at once. */
  SakmakLineMove line[64];
  SakmakEnd end;
  SakmakPosition list[3];
  SakmakValue values[3];
  SakmakCategory categories[3];
  SakmakStatus statuses[3];
  EXPECT(sakmak_line(tablebase, &position, rules, NULL, NULL, line, 64, NULL, &end, &error), NULL_POINTER);
  EXPECT(sakmak_line(tablebase, &position, rules, NULL, NULL, line, 64, &number, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_line(tablebase, &position, rules, NULL, NULL, NULL, 64, &number, &end, &error), NULL_POINTER);
  EXPECT(sakmak_line(tablebase, &position, rules, NULL, "a1a8", line, 64, &number, &end, &error), BAD_MOVE);
  EXPECT(sakmak_line(tablebase, &position, rules, NULL, "\xff", line, 64, &number, &end, &error), NOT_UTF8);
  EXPECT(sakmak_line(tablebase, &position, rules, NULL, NULL, line, 64, &number, &end, &error), OK);
  if (number != 27 || end != SAKMAK_END_CHECKMATE || strcmp(line[0].uci, "h1d1")) return 1;
  EXPECT(sakmak_line(tablebase, &position, rules, NULL, "h1h2", NULL, 0, &number, &end, &error), OK);
  list[0] = list[2] = position;
  memset(&list[1], 0, sizeof list[1]);
  EXPECT(sakmak_probe_many(tablebase, NULL, NULL, 0, rules, NULL, NULL, &error), OK);
  EXPECT(sakmak_probe_many(tablebase, NULL, NULL, 3, rules, values, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_probe_many(tablebase, list, NULL, 3, rules, NULL, NULL, &error), NULL_POINTER);
  EXPECT(sakmak_probe_many(tablebase, list, NULL, 3, rules, values, statuses, &error), BAD_POSITION);
  if (statuses[0] || statuses[1] != SAKMAK_STATUS_BAD_POSITION || statuses[2]) return 1;
  if (values[0].dtm.moves != 14 || values[2].dtm.moves != 14) return 1;
  EXPECT(sakmak_category_many(tablebase, list, NULL, 3, 7, categories, statuses, &error), BAD_RULES);
  EXPECT(sakmak_category_many(tablebase, list, NULL, 1, rules, categories, statuses, &error), OK);
  if (categories[0] != SAKMAK_CATEGORY_WIN) return 1;

  uint64_t hits = 0, misses = 0;
  EXPECT(sakmak_cache_statistics(tablebase, NULL, NULL, &error), OK);
  EXPECT(sakmak_cache_statistics(tablebase, &hits, &misses, &error), OK);
  if (hits == 0 || misses == 0) return 1;

  EXPECT(sakmak_close(NULL, &error), NULL_POINTER);
  EXPECT(sakmak_close(&tablebase, &error), OK);
  if (tablebase) return 1;
  EXPECT(sakmak_close(&tablebase, &error), OK);
  EXPECT(sakmak_probe(tablebase, &position, rules, &count, &value, &error), CLOSED_HANDLE);
  EXPECT(sakmak_add_directory(tablebase, argv[1], NULL, &error), CLOSED_HANDLE);
  /* Aligned like a handle, so that the library examines its contents. */
  _Alignas(4096) uint64_t nothing[64] = {0};
  EXPECT(sakmak_dtm((SakmakTablebase *)nothing, &position, &dtm, &error), INVALID_HANDLE);
  EXPECT(sakmak_dtm((SakmakTablebase *)((char *)nothing + 1), &position, &dtm, &error),
         INVALID_HANDLE);
  printf("sakmak %s: every mistake is told\n", sakmak_version());
  return 0;
}
