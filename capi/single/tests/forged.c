/* Changes single bytes of a table's header and makes the checksums good again: the tables that are opened answer as
 * before or with an error, and one that lacks what its ending needs is refused when it is opened. A good table in the
 * same directory answers all the same.
 *
 *   forged TABLE DIRECTORY STEP
 *
 * TABLE is a file such as KPvKP.skm or KSvKM.skv; its forgeries are written to DIRECTORY, which has the tables of the
 * smaller endings and KRvK.skm. A table of distances must be alone with its ending there, and so must one of verdicts.
 * Every STEP-th byte is changed, in several ways; STEP is 1 for all.
 */
#include "common.h"

#define POSITIONS 24

static uint8_t *read_whole(const char *path, size_t *length) {
  FILE *in = fopen(path, "rb");
  if (!in) die("the table cannot be opened");
  fseek(in, 0, SEEK_END);
  *length = (size_t)ftell(in);
  rewind(in);
  uint8_t *bytes = malloc(*length);
  if (!bytes || fread(bytes, 1, *length, in) != *length || *length < 65) die("the table cannot be read");
  fclose(in);
  return bytes;
}

static void seal(uint8_t *file) {
  uint64_t header = get(file + 24, 8), bytes = get(file + 32, 4);
  put(file + 36, crc_of(file + header, (size_t)bytes, 0), 4);
  put(file + 12, crc_of(file, 12, 0), 4);
  put(file + 60, crc_of(file, 60, 0), 4);
}

/* The answers for a position under each rule set, with the status of each. */
typedef struct {
  SakmakStatus status[3];
  SakmakCategory category[3];
  SakmakValue value[3];
} Answers;

static void ask(const SakmakTablebase *tables, const SakmakPosition *position, int of_verdicts, Answers *answers) {
  memset(answers, 0, sizeof *answers);
  for (int rules = 0; rules < 3; rules++) {
    SakmakStatus *status = &answers->status[rules];
    *status = sakmak_category(tables, position, rules, NULL, &answers->category[rules], NULL);
    if (!*status && !of_verdicts) *status = sakmak_probe(tables, position, rules, NULL, &answers->value[rules], NULL);
  }
}

/* Opens the directory with this table among the others, and asks all positions. Returns the number of wrong answers. */
static int try_table(const char *directory, const char *path, const uint8_t *file, size_t length, int of_verdicts,
                     const SakmakPosition *positions, Answers *answers, int are_known, long *given) {
  SakmakError error;
  SakmakOptions options = {0};
  SakmakTablebase *tables = NULL;
  FILE *out = fopen(path, "wb");
  if (!out || fwrite(file, 1, length, out) != length || fclose(out)) die("a forgery cannot be written");
  options.cache_bytes = 1 << 20;
  if (sakmak_open(directory, &options, &tables, &error)) die(error.message);
  SakmakPosition good;
  SakmakCount count;
  SakmakDistance dtm;
  if (sakmak_read_fen("8/8/8/8/8/2k5/8/K6R w", 0, &good, &count, NULL, &error) ||
      sakmak_dtm(tables, &good, &dtm, &error) || dtm.moves != 14)
    die("the good table gives no answer");
  int wrong = 0;
  for (int i = 0; i < POSITIONS; i++) {
    Answers found;
    ask(tables, &positions[i], of_verdicts, are_known ? &found : &answers[i]);
    for (int rules = 0; are_known && rules < 3; rules++) {
      if (found.status[rules]) continue;
      *given += 1;
      wrong += found.category[rules] != answers[i].category[rules] || answers[i].status[rules] ||
               (!of_verdicts && !same_value(&found.value[rules], &answers[i].value[rules]));
    }
  }
  sakmak_close(&tables, NULL);
  return wrong;
}

int main(int argc, char **argv) {
  if (argc != 4) die("usage: forged TABLE DIRECTORY STEP");
  const char *name = strrchr(argv[1], '/') ? strrchr(argv[1], '/') + 1 : argv[1];
  int of_verdicts = strstr(name, ".skv") != NULL;
  size_t length, step = (size_t)atoi(argv[3]);
  uint8_t *whole = read_whole(argv[1], &length), *file = malloc(length);
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", argv[2], name);
  Random chance = {1};
  static SakmakPosition positions[POSITIONS];
  static Answers answers[POSITIONS];
  long forgeries = 0, given = 0, wrong = 0;
  for (int i = 0; i < POSITIONS; i++) positions[i] = random_position(&chance, name);
  if (!file || !step) die("no memory, or a step of 0");
  try_table(argv[2], path, whole, length, of_verdicts, positions, answers, 0, &given);
  if (answers[0].status[0]) die("the table gives no answer before it is forged");

  size_t header = (size_t)get(whole + 24, 8);
  for (size_t at = header; at < length; at += step) {
    const uint8_t values[] = {0, 1, 2, 3, 255, (uint8_t)(whole[at] + 1), (uint8_t)(whole[at] ^ 128)};
    for (size_t v = 0; v <= sizeof values; v++) {
      if (v < sizeof values && values[v] == whole[at]) continue;
      memcpy(file, whole, length);
      /* The last forgery is a large number of four bytes, such as that of the cells of a block. */
      if (v < sizeof values) file[at] = values[v];
      else memset(file + at, 255, length - at < 4 ? length - at : 4);
      seal(file);
      int bad = try_table(argv[2], path, file, length, of_verdicts, positions, answers, 1, &given);
      if (bad) fprintf(stderr, "%s: byte %lu of the header, in way %lu: %d wrong\n", name, (unsigned long)(at - header),
                       (unsigned long)v, bad);
      wrong += bad;
      forgeries++;
    }
  }
  /* Other versions of the format. */
  for (uint8_t version = 1; version < 8; version++) {
    memcpy(file, whole, length);
    file[8] = version;
    seal(file);
    wrong += try_table(argv[2], path, file, length, of_verdicts, positions, answers, 1, &given);
    forgeries++;
  }
  remove(path);
  printf("%s: %ld forgeries, %ld answers, %ld wrong\n", name, forgeries, given, wrong);
  free(whole);
  free(file);
  return wrong > 0;
}
