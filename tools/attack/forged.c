/* Asks a library for an ending whose table is forged: each answer is that of the whole table, or an error, and
 * the table beside it always answers. Built with the C library, and with -DSINGLE with the single C file.
 *
 *   forged DIRECTORY FILE BESIDE < LIST
 *
 * DIRECTORY holds FILE, such as KPvKP.skm, with the tables that it needs, and the table of the ending BESIDE.
 * LIST has a line for each forgery: its path, after ! if it states other values, so that answers may differ.
 * Every forgery is read by a process of its own. Prints the files, the answers, how many of them were right,
 * refused and wrong, and the most memory that a process took in KiB; exits with 1 if an answer was wrong or a
 * process did not end by itself, and names the file.
 */
#define _DEFAULT_SOURCE

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef SINGLE
#include "sakmak_probe.h"
#else
#include "sakmak.h"
#endif

enum { POSITIONS = 60, RULES = 3, HUNG_AFTER_S = 60 };

static uint64_t state = 1;

static size_t below(size_t n) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (size_t)((z ^ z >> 31) % n);
}

static void die(const char *what, const char *which) {
  fprintf(stderr, "forged: %s: %s\n", what, which);
  exit(2);
}

static uint8_t *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) die("cannot be read", path);
  if (fseek(file, 0, SEEK_END)) die("cannot be read", path);
  *length = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*length + 1);
  if (!bytes || fread(bytes, 1, *length, file) != *length) die("cannot be read", path);
  fclose(file);
  return bytes;
}

static void write_file(const char *path, const uint8_t *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, length, file) != length || fclose(file)) die("cannot be written", path);
}

/* Random legal positions of an ending, as KPvKP names it. */
static void list_positions(const char *ending, SakmakPosition *positions) {
  const char *letters = "KRNSMP";
  const uint8_t all[6] = {SAKMAK_ROLE_KING, SAKMAK_ROLE_ROOK, SAKMAK_ROLE_KNIGHT,
                          SAKMAK_ROLE_KHON, SAKMAK_ROLE_MET,  SAKMAK_ROLE_BIA};
  uint8_t squares[8], colors[8], roles[8];
  size_t men = 0;
  uint8_t color = SAKMAK_COLOR_WHITE;
  for (const char *at = ending; *at && *at != '.' && men < 8; at++) {
    const char *letter = strchr(letters, *at);
    if (*at == 'v') color = SAKMAK_COLOR_BLACK;
    if (!letter) continue;
    colors[men] = color;
    roles[men++] = all[letter - letters];
  }
  for (size_t n = 0; n < POSITIONS;) {
    for (size_t i = 0; i < men; i++) {
      /* A white bia is on ranks 3 to 5, a black one on ranks 4 to 6. */
      size_t from = roles[i] != SAKMAK_ROLE_BIA ? 0 : colors[i] == SAKMAK_COLOR_WHITE ? 16 : 24;
      squares[i] = (uint8_t)(from + below(roles[i] == SAKMAK_ROLE_BIA ? 24 : 64));
    }
    if (!sakmak_position_from_men(squares, colors, roles, men, n % 2, &positions[n], NULL)) n++;
  }
}

enum { REFUSED = -1 };

/* The answer as one number, or REFUSED where there is only an error. */
static int64_t ask(const SakmakTablebase *tables, const SakmakPosition *position, int32_t rules, int distances) {
  SakmakCategory category;
  SakmakStatus status = sakmak_category(tables, position, rules, NULL, &category, NULL);
  if (status >= 50) die("a fault of the library", "sakmak_category");
  if (status) return REFUSED;
  if (!distances) return (int64_t)category + 8;
  SakmakValue value;
  status = sakmak_probe(tables, position, rules, NULL, &value, NULL);
  if (status >= 50) die("a fault of the library", "sakmak_probe");
  if (status) return REFUSED;
  const SakmakDistance *both[2] = {&value.dtm, &value.dth};
  int64_t answer = ((int64_t)category + 8) * 16 + (int64_t)value.category + 8;
  for (int i = 0; i < 2; i++) answer = (answer * 4 + (int64_t)both[i]->outcome + 1) * 65536 + both[i]->moves % 65536;
  return answer;
}

