/* Damages a table in one way at a time and asks the C library for every position: each answer is the one
 * of the whole table, or an error.
 *
 *   damage DIRECTORY ENDING HOW FILES PART PARTS SEED [OTHER]
 *
 * DIRECTORY holds the table, such as KRvK.skm, and gets it back at the end. HOW is what is done:
 *   flip     a byte
 *   bit      each bit of a byte, asking for every 16th position
 *   cut      the file, asking for every 64th position, as for the following
 *   zero     64 bytes
 *   splice   64 to 256 bytes from another place, or from the file OTHER
 * FILES is how many damaged files there are, at even distances in the table; 0 is one for each byte. Of
 * them each is damaged whose number is PART from 0 on, modulo PARTS. Prints the files, the answers, and
 * how many of them were right, refused and wrong, and exits with 1 if any was wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sakmak.h"

static uint64_t state;

static uint64_t below(uint64_t n) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (z ^ z >> 31) % n;
}

static void die(const char *what, const char *which) {
  fprintf(stderr, "damage: %s: %s\n", what, which);
  exit(2);
}

static uint8_t *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) die("cannot be read", path);
  uint8_t *bytes = malloc(1 << 24);
  if (!bytes) die("no memory", path);
  *length = fread(bytes, 1, 1 << 24, file);
  fclose(file);
  return bytes;
}

static void write_file(const char *path, const uint8_t *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, length, file) != length || fclose(file)) die("cannot be written", path);
}

static SakmakPosition *positions;
static int16_t *values;
static size_t number;

/* All legal positions of White's king and man against Black's king, with White's king on files a to d. */
static void list_positions(uint8_t role) {
  static const uint8_t colors[3] = {SAKMAK_COLOR_WHITE, SAKMAK_COLOR_WHITE, SAKMAK_COLOR_BLACK};
  uint8_t roles[3] = {SAKMAK_ROLE_KING, role, SAKMAK_ROLE_KING};
  positions = malloc(sizeof *positions << 18);
  values = malloc(sizeof *values << 18);
  if (!positions || !values) die("no memory", "for the positions");
  for (uint32_t i = 0; i < 1 << 19; i++) {
    uint8_t squares[3] = {i & 63, i >> 6 & 63, i >> 12 & 63};
    /* A rook's endings have eight symmetries: a1-d1-d4 is enough of the board. */
    int file = squares[0] & 7, rank = squares[0] >> 3;
    if (file > 3 || (role == SAKMAK_ROLE_ROOK && (rank > file))) continue;
    if (!sakmak_position_from_men(squares, colors, roles, 3, i >> 18, &positions[number], NULL)) number++;
  }
}

/* The value as one number, or INT16_MIN where there is only an error. */
static int16_t ask(const SakmakTablebase *tables, const SakmakPosition *position) {
  SakmakDistance dtm;
  if (sakmak_dtm(tables, position, &dtm, NULL)) return INT16_MIN;
  return (int16_t)((int)dtm.outcome * 1000 + (int)dtm.moves * (dtm.outcome < 0 ? -1 : 1));
}

static SakmakTablebase *open_tables(const char *directory) {
  SakmakTablebase *tables = NULL;
  SakmakError error;
  SakmakOptions options = {.cache_bytes = 1 << 20};
  if (sakmak_open(directory, &options, &tables, &error)) die(directory, error.message);
  return tables;
}

static uint64_t files, answers, right, refused, wrong;

static void compare(const char *directory, const char *path, const uint8_t *bytes, size_t length, size_t every) {
  write_file(path, bytes, length);
  SakmakTablebase *tables = open_tables(directory);
  uint64_t wrong_before = wrong;
  for (size_t i = files % every; i < number; i += every) {
    int16_t value = ask(tables, &positions[i]);
    answers++;
    if (value == values[i]) right++;
    else if (value == INT16_MIN) refused++;
    else wrong++;
  }
  sakmak_close(&tables, NULL);
  files++;
  if (wrong > wrong_before) {
    char kept[4200];
    snprintf(kept, sizeof kept, "%s.wrong-%llu", path, (unsigned long long)files);
    write_file(kept, bytes, length);
  }
}

int main(int argc, char **argv) {
  if (argc < 8) die("usage", "damage DIRECTORY ENDING HOW FILES PART PARTS SEED [OTHER]");
  const char *directory = argv[1], *ending = argv[2], *how = argv[3];
  size_t count = strtoull(argv[4], NULL, 10), length, other_length = 0;
  size_t part = strtoull(argv[5], NULL, 10), parts = strtoull(argv[6], NULL, 10);
  state = strtoull(argv[7], NULL, 10);
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.skm", directory, ending);
  uint8_t *whole = read_file(path, &length);
  uint8_t *other = argc > 8 ? read_file(argv[8], &other_length) : whole;
  if (argc <= 8) other_length = length;
  if (count == 0 || count > length) count = length;
  uint8_t *bytes = malloc(length + 256);
  if (!bytes) die("no memory", path);

  list_positions(ending[1] == 'R' ? SAKMAK_ROLE_ROOK : SAKMAK_ROLE_KHON);
  SakmakTablebase *tables = open_tables(directory);
  for (size_t i = 0; i < number; i++) {
    values[i] = ask(tables, &positions[i]);
    if (values[i] == INT16_MIN) die("the whole table does not answer", path);
  }
  sakmak_close(&tables, NULL);

  for (size_t i = part; i < count; i += parts) {
    size_t at = i * length / count;
    memcpy(bytes, whole, length);
    if (!strcmp(how, "flip")) {
      bytes[at] ^= (uint8_t)(1 + below(255));
      compare(directory, path, bytes, length, 1);
    } else if (!strcmp(how, "bit")) {
      for (int bit = 0; bit < 8; bit++) {
        bytes[at] = whole[at] ^ (uint8_t)(1 << bit);
        compare(directory, path, bytes, length, 16);
      }
    } else if (!strcmp(how, "cut")) {
      compare(directory, path, bytes, at, 64);
    } else {
      size_t run = 64 + below(193), from = below(other_length);
      if (run > length - at) run = length - at;
      if (run > other_length - from) run = other_length - from;
      if (!strcmp(how, "splice")) memcpy(bytes + at, other + from, run);
      else if (!strcmp(how, "zero")) memset(bytes + at, 0, run < 64 ? run : 64);
      else die("no such damage", how);
      compare(directory, path, bytes, length, 64);
    }
  }
  write_file(path, whole, length);
  printf("%llu %llu %llu %llu %llu\n", (unsigned long long)files, (unsigned long long)answers,
         (unsigned long long)right, (unsigned long long)refused, (unsigned long long)wrong);
  return wrong ? 1 : 0;
}
