/* Answers positions from standard input, one per line, with the documents of `sakmak probe --json -`,
 * from several threads at once. Each thread answers all positions, and their answers must agree.
 *
 *   answers DIRECTORIES RULES THREADS < positions.txt
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sakmak.h"

static const char *const RULES[] = {"makruk", "asean", "ouk"};
static const char *const SIDES[] = {"white", "black"};

/* A text whose memory grows as it is extended. */
typedef struct {
  char *bytes;
  size_t length, room;
} Text;

static void die(const char *what) {
  fprintf(stderr, "answers: %s\n", what);
  exit(1);
}

static void put(Text *text, const char *format, ...) {
  va_list arguments;
  for (;;) {
    size_t left = text->room - text->length;
    va_start(arguments, format);
    int wanted = vsnprintf(text->bytes ? text->bytes + text->length : NULL, left, format, arguments);
    va_end(arguments);
    if (wanted < 0) die("a text cannot be written");
    if ((size_t)wanted < left) {
      text->length += (size_t)wanted;
      return;
    }
    text->room = 2 * text->room + (size_t)wanted + 1;
    text->bytes = realloc(text->bytes, text->room);
    if (!text->bytes) die("no memory");
  }
}

/* Appends a text in quotes, with the escapes of JSON. */
static void put_quoted(Text *text, const char *words) {
  put(text, "\"");
  for (const char *c = words; *c; c++) {
    if (*c == '"' || *c == '\\')
      put(text, "\\%c", *c);
    else if (*c == '\t')
      put(text, "\\t");
    else if ((unsigned char)*c < 0x20)
      put(text, "\\u%04x", *c);
    else
      put(text, "%c", *c);
  }
  put(text, "\"");
}

static const char *boolean(int yes) { return yes ? "true" : "false"; }

static void put_category(Text *text, SakmakCategory category) {
  switch (category) {
    case SAKMAK_CATEGORY_WIN: put(text, "\"win\""); break;
    case SAKMAK_CATEGORY_CURSED_WIN: put(text, "\"cursed-win\""); break;
    case SAKMAK_CATEGORY_DRAW: put(text, "\"draw\""); break;
    case SAKMAK_CATEGORY_BLESSED_LOSS: put(text, "\"blessed-loss\""); break;
    case SAKMAK_CATEGORY_LOSS: put(text, "\"loss\""); break;
    default: put(text, "null");
  }
}

static void put_moves(Text *text, SakmakDistance distance) {
  if (distance.outcome == SAKMAK_OUTCOME_WIN || distance.outcome == SAKMAK_OUTCOME_LOSS)
    put(text, "%u", distance.moves);
  else
    put(text, "null");
}

static void put_count(Text *text, SakmakAllowance allowance) {
  const char *kind = NULL;
  switch (allowance.kind) {
    case SAKMAK_LIMIT_KIND_PIECES_HONOR: kind = "pieces-honor"; break;
    case SAKMAK_LIMIT_KIND_BOARDS_HONOR: kind = "boards-honor"; break;
    case SAKMAK_LIMIT_KIND_FIFTY_MOVES: kind = "fifty-moves"; break;
    default: put(text, "null"); return;
  }
  put(text, "{\"kind\":\"%s\",\"limit\":%u,\"counted\":%u,\"started\":%s,\"moves_available\":%u}",
      kind, allowance.limit, allowance.counted, boolean(allowance.started),
      allowance.moves_available);
}

/* Makes the same position again from the list of its men. */
static SakmakStatus again(const SakmakPosition *position, SakmakPosition *copy, SakmakError *error) {
  uint8_t squares[8], colors[8], roles[8];
  size_t men = 0;
  const uint64_t sets[] = {position->kings, position->rooks, position->knights, position->khons,
                           position->mets,  position->bia};
  for (int square = 0; square < 64; square++) {
    for (int role = 0; role < 6; role++) {
      if (men < 8 && sets[role] >> square & 1) {
        squares[men] = (uint8_t)square;
        colors[men] = position->black >> square & 1 ? SAKMAK_COLOR_BLACK : SAKMAK_COLOR_WHITE;
        roles[men++] = (uint8_t)role;
      }
    }
  }
  return sakmak_position_from_men(squares, colors, roles, men, position->turn, copy, error);
}

