/* Opens more tables than the process may open files: without most_open the error says so, and with it every table
 * answers, from several threads too.
 *
 *   files DIRECTORY LIMIT
 *
 * DIRECTORY has more than LIMIT tables.
 */
#include <dirent.h>
#include <pthread.h>
#include <sys/resource.h>

#include "common.h"

#define MOST_TABLES 1000
#define THREADS 4

static char names[MOST_TABLES][20];
static size_t number;

static void list_tables(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) die("the directory cannot be read");
  for (struct dirent *entry; (entry = readdir(directory)) && number < MOST_TABLES;)
    if (strstr(entry->d_name, ".sk") && strlen(entry->d_name) < sizeof *names)
      memcpy(names[number++], entry->d_name, strlen(entry->d_name) + 1);
  closedir(directory);
}

/* The files that this process has open. */
static size_t open_files(void) {
  size_t files = 0;
  DIR *directory = opendir("/proc/self/fd");
  if (!directory) return 0;
  while (readdir(directory)) files++;
  closedir(directory);
  return files - 3; /* Itself, and the two names of directories. */
}

/* Asks each table once. Returns how many cannot be opened, and notes the last such error. */
static size_t ask_all(const SakmakTablebase *tables, uint64_t seed, SakmakError *last) {
  Random chance = {seed};
  size_t unreadable = 0;
  for (size_t i = 0; i < number; i++) {
    SakmakPosition position = random_position(&chance, names[i]);
    SakmakCategory category;
    SakmakDistance dtm;
    SakmakError error;
    SakmakStatus status = strstr(names[i], ".skv") ? sakmak_category(tables, &position, 0, NULL, &category, &error)
                                                   : sakmak_dtm(tables, &position, &dtm, &error);
    if (status == SAKMAK_STATUS_UNREADABLE_TABLE) *last = error, unreadable++;
    else if (status) die(error.message);
  }
  return unreadable;
}

static void *work(void *tables) {
  SakmakError error;
  for (uint64_t seed = 1; seed <= 20; seed++)
    if (ask_all(tables, seed, &error)) die(error.message);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) die("usage: files DIRECTORY LIMIT");
  rlim_t limit = (rlim_t)atoi(argv[2]);
  struct rlimit few = {limit, limit};
  SakmakOptions options = {0};
  SakmakTablebase *tables = NULL;
  SakmakError error = {SAKMAK_STATUS_OK, ""};
  list_tables(argv[1]);
  if (number <= limit) die("there are too few tables");
  if (setrlimit(RLIMIT_NOFILE, &few)) die("the limit cannot be set");

  if (sakmak_open(argv[1], NULL, &tables, &error) != SAKMAK_STATUS_UNREADABLE_TABLE || !tables)
    die("a lack of files is not reported");
  if (!strstr(error.message, "Too many open files") || !strstr(error.message, "most_open")) die(error.message);
  printf("%s\n", error.message);
  size_t unreadable = ask_all(tables, 1, &error);
  if (!unreadable || !strstr(error.message, "most_open")) die("a table that was not opened gives no such error");
  printf("%s\n", error.message);
  sakmak_close(&tables, NULL);

  options.most_open = (size_t)limit / 2;
  size_t before = open_files();
  if (sakmak_open(argv[1], &options, &tables, &error)) die(error.message);
  pthread_t ids[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&ids[i], NULL, work, tables)) die("a thread cannot be started");
  for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
  size_t open = open_files() - before;
  if (open > options.most_open) die("more files are open than most_open allows");
  printf("%lu tables with %lu files allowed: %lu were refused without most_open, none with %lu, which kept %lu open\n",
         (unsigned long)number, (unsigned long)limit, (unsigned long)unreadable, (unsigned long)options.most_open,
         (unsigned long)open);
  sakmak_close(&tables, NULL);
  return 0;
}
