/* Corrupts a table in many ways and probes it: no answer may be wrong, and nothing may crash. Meant to
 * be built with the address sanitizer, and to run under valgrind.
 *
 *   corrupt TABLE DIRECTORY TRIALS SEED
 *
 * TABLE is a file such as KRvK.skm or KRvK.skv; its corrupt copies are written to DIRECTORY, where a
 * verdict table must be the only table. In half of the trials the checksums are corrected afterwards:
 * then any answer is accepted, as long as the library returns one.
 */
#include "common.h"

#define POSITIONS 40

/* Corrects the checksum of a block, if the index still has a valid offset for the block. */
static void reseal_block(uint8_t *file, size_t length, uint64_t index, uint64_t block, uint8_t section) {
  uint64_t group = index + block / 32 * (8 + 32 * 7), entry = group + 8 + block % 32 * 7;
  if (index > length || entry + 7 > length) return;
  uint64_t place = get(file + group, 8), bytes = get(file + entry, 3);
  for (uint64_t i = 0; i < block % 32; i++) place += get(file + group + 8 + 7 * i, 3);
  if (place > length || bytes > length - place) return;
  uint8_t head[21];
  put(head, place, 8);
  put(head + 8, bytes, 4);
  put(head + 12, block, 8);
  head[20] = section;
  put(file + entry + 3, crc_of(file + place, (size_t)bytes, crc_of(head, sizeof head, 0)), 4);
}

/* Corrects all checksums: those of each section that the header describes, of the header and of the preamble. */
static void reseal(uint8_t *file, size_t length) {
  uint64_t header = get(file + 24, 8), bytes = get(file + 32, 4);
  if (header <= length && bytes <= length - header && bytes > 8) {
    const uint8_t *at = file + header, *end = at + bytes;
    at += 4;
    at += 1 + at[0];
    if (get(file + 8, 4) >= 6) at++; /* The rule sets. */
    int sections = at < end ? *at++ : 0;
    for (int section = 0; section < sections && end - at > 16; section++) {
      at += 4;
      at += 1 + at[0];
      if (end - at < 41) break;
      uint64_t cells = get(at, 8), of_block = get(at + 8, 4), start = get(at + 13, 8);
      uint64_t model = get(at + 21, 4), index = get(at + 29, 8), codes = get(at + 37, 4);
      int ranked = at[12] == 1 || at[12] == 2;
      if (start <= length && model <= length - start)
        put(file + (at - file) + 25, crc_of(file + start, (size_t)model, 0), 4);
      uint64_t blocks = of_block ? (cells + of_block - 1) / of_block : 0;
      /* With symbol ranking the checksum is inside the block, and covers the decoded cells. */
      for (uint64_t block = 0; !ranked && block < blocks && block < 4096; block++)
        reseal_block(file, length, index, block, (uint8_t)section);
      if (codes > (uint64_t)(end - at - 41) / 3) break;
      at += 41 + 3 * codes;
      for (int side = 0; side < 2; side++) {
        if (end - at < 8) goto header;
        at += 8;
        for (int list = 0; list < 4; list++) {
          if (end - at < 4) goto header;
          uint64_t n = get(at, 4);
          at += 4;
          for (uint64_t i = 0; i < n; i++) {
            uint64_t size = list < 2 ? 8 : at < end ? 1 + (uint64_t)at[0] : 1;
            if ((uint64_t)(end - at) < size) goto header;
            at += size;
          }
        }
      }
    }
  header:
    put(file + 36, crc_of(file + header, (size_t)bytes, 0), 4);
  }
  put(file + 16, length, 8);
  put(file + 12, crc_of(file, 12, 0), 4);
  put(file + 60, crc_of(file, 60, 0), 4);
}

/* Corrects the checksums of the blocks of a verdict table's side, if the index, which ends at `end`, still has
 * valid offsets. `lengths` has the number of bytes of each set's length in the index, 0 without one. */