static SakmakStatus answer(const SakmakTablebase *tablebase, const char *line, int rules,
                           Text *text, SakmakError *error) {
  SakmakPosition position, copy;
  SakmakCount count;
  SakmakValue value;
  SakmakDistance dtm = {0};
  SakmakMove moves[SAKMAK_MAX_MOVES];
  size_t number;
  uint32_t fullmove;
  uint8_t insufficient, has = 0;
  char fen[SAKMAK_FEN_SIZE];
  SakmakStatus status;

  if ((status = sakmak_read_fen(line, rules, &position, &count, &fullmove, error))) return status;
  /* Functions without a rule set ask for makruk's bia, which move as ouk's do. */
  int of_makruk = rules != SAKMAK_RULES_ASEAN || !position.bia;
  if ((status = again(&position, &copy, error)) ||
      (status = sakmak_probe(tablebase, &copy, rules, &count, &value, error)) ||
      (status = of_makruk ? sakmak_dtm(tablebase, &position, &dtm, error) : SAKMAK_STATUS_OK) ||
      (status = sakmak_best_moves(tablebase, &position, rules, &count, moves, SAKMAK_MAX_MOVES,
                                  &number, error)) ||
      (status = sakmak_is_insufficient(&position, rules, &insufficient, error)) ||
      (status = of_makruk ? sakmak_has_table(tablebase, &position, &has, error) : SAKMAK_STATUS_OK) ||
      (status = sakmak_write_fen(&position, &count, fullmove, rules, fen, sizeof fen, error)))
    return status;
  if (!of_makruk) dtm = value.dtm;
  else if (!has) die("a table that answers is not there");
  if (dtm.outcome != value.dtm.outcome || dtm.moves != value.dtm.moves)
    die("two probes of one position differ");

  int mated = number == 0 && dtm.outcome == SAKMAK_OUTCOME_LOSS;
  const char *side = SIDES[position.turn];
  put(text, "{\"fen\":\"%s\",\"rules\":\"%s\",\"side_to_move\":\"%s\",\"category\":", fen,
      RULES[rules], side);
  put_category(text, value.category);
  put(text, ",\"dtm\":");
  put_moves(text, value.dtm);
  put(text, ",\"dth\":");
  put_moves(text, value.dth);
  put(text, ",\"unit\":\"moves\",\"checkmate\":%s,\"stalemate\":%s,\"insufficient_material\":%s,",
      boolean(mated), boolean(number == 0 && !mated), boolean(insufficient));
  put(text, "\"count\":");
  put_count(text, value.allowance);
  put(text, ",\"moves\":[");
  for (size_t i = 0; i < number; i++) {
    put(text, "%s{\"uci\":\"%s\",\"san\":\"%s\",\"for\":\"%s\",\"category\":", i ? "," : "",
        moves[i].uci, moves[i].san, side);
    put_category(text, moves[i].category);
    put(text, ",\"dtm\":");
    put_moves(text, moves[i].dtm);
    put(text, ",\"dth\":");
    put_moves(text, moves[i].dth);
    put(text, ",\"capture\":%s,\"checkmate\":%s}", boolean(moves[i].capture),
        boolean(moves[i].checkmate));
  }
  put(text, "]}\n");
  return SAKMAK_STATUS_OK;
}

static void no_answer(const char *line, const SakmakError *error, Text *text) {
  const char *kind = "file";
  if (error->status < 20)
    kind = "input";
  else if (error->status == SAKMAK_STATUS_NOT_IN_TABLES)
    kind = "not-in-tables";
  else if (error->status < 30)
    kind = "missing-table";
  put(text, "{\"fen\":");
  put_quoted(text, line);
  put(text, ",\"error\":{\"kind\":\"%s\",\"message\":", kind);
  put_quoted(text, error->message);
  put(text, "}}\n");
}

typedef struct {
  const SakmakTablebase *tablebase;
  char **lines;
  size_t number;
  int rules;
  Text text;
} Work;

static void *work(void *argument) {
  Work *work = argument;
  SakmakError error;
  for (size_t i = 0; i < work->number; i++)
    if (answer(work->tablebase, work->lines[i], work->rules, &work->text, &error))
      no_answer(work->lines[i], &error, &work->text);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) die("usage: answers DIRECTORIES RULES THREADS < positions.txt");
  int rules = 0;
  while (rules < 3 && strcmp(argv[2], RULES[rules])) rules++;
  int threads = atoi(argv[3]);
  if (rules == 3 || threads < 1 || threads > 64) die("no such rules, or number of threads");

  char line[1024];
  char **lines = NULL;
  size_t number = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!*line) continue;
    lines = realloc(lines, (number + 1) * sizeof *lines);
    if (!lines || !(lines[number] = strdup(line))) die("no memory");
    number++;
  }

  SakmakError error;
  SakmakTablebase *tablebase = NULL;
  if (sakmak_open(argv[1], NULL, &tablebase, &error)) die(error.message);
  pthread_t ids[64];
  Work *works = calloc((size_t)threads, sizeof *works);
  if (!works) die("no memory");
  for (int i = 0; i < threads; i++) {
    works[i] = (Work){tablebase, lines, number, rules, {NULL, 0, 0}};
    if (pthread_create(&ids[i], NULL, work, &works[i])) die("a thread cannot be started");
  }
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  for (int i = 1; i < threads; i++)
    if (works[i].text.length != works[0].text.length ||
        (number && memcmp(works[i].text.bytes, works[0].text.bytes, works[0].text.length)))
      die("two threads answer differently");
  fwrite(works[0].text.bytes ? works[0].text.bytes : "", 1, works[0].text.length, stdout);

  for (int i = 0; i < threads; i++) free(works[i].text.bytes);
  for (size_t i = 0; i < number; i++) free(lines[i]);
  free(works);
  free(lines);
  sakmak_close(&tablebase, NULL);
  return 0;
}
