/* Probes one handle from several threads at once: every answer must be the one that a single thread gets. Meant to be
 * built with the thread sanitizer, and with the address sanitizer.
 *
 *   threads DIRECTORIES THREADS PROBES CACHE_BYTES MOST_OPEN SEED
 *
 * PROBES is the number of all threads together; CACHE_BYTES and MOST_OPEN are options of the shared handle, 0 for their
 * defaults. The positions are from all endings of the directories, under each rule set, with and without counts.
 */
#include <dirent.h>
#include <pthread.h>

#include "common.h"

#define MOST_QUESTIONS 20000
#define MOST_ENDINGS 1000
#define MOST_THREADS 64

/* A position and what one thread answers. */
typedef struct {
  SakmakPosition position;
  SakmakCount count;
  int rules;
  SakmakStatus status, status_of_category;
  SakmakValue value;
  SakmakCategory category;
  SakmakCategoryBounds bounds;
  SakmakDistance dtm;
  size_t number_of_moves;
  char best[8];
} Question;

static Question questions[MOST_QUESTIONS];
static size_t number_of_questions;
static const SakmakTablebase *shared;

typedef struct {
  Random chance;
  long probes, answers, cached;
  const char *fault;
} Work;

/* The status of the answers to a question, which are written to `q`. */
static void ask(const SakmakTablebase *tables, Question *q, int with_moves, SakmakError *error) {
  memset(&q->value, 0, sizeof q->value);
  memset(&q->bounds, 0, sizeof q->bounds);
  memset(q->best, 0, sizeof q->best);
  q->category = SAKMAK_CATEGORY_DRAW;
  q->number_of_moves = 0;
  q->status_of_category = sakmak_category(tables, &q->position, q->rules, &q->count, &q->category, error);
  sakmak_category_bounds(tables, &q->position, q->rules, &q->count, &q->bounds, error);
  q->status = sakmak_probe(tables, &q->position, q->rules, &q->count, &q->value, error);
  if (sakmak_dtm(tables, &q->position, &q->dtm, error) && !q->status) die("there is a value and no distance");
  if (!with_moves) return;
  SakmakMove moves[SAKMAK_MAX_MOVES];
  if (sakmak_best_moves(tables, &q->position, q->rules, &q->count, moves, SAKMAK_MAX_MOVES, &q->number_of_moves, error))
    return;
  if (q->number_of_moves) memcpy(q->best, moves[0].uci, sizeof q->best);
}

static int same_answers(const Question *a, const Question *b, int with_moves) {
  return a->status == b->status && a->status_of_category == b->status_of_category && a->category == b->category &&
         a->bounds.least == b->bounds.least && a->bounds.most == b->bounds.most &&
         (a->status || (same_value(&a->value, &b->value) && same_distance(&a->dtm, &b->dtm))) &&
         (!with_moves || (a->number_of_moves == b->number_of_moves && !memcmp(a->best, b->best, sizeof a->best)));
}

static void *work(void *argument) {
  Work *w = argument;
  SakmakError error;
  for (long i = 0; i < w->probes && !w->fault; i++) {
    const Question *expected = &questions[below(&w->chance, number_of_questions)];
    Question found = *expected;
    SakmakValue value;
    SakmakCategory category;
    int with_moves = i % 16 == 0;
    ask(shared, &found, with_moves, &error);
    if (!same_answers(&found, expected, with_moves)) w->fault = "an answer differs from a single thread's";
    w->answers += !found.status;
    /* What a cached block answers is right as well. */
    SakmakStatus status = sakmak_probe_cached(shared, &found.position, found.rules, &found.count, &value, NULL);
    if (!status && !same_value(&value, &expected->value)) w->fault = "a cached value is wrong";
    w->cached += !status;
    status = sakmak_category_cached(shared, &found.position, found.rules, &found.count, &category, NULL);
    if (!status && category != expected->category) w->fault = "a cached category is wrong";
  }
  return NULL;
}