static void reseal_side(uint8_t *file, size_t length, uint64_t index, uint64_t end, uint8_t side,
                        const uint8_t lengths[4]) {
  uint64_t entry_bytes = 2;
  for (int set = 0; set < 4; set++) entry_bytes += lengths[set];
  for (uint64_t block = 0; block < 4096; block++) {
    uint64_t group = index + block / 64 * (8 + 64 * entry_bytes), entry = group + 8 + block % 64 * entry_bytes;
    if (index > end || end > length || entry + entry_bytes > end) return;
    uint64_t place = get(file + group, 8), size = 0;
    uint8_t head[25];
    for (uint64_t other = group + 8; other <= entry; other += entry_bytes) {
      const uint8_t *at = file + other + 2;
      place += size;
      size = 0;
      for (int set = 0; set < 4; at += lengths[set++]) {
        uint64_t words = get(at, lengths[set]);
        put(head + 17 + 2 * set, words, 2);
        size += 2 * words;
      }
    }
    if (place > length || size > length - place) return;
    put(head, place, 8);
    put(head + 8, block, 8);
    head[16] = side;
    put(file + entry, crc_of(file + place, (size_t)size, crc_of(head, sizeof head, 0)), 2);
  }
}

/* Corrects the checksums of a verdict table: those of its blocks, models, header and preamble. */
static void reseal_verdicts(uint8_t *file, size_t length) {
  uint64_t header = get(file + 24, 8), bytes = get(file + 32, 4);
  if (header <= length && bytes <= length - header && bytes > 300) {
    const uint8_t *at = file + header, *end = at + bytes;
    at += 5 + at[4] + 240 + (get(file + 8, 4) >= 4);
    int sides = at < end ? *at++ : 0;
    uint8_t lengths[2][4] = {{0}};
    /* The models of each side begin after the index of the previous side. */
    uint64_t models[3] = {0}, index[2] = {0};
    if (sides > 2) sides = 2;
    for (int side = 0; side < sides && end - at > 16; side++) {
      if (3 + at[1] < end - at) at += 3 + at[1];
      for (int set = 0; set < 4 && end - at > 24; set++) {
        int coded = at[0] == 2;
        if (coded && (at[4] == 1 || at[4] == 2)) lengths[side][set] = at[4];
        at += coded ? 5 : 2;
        if (!coded) continue;
        uint64_t start = get(at, 8), model = get(at + 8, 4);
        if (start <= length && model <= length - start)
          put(file + (at - file) + 12, crc_of(file + start, (size_t)model, 0), 4);
        if (!models[side]) models[side] = start;
        at += 16;
      }
      if (end - at < 8) break;
      index[side] = get(at, 8);
      at += 8;
    }
    for (int side = 0; side < sides; side++)
      if (models[side])
        reseal_side(file, length, index[side], side + 1 < sides && models[side + 1] ? models[side + 1] : header,
                    (uint8_t)side, lengths[side]);
    put(file + 36, crc_of(file + header, (size_t)bytes, 0), 4);
  }
  put(file + 16, length, 8);
  put(file + 12, crc_of(file, 12, 0), 4);
  put(file + 60, crc_of(file, 60, 0), 4);
}

static size_t corrupt(Random *chance, uint8_t *file, size_t length) {
  size_t n = 1 + below(chance, 4);
  switch (below(chance, 6)) {
    case 0: return below(chance, length + 1);
    case 1:
      for (size_t i = 0; i < 64; i++) file[length + i] = (uint8_t)next_random(chance);
      return length + 1 + below(chance, 64);
    case 2: {
      size_t at = below(chance, length), run = below(chance, 64) + 1;
      memset(file + at, below(chance, 2) ? 0 : 255, run < length - at ? run : length - at);
      return length;
    }
    case 3: {
      /* Corrupts the header on purpose: in a large file a random byte is seldom in the header. */
      size_t header = (size_t)get(file + 24, 8);
      while (n--) file[header + below(chance, length - header)] = (uint8_t)next_random(chance);
      return length;
    }
    case 4: {
      size_t from = below(chance, length), to = below(chance, length), run = below(chance, 200) + 1;
      if (run > length - from) run = length - from;
      if (run > length - to) run = length - to;
      memmove(file + to, file + from, run);
      return length;
    }
    default:
      while (n--) file[below(chance, length)] ^= (uint8_t)(1 << below(chance, 8));
      return length;
  }
}

