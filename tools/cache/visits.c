/* Times first visits: probes that decode a block, by a handle with a cache of some size, and what memory
 * they take. It is linked with either C library, which have the same functions.
 *
 *   visits DIRECTORY MIB VISITS ENDING...
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sakmak.h"

static void die(const char *what) {
  fprintf(stderr, "visits: %s\n", what);
  exit(1);
}

/* Numbers that look random, the same ones in every run. */
static unsigned below(unsigned limit) {
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((state >> 33) % limit);
}

/* The men of an ending on squares at random: most are legal. */
static SakmakPosition place(const char *ending) {
  SakmakPosition p = {0};
  uint64_t *side = &p.white;
  for (const char *man = ending; *man; man++) {
    if (*man == 'v') {
      side = &p.black;
      continue;
    }
    uint64_t square;
    do square = (uint64_t)1 << below(64);
    while ((p.white | p.black) & square);
    uint64_t *men = *man == 'K' ? &p.kings : *man == 'R' ? &p.rooks : *man == 'N' ? &p.knights : *man == 'S' ? &p.khons : &p.mets;
    *side |= square;
    *men |= square;
  }
  p.turn = (uint8_t)(below(2) ? SAKMAK_COLOR_WHITE : SAKMAK_COLOR_BLACK);
  return p;
}

static double now(clockid_t clock) {
  struct timespec at;
  clock_gettime(clock, &at);
  return 1e6 * (double)at.tv_sec + 1e-3 * (double)at.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The memory of the process that is in use, in KiB. */
static long resident(void) {
  char line[256];
  long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  if (!status) return 0;
  while (fgets(line, sizeof line, status)) sscanf(line, "VmRSS: %ld", &kib);
  fclose(status);
  return kib;
}

int main(int argc, char **argv) {
  if (argc < 5) die("give a directory, MiB, a number of visits and endings");
  size_t wanted = (size_t)atol(argv[3]), visits = 0;
  double *times = malloc(wanted * sizeof *times), sum = 0;
  SakmakOptions options = {.cache_bytes = (size_t)atol(argv[2]) << 20};
  SakmakTablebase *tables = NULL;
  SakmakError error;
  if (!times) die("no memory");
  double started = now(CLOCK_MONOTONIC);
  if (sakmak_open(argv[1], &options, &tables, &error)) die(error.message);
  double opened = now(CLOCK_MONOTONIC) - started, first = 0;
  long before = resident();
  for (size_t tries = 0; visits < wanted && tries < 1000 * wanted; tries++) {
    SakmakPosition p = place(argv[4 + below((unsigned)argc - 4)]);
    SakmakValue value;
    uint64_t misses, more;
    sakmak_cache_statistics(tables, NULL, &misses, NULL);
    double from = now(CLOCK_THREAD_CPUTIME_ID);
    SakmakStatus status = sakmak_probe(tables, &p, SAKMAK_RULES_MAKRUK, NULL, &value, &error);
    double took = now(CLOCK_THREAD_CPUTIME_ID) - from;
    sakmak_cache_statistics(tables, NULL, &more, NULL);
    if (status >= SAKMAK_STATUS_MISSING_TABLE) die(error.message);
    if (status || more == misses) continue;
    if (!visits) first = now(CLOCK_MONOTONIC) - started;
    times[visits++] = took;
    sum += took;
  }
  if (!visits) die("no position had a block to decode");
  qsort(times, visits, sizeof *times, by_size);
  printf("%6s MiB: opened in %.1f ms, first answer after %.1f ms; %zu first visits: mean %.1f µs, median %.1f, 99 %% %.1f;"
         " resident %.1f MiB, %.1f more than when opened\n",
         argv[2], opened / 1e3, first / 1e3, visits, sum / (double)visits, times[visits / 2], times[visits * 99 / 100],
         (double)resident() / 1024, (double)(resident() - before) / 1024);
  free(times);
  sakmak_close(&tables, NULL);
  return 0;
}