/* Adds the names of a directory's endings. */
static size_t list_endings(const char *directory, char (*names)[20], size_t number) {
  DIR *open = opendir(directory);
  if (!open) die("a directory cannot be read");
  for (struct dirent *entry; (entry = readdir(open)) && number < MOST_ENDINGS;) {
    const char *end = strstr(entry->d_name, ".sk");
    if (!end || strlen(entry->d_name) >= sizeof *names) continue;
    memcpy(names[number++], entry->d_name, strlen(entry->d_name) + 1);
  }
  closedir(open);
  return number;
}

int main(int argc, char **argv) {
  static char names[MOST_ENDINGS][20];
  size_t number = 0;
  SakmakError error;
  SakmakTablebase *alone = NULL, *together = NULL;
  if (argc != 7) die("usage: threads DIRECTORIES THREADS PROBES CACHE_BYTES MOST_OPEN SEED");
  int threads = atoi(argv[2]);
  long probes = atol(argv[3]);
  SakmakOptions options = {0};
  options.cache_bytes = (size_t)atoll(argv[4]);
  options.most_open = (size_t)atoll(argv[5]);
  Random chance = {(uint64_t)atoll(argv[6])};
  if (threads < 1 || threads > MOST_THREADS) die("there are 1 to 64 threads");

  char list[4096];
  snprintf(list, sizeof list, "%s", argv[1]);
  for (char *directory = strtok(list, ":"); directory; directory = strtok(NULL, ":"))
    number = list_endings(directory, names, number);
  if (!number) die("there are no tables");
  if (sakmak_open(argv[1], &options, &alone, &error) || sakmak_open(argv[1], &options, &together, &error))
    die(error.message);

  number_of_questions = probes < 4 * MOST_QUESTIONS ? (size_t)probes / 4 + 1 : MOST_QUESTIONS;
  long answers = 0;
  for (size_t i = 0; i < number_of_questions; i++) {
    Question *q = &questions[i];
    const char *name = names[i % number];
    q->position = random_position(&chance, name);
    q->rules = strchr(name, 'P') ? SAKMAK_RULES_MAKRUK : (int)below(&chance, 3);
    q->count.kind = SAKMAK_COUNT_KIND_FRESH;
    if (!strchr(name, 'P') && below(&chance, 2)) {
      q->count.kind = q->rules == SAKMAK_RULES_ASEAN ? SAKMAK_COUNT_KIND_CLOCK : SAKMAK_COUNT_KIND_RUNNING;
      q->count.limit_plies = 2 * (8 + (uint32_t)below(&chance, 56));
      q->count.counted_plies = (uint32_t)below(&chance, 60);
    }
    ask(alone, q, 1, &error);
    if (q->status && q->status_of_category && error.status != SAKMAK_STATUS_BAD_COUNT &&
        error.status != SAKMAK_STATUS_MISSING_TABLE)
      die(error.message);
    answers += !q->status;
  }
  if (!answers) die("no position has an answer");

  pthread_t ids[MOST_THREADS];
  Work works[MOST_THREADS];
  shared = together;
  for (int i = 0; i < threads; i++) {
    works[i] = (Work){{next_random(&chance)}, probes / threads, 0, 0, NULL};
    if (pthread_create(&ids[i], NULL, work, &works[i])) die("a thread cannot be started");
  }
  long probed = 0, cached = 0;
  answers = 0;
  for (int i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
    if (works[i].fault) die(works[i].fault);
    probed += works[i].probes;
    answers += works[i].answers;
    cached += works[i].cached;
  }
  printf("%d threads, %ld questions of %lu tables: %ld answers, %ld of them from cached blocks, 0 wrong\n", threads, probed,
         (unsigned long)number, answers, cached);
  sakmak_close(&alone, NULL);
  sakmak_close(&together, NULL);
  return 0;
}
