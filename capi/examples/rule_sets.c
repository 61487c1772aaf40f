/* Probes a distance table and a verdict table of K+R v K+N that have only makruk's results, under each rule set.
 * Makruk must be answered, and the other rule sets must be reported missing.
 *
 *   rule_sets DIRECTORY VERDICTS
 */
#include <stdio.h>
#include <string.h>

#include "sakmak.h"

static const char *const NAMES[] = {"makruk", "asean", "ouk"};

/* True if the call failed because the file lacks the rule set. */
static int is_lack(SakmakStatus status, const SakmakError *error, const char *file, int rules) {
  char words[120];
  snprintf(words, sizeof words, "%s has results for makruk only, not for %s", file, NAMES[rules]);
  return status == SAKMAK_STATUS_MISSING_TABLE && strstr(error->message, words) != NULL;
}

int main(int n, char **directories) {
  SakmakTablebase *tables = NULL, *verdicts = NULL;
  SakmakError error;
  memset(&error, 0, sizeof error);
  if (n != 3 || sakmak_open(directories[1], NULL, &tables, &error) ||
      sakmak_open(directories[2], NULL, &verdicts, &error)) {
    fprintf(stderr, "rule_sets: %s\n", error.message);
    return 1;
  }
  for (int rules = SAKMAK_RULES_MAKRUK; rules <= SAKMAK_RULES_OUK; rules++) {
    SakmakPosition position;
    SakmakCount count;
    SakmakValue value;
    SakmakCategory category;
    SakmakDistance dtm;
    const char *wrong = NULL;
    if (sakmak_read_fen("7k/8/8/3n4/8/8/8/R3K3 w - - 0 1", rules, &position, &count, NULL, &error)) wrong = "the FEN";
    SakmakStatus probed = sakmak_probe(tables, &position, rules, NULL, &value, &error);
    if (rules == SAKMAK_RULES_MAKRUK ? probed : !is_lack(probed, &error, "KRvKN.skm", rules)) wrong = "the probe";
    SakmakStatus asked = sakmak_category(verdicts, &position, rules, NULL, &category, &error);
    if (rules == SAKMAK_RULES_MAKRUK ? asked || category != value.category
                                     : !is_lack(asked, &error, "KRvKN.skv", rules))
      wrong = "the category";
    /* The distance to mate is the same under all rule sets, so it is available. */
    if (sakmak_dtm(tables, &position, &dtm, &error)) wrong = "the distance to mate";
    if (wrong) {
      fprintf(stderr, "rule_sets: %s, %s: %s\n", NAMES[rules], wrong, error.message);
      return 1;
    }
  }
  if (sakmak_close(&tables, &error) || sakmak_close(&verdicts, &error)) return 1;
  return 0;
}