static struct {
  uint64_t answers, right, refused, wrong, hidden;
} *seen;

static SakmakPosition positions[POSITIONS], beside[POSITIONS];
static int64_t expected[POSITIONS][RULES], expected_beside[POSITIONS];

static SakmakTablebase *open_tables(const char *directory) {
  SakmakOptions options = {.cache_bytes = 1 << 20};
  SakmakTablebase *tables = NULL;
  if (sakmak_open(directory, &options, &tables, NULL)) return NULL;
  return tables;
}

static void compare(const char *directory, int distances, int may_differ) {
  SakmakTablebase *tables = open_tables(directory);
  uint64_t hidden = 0;
  for (size_t i = 0; i < POSITIONS; i++) {
    for (int32_t rules = 0; rules < RULES; rules++) {
      int64_t answer = tables ? ask(tables, &positions[i], rules, distances) : REFUSED;
      seen->answers++;
      if (answer == REFUSED) seen->refused++;
      else if (answer == expected[i][rules] || may_differ) seen->right++;
      else seen->wrong++;
    }
    hidden += !tables || ask(tables, &beside[i], 0, 1) != expected_beside[i];
  }
  seen->hidden += hidden > 0;
  if (tables) sakmak_close(&tables, NULL);
}

int main(int argc, char **argv) {
  if (argc != 4) die("usage", "forged DIRECTORY FILE BESIDE < LIST");
  const char *directory = argv[1];
  char path[4096], line[4096];
  snprintf(path, sizeof path, "%s/%s", directory, argv[2]);
  int distances = strstr(argv[2], ".skm") != NULL;
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (seen == MAP_FAILED) die("no memory", "shared");
  list_positions(argv[2], positions);
  list_positions(argv[3], beside);
  SakmakTablebase *tables = open_tables(directory);
  if (!tables) die("the whole tables cannot be opened", directory);
  size_t answered = 0;
  for (size_t i = 0; i < POSITIONS; i++) {
    for (int32_t rules = 0; rules < RULES; rules++) {
      expected[i][rules] = ask(tables, &positions[i], rules, distances);
      answered += expected[i][rules] != REFUSED;
    }
    expected_beside[i] = ask(tables, &beside[i], 0, 1);
    if (expected_beside[i] == REFUSED) die("the whole table does not answer", argv[3]);
  }
  if (answered < POSITIONS / 2) die("the whole table does not answer", path);
  sakmak_close(&tables, NULL);
  uint64_t files = 0, bad = 0;
  long most_kib = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    int may_differ = line[0] == '!';
    const char *forgery = line + may_differ;
    size_t length;
    uint8_t *bytes = read_file(forgery, &length);
    /* A new file: a process may still map the old one. */
    remove(path);
    write_file(path, bytes, length);
    free(bytes);
    uint64_t wrong = seen->wrong, hidden = seen->hidden;
    pid_t child = fork();
    if (child < 0) die("cannot fork", forgery);
    if (child == 0) {
      alarm(HUNG_AFTER_S);
      compare(directory, distances, may_differ);
      _exit(0);
    }
    int status;
    struct rusage used;
    if (wait4(child, &status, 0, &used) < 0) die("cannot wait", forgery);
    if (used.ru_maxrss > most_kib) most_kib = used.ru_maxrss;
    files++;
    const char *what = status ? "ended the process" : seen->wrong > wrong ? "gave a wrong answer" : NULL;
    if (!what && seen->hidden > hidden) what = "hid another table";
    if (what) {
      bad++;
      fprintf(stderr, "%s %s (status %x)\n", forgery, what, (unsigned)status);
    }
  }
  printf("%llu %llu %llu %llu %llu %ld %llu\n", (unsigned long long)files, (unsigned long long)seen->answers,
         (unsigned long long)seen->right, (unsigned long long)seen->refused, (unsigned long long)seen->wrong, most_kib,
         (unsigned long long)bad);
  return bad > 0;
}
