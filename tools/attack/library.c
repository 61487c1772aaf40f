/* Asks the C library what no engine would: positions and counts of random bits, and tables in a child of
 * a process whose threads are at work.
 *
 *   library DIRECTORY POSITIONS FORKS SEED
 *
 * Prints the positions that were answered and refused. Any answer will do; a child that does not end, or
 * that answers other than its parent, is a failure.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sakmak.h"

static const char *directory;
static atomic_int at_work = 1;

static uint64_t next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static SakmakTablebase *open_tables(void) {
  SakmakTablebase *tables = NULL;
  SakmakError error;
  SakmakOptions options = {.cache_bytes = 1 << 16};
  if (sakmak_open(directory, &options, &tables, &error)) {
    fprintf(stderr, "library: %s\n", error.message);
    exit(2);
  }
  return tables;
}

/* Random bits; in half of all cases those of three or four men, so that tables are read. */
static SakmakPosition random_position(uint64_t *state) {
  SakmakPosition position;
  if (next(state) & 1) {
    uint64_t *words = (uint64_t *)&position;
    for (size_t i = 0; i < 7; i++) words[i] = next(state) & next(state) & next(state) & next(state);
    position.turn = (uint8_t)(next(state) % 3);
    return position;
  }
  uint8_t squares[4], colors[4] = {0, 1, 0, (uint8_t)(next(state) & 1)}, roles[4] = {0, 0, 1, 1};
  for (int i = 0; i < 4; i++) squares[i] = (uint8_t)(next(state) % 65);
  roles[2] = (uint8_t)(1 + next(state) % 4);
  roles[3] = (uint8_t)(1 + next(state) % 4);
  memset(&position, 0, sizeof position);
  sakmak_position_from_men(squares, colors, roles, 3 + (next(state) & 1), next(state) & 1, &position, NULL);
  return position;
}

static void *work(void *seed) {
  uint64_t state = (uint64_t)(size_t)seed;
  SakmakTablebase *tables = open_tables();
  while (at_work) {
    SakmakPosition position = random_position(&state);
    SakmakValue value;
    sakmak_probe(tables, &position, 0, NULL, &value, NULL);
  }
  sakmak_close(&tables, NULL);
  return NULL;
}

/* A child opens tables of its own, as the header asks. */
static int fork_children(int forks) {
  pthread_t threads[4];
  for (size_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  int failures = 0;
  for (int i = 0; i < forks; i++) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      uint64_t state = 99;
      SakmakTablebase *tables = open_tables();
      SakmakValue value;
      for (int asked = 0; asked < 200; asked++) {
        SakmakPosition position = random_position(&state);
        sakmak_probe(tables, &position, 0, NULL, &value, NULL);
      }
      SakmakPosition position;
      int same = !sakmak_read_fen("8/8/8/8/8/2k5/8/K6R w", 0, &position, &(SakmakCount){0}, NULL, NULL) &&
                 !sakmak_probe(tables, &position, 0, NULL, &value, NULL) && value.category == SAKMAK_CATEGORY_WIN;
      sakmak_close(&tables, NULL);
      _exit(same ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    failures += status != 0;
  }
  at_work = 0;
  for (size_t i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return failures;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  directory = argv[1];
  uint64_t positions = strtoull(argv[2], NULL, 10), state = strtoull(argv[4], NULL, 10), answered = 0;
  SakmakTablebase *tables = open_tables();
  SakmakMove moves[SAKMAK_MAX_MOVES];
  for (uint64_t i = 0; i < positions; i++) {
    SakmakPosition position = random_position(&state);
    SakmakCount count = {(int32_t)(next(&state) % 5) - 1, (uint32_t)next(&state) >> next(&state) % 32,
                         (uint32_t)next(&state) >> next(&state) % 32, (uint32_t)next(&state) % 128};
    int32_t rules = (int32_t)(next(&state) % 5) - 1;
    int is_sensible = next(&state) & 1;
    SakmakValue value;
    SakmakError error = {0};
    size_t number;
    char fen[SAKMAK_FEN_SIZE];
    answered += sakmak_probe(tables, &position, is_sensible ? 0 : rules, is_sensible ? NULL : &count, &value,
                             &error) == SAKMAK_STATUS_OK;
    if (error.status == SAKMAK_STATUS_INTERNAL) {
      fprintf(stderr, "library: position %llu: %s\n", (unsigned long long)i, error.message);
      return 1;
    }
    if (i % 16 == 0) {
      sakmak_best_moves(tables, &position, rules, &count, moves, next(&state) % SAKMAK_MAX_MOVES, &number, NULL);
      sakmak_write_fen(&position, &count, (uint32_t)next(&state), rules, fen, next(&state) % sizeof fen, NULL);
    }
  }
  sakmak_close(&tables, NULL);
  int failures = fork_children(atoi(argv[3]));
  printf("%llu %llu %d\n", (unsigned long long)answered, (unsigned long long)(positions - answered), failures);
  return failures ? 1 : 0;
}
