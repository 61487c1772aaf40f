/* Prints how many positions a second are probed with one handle: a figure for docs/develop/performance.md, not a test.
 *
 *   speed DIRECTORIES THREADS PROBES CACHE_BYTES POSITIONS
 *
 * The threads make PROBES probes together, of random positions from all endings with a table. With few POSITIONS and
 * a large cache all blocks are decoded before; with many and a small one, blocks are replaced all the time.
 */
#include <pthread.h>
#include <time.h>

#include "common.h"

#define MOST_THREADS 64

static SakmakPosition *positions;
static size_t number;
static const SakmakTablebase *tables;

typedef struct {
  Random chance;
  long probes, wins;
} Work;

static void *work(void *argument) {
  Work *w = argument;
  SakmakValue value;
  for (long i = 0; i < w->probes; i++) {
    if (sakmak_probe(tables, &positions[below(&w->chance, number)], SAKMAK_RULES_MAKRUK, NULL, &value, NULL))
      die("a position has no answer");
    w->wins += value.category == SAKMAK_CATEGORY_WIN;
  }
  return NULL;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
  static const char *const NAMES[] = {"KRvK", "KSMvK", "KNSvK", "KRvKN", "KRvKM", "KRvKR", "KSPvK", "KRvKP", "KPvKP"};
  SakmakError error;
  SakmakTablebase *handle = NULL;
  if (argc != 6) die("usage: speed DIRECTORIES THREADS PROBES CACHE_BYTES POSITIONS");
  int threads = atoi(argv[2]);
  SakmakOptions options = {0};
  options.cache_bytes = (size_t)atoll(argv[4]);
  number = (size_t)atoll(argv[5]);
  positions = calloc(number, sizeof *positions);
  if (!positions || threads < 1 || threads > MOST_THREADS) die("no memory, or not 1 to 64 threads");
  if (sakmak_open(argv[1], &options, &handle, &error)) die(error.message);
  tables = handle;
  Random chance = {1};
  for (size_t i = 0; i < number;) {
    SakmakValue value;
    positions[i] = random_position(&chance, NAMES[below(&chance, sizeof NAMES / sizeof *NAMES)]);
    i += !sakmak_probe(tables, &positions[i], SAKMAK_RULES_MAKRUK, NULL, &value, NULL);
  }
  pthread_t ids[MOST_THREADS];
  Work works[MOST_THREADS];
  long probes = 0, wins = 0;
  double start = seconds();
  for (int i = 0; i < threads; i++) {
    works[i] = (Work){{next_random(&chance)}, atol(argv[3]) / threads, 0};
    if (pthread_create(&ids[i], NULL, work, &works[i])) die("a thread cannot be started");
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
    probes += works[i].probes;
    wins += works[i].wins;
  }
  double took = seconds() - start;
  printf("%d threads: %.0f probes a second, %.3f s; %ld won\n", threads, (double)probes / took, took, wins);
  sakmak_close(&handle, NULL);
  free(positions);
  return 0;
}
