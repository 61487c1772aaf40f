/* What the tests of the single C file share: random numbers, positions of an ending, and comparing answers. */
#ifndef SAKMAK_TESTS_COMMON_H
#define SAKMAK_TESTS_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sakmak_probe.h"

/* A sequence of random numbers. */
typedef struct {
  uint64_t state;
} Random;

static inline uint64_t next_random(Random *chance) {
  uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static inline size_t below(Random *chance, size_t n) { return (size_t)(next_random(chance) % n); }

static inline void die(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* Compares field by field, since the bytes between the fields are undefined. */
static inline int same_distance(const SakmakDistance *a, const SakmakDistance *b) {
  return a->outcome == b->outcome && a->moves == b->moves;
}

static inline int same_value(const SakmakValue *a, const SakmakValue *b) {
  const SakmakAllowance *x = &a->allowance, *y = &b->allowance;
  return a->category == b->category && same_distance(&a->dtm, &b->dtm) && same_distance(&a->dth, &b->dth) &&
         x->kind == y->kind && x->limit == y->limit && x->counted == y->counted &&
         x->moves_available == y->moves_available && x->started == y->started;
}

static inline uint32_t crc_of(const uint8_t *bytes, size_t length, uint32_t crc) {
  crc = ~crc;
  for (size_t i = 0; i < length; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
  }
  return ~crc;
}

static inline uint64_t get(const uint8_t *at, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << 8 * i;
  return number;
}

static inline void put(uint8_t *at, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(number >> 8 * i);
}

/* True for a table with bia of ASEAN chess. */
static inline int is_of_asean(const char *name) { return strstr(name, "-asean") != NULL; }

/* True if the tables can have a bia of this side on the square. */
static inline int is_home(uint8_t square, size_t color, int of_asean) {
  int rank = color ? 8 - square / 8 : square / 8 + 1;
  return rank >= 3 && rank <= (of_asean ? 7 : 5);
}

/* A random position with the men of the table; either side may have the men named first. */
static inline SakmakPosition random_position(Random *chance, const char *name) {
  for (;;) {
    SakmakPosition position;
    uint8_t squares[8], colors[8], roles[8];
    size_t men = 0, swapped = below(chance, 2), color = swapped;
    for (const char *c = name; *c && *c != '.' && *c != '-'; c++) {
      if (*c == 'v') {
        color = !color;
        continue;
      }
      do squares[men] = (uint8_t)below(chance, 64);
      while (*c == 'P' && !is_home(squares[men], color, is_of_asean(name)));
      colors[men] = (uint8_t)color;
      roles[men++] = (uint8_t)(strchr("KRNSMP", *c) - "KRNSMP");
    }
    if (!sakmak_position_from_men(squares, colors, roles, men, (uint8_t)below(chance, 2), &position, NULL)) return position;
  }
}


#endif