/* The answer of the table for a position. */
static SakmakStatus ask(const SakmakTablebase *tablebase, int of_verdicts, const SakmakPosition *position, int rules,
                        SakmakValue *value, SakmakError *error) {
  memset(value, 0, sizeof *value);
  if (of_verdicts) return sakmak_category(tablebase, position, rules, NULL, &value->category, error);
  return sakmak_probe(tablebase, position, rules, NULL, value, error);
}

int main(int argc, char **argv) {
  if (argc != 5) die("usage: corrupt TABLE DIRECTORY TRIALS SEED");
  const char *name = strrchr(argv[1], '/') ? strrchr(argv[1], '/') + 1 : argv[1];
  int of_verdicts = strstr(name, ".skv") != NULL;
  /* Tables of endings with bia have only the results of the first rule set of their game. */
  int first = is_of_asean(name) ? SAKMAK_RULES_ASEAN : SAKMAK_RULES_MAKRUK, rule_sets = strchr(name, 'P') ? 1 : 3;
  long trials = atol(argv[3]);
  Random chance = {(uint64_t)atoll(argv[4])};

  FILE *in = fopen(argv[1], "rb");
  if (!in) die("the table cannot be opened");
  fseek(in, 0, SEEK_END);
  size_t length = (size_t)ftell(in);
  rewind(in);
  uint8_t *whole = malloc(length), *file = malloc(length + 64);
  if (!whole || !file || fread(whole, 1, length, in) != length || length < 65) die("the table cannot be read");
  fclose(in);
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", argv[2], name);

  SakmakError error;
  SakmakOptions options = {.cache_bytes = 1 << 20};
  long right = 0, refused = 0, other = 0;
  for (long trial = -1; trial < trials; trial++) {
    static SakmakPosition positions[POSITIONS];
    static SakmakValue values[POSITIONS];
    memcpy(file, whole, length);
    size_t bytes = trial < 0 ? length : corrupt(&chance, file, length);
    int sealed = trial >= 0 && trial % 2;
    if ((sealed || trial < 0) && bytes >= 64) (of_verdicts ? reseal_verdicts : reseal)(file, bytes);
    if (trial < 0 && memcmp(file, whole, length)) die("the right checksums are taken for wrong ones");
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(file, 1, bytes, out) != bytes || fclose(out)) die("a corrupt table cannot be written");
    SakmakTablebase *tablebase = NULL;
    if (sakmak_open(argv[2], &options, &tablebase, &error)) die(error.message);
    for (int i = 0; i < POSITIONS; i++) {
      SakmakValue value;
      SakmakMove moves[SAKMAK_MAX_MOVES];
      size_t number;
      if (trial < 0) positions[i] = random_position(&chance, name);
      SakmakStatus status = ask(tablebase, of_verdicts, &positions[i], first + i % rule_sets, &value, &error);
      if (status && status < 20) die(error.message);
      if (trial < 0) {
        if (status) die(error.message);
        values[i] = value;
      }
      if (status) refused++;
      else if (same_value(&value, &values[i])) right++;
      else if (sealed) other++;
      else die("a corrupt table gave a wrong answer");
      if (i % 8 == 0) sakmak_best_moves(tablebase, &positions[i], first, NULL, moves, SAKMAK_MAX_MOVES, &number, &error);
    }
    sakmak_close(&tablebase, NULL);
  }
  printf("%s: %ld trials; %ld answers right, %ld refused, %ld others behind right checksums\n", name, trials, right,
         refused, other);
  remove(path);
  free(whole);
  free(file);
  return 0;
}
