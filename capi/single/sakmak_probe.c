/* sakmak_probe: reads sakmak's tables, in C99 without the library in Rust.
 *
 * Add this file and sakmak_probe.h to your engine, and link a zstd decoder: -lzstd, or zstd's own single file,
 * zstddeclib.c (docs/engine/c.md). It has the functions of the library and gives the same answers. It was written
 * from the descriptions of the files, docs/develop/format.md and docs/develop/format-verdicts.md.
 *
 * Any number of threads may probe with one handle. They share its cache of decoded blocks, which is read without a lock.
 * A compiler needs C11's atomics, those of GCC and Clang, or Windows, and besides Windows it needs pthreads. For one that
 * has none of them, define SAKMAK_SINGLE_THREAD: then a handle is for one thread.
 *
 * Copyright: the authors of sakmak. Licence: MIT or Apache 2.0, as you choose. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* For madvise. */
#define _FILE_OFFSET_BITS 64

#include "sakmak_probe.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif
#if !defined(SAKMAK_SINGLE_THREAD) && !defined(_WIN32)
#include <pthread.h>
#endif

#define VERSION "0.1.0"
#define SUFFIX ".skm"
#define VERDICT_SUFFIX ".skv"
#define DIRECTORY_SEPARATOR_OF_LISTS ':'
#ifdef _WIN32
#undef DIRECTORY_SEPARATOR_OF_LISTS
#define DIRECTORY_SEPARATOR_OF_LISTS ';'
#endif

#if defined(__GNUC__) || defined(__clang__)
#define COLD __attribute__((cold, noinline))
#define LIKE_PRINTF(text, values) __attribute__((format(printf, text, values)))
#define INLINE inline __attribute__((always_inline))
#define RESTRICT __restrict__
static inline int lowest(uint64_t set) { return __builtin_ctzll(set); }
static inline int highest(uint64_t set) { return 63 - __builtin_clzll(set); }
static inline int count_of(uint64_t set) { return __builtin_popcountll(set); }
#else
#define COLD
#define LIKE_PRINTF(text, values)
#define INLINE inline
#define RESTRICT
static int count_of(uint64_t set) {
  int n = 0;
  for (; set; set &= set - 1) n++;
  return n;
}
static int lowest(uint64_t set) { return count_of((set & (0 - set)) - 1); }
static int highest(uint64_t set) {
  int n = 0;
  while (set >>= 1) n++;
  return n;
}
#endif

/* Loops over 64 bytes gain from wide vectors. If the compiler supports it, it compiles these loops for several kinds of
 * processors, and the program chooses one at its start. That choice comes before a sanitizer has set up its memory and
 * would crash there. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define FOR_EACH_PROCESSOR
#endif

/* ---------------------------------------------------------------------------------------------
 * Threads: numbers that several threads read and write, locks, and variables that each thread has for itself.
 *
 * `load` acquires and `store`, `add` and `exchange` release, so a thread that reads a number also sees what the writer did
 * before. `exchange` replaces `expected`; if the number differs, it becomes `expected` instead.
 */

#if defined(SAKMAK_SINGLE_THREAD)
typedef uint64_t Atomic;
#define OF_A_THREAD
static INLINE uint64_t load(Atomic *number) { return *number; }
static INLINE void store(Atomic *number, uint64_t value) { *number = value; }
static INLINE uint64_t add(Atomic *number, uint64_t more) { return (*number += more) - more; }
static INLINE void mark(Atomic *number, uint64_t bits) { *number |= bits; }
static INLINE void unmark(Atomic *number, uint64_t bits) { *number &= ~bits; }
static INLINE int exchange(Atomic *number, uint64_t *expected, uint64_t value) {
  (void)expected;
  *number = value;
  return 1;
}
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__STDC_NO_ATOMICS__)
#include <stdatomic.h>
typedef _Atomic(uint64_t) Atomic;
#define OF_A_THREAD _Thread_local
static INLINE uint64_t load(Atomic *number) { return atomic_load_explicit(number, memory_order_acquire); }
static INLINE void store(Atomic *number, uint64_t value) { atomic_store_explicit(number, value, memory_order_release); }
static INLINE uint64_t add(Atomic *number, uint64_t more) {
  return atomic_fetch_add_explicit(number, more, memory_order_release);
}
static INLINE void mark(Atomic *number, uint64_t bits) { atomic_fetch_or_explicit(number, bits, memory_order_relaxed); }
static INLINE void unmark(Atomic *number, uint64_t bits) {
  atomic_fetch_and_explicit(number, ~bits, memory_order_relaxed);
}
static INLINE int exchange(Atomic *number, uint64_t *expected, uint64_t value) {
  return atomic_compare_exchange_strong_explicit(number, expected, value, memory_order_acq_rel, memory_order_acquire);
}
#elif defined(__GNUC__) || defined(__clang__)
typedef uint64_t Atomic;
#define OF_A_THREAD __thread
static INLINE uint64_t load(Atomic *number) { return __atomic_load_n(number, __ATOMIC_ACQUIRE); }
static INLINE void store(Atomic *number, uint64_t value) { __atomic_store_n(number, value, __ATOMIC_RELEASE); }
static INLINE uint64_t add(Atomic *number, uint64_t more) { return __atomic_fetch_add(number, more, __ATOMIC_RELEASE); }
static INLINE void mark(Atomic *number, uint64_t bits) { __atomic_fetch_or(number, bits, __ATOMIC_RELAXED); }
static INLINE void unmark(Atomic *number, uint64_t bits) { __atomic_fetch_and(number, ~bits, __ATOMIC_RELAXED); }
static INLINE int exchange(Atomic *number, uint64_t *expected, uint64_t value) {
  return __atomic_compare_exchange_n(number, expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
#elif defined(_WIN32)
typedef volatile LONG64 Atomic;
#define OF_A_THREAD __declspec(thread)
static INLINE uint64_t load(Atomic *number) { return (uint64_t)ReadAcquire64(number); }
static INLINE void store(Atomic *number, uint64_t value) { WriteRelease64(number, (LONG64)value); }
static INLINE uint64_t add(Atomic *number, uint64_t more) {
  return (uint64_t)InterlockedExchangeAdd64(number, (LONG64)more);
}
static INLINE void mark(Atomic *number, uint64_t bits) { InterlockedOr64(number, (LONG64)bits); }
static INLINE void unmark(Atomic *number, uint64_t bits) { InterlockedAnd64(number, (LONG64)~bits); }
static INLINE int exchange(Atomic *number, uint64_t *expected, uint64_t value) {
  uint64_t found = (uint64_t)InterlockedCompareExchange64(number, (LONG64)value, (LONG64)*expected);
  int same = found == *expected;
  *expected = found;
  return same;
}
#else
#error "this compiler has no atomics: define SAKMAK_SINGLE_THREAD, and use each handle in one thread"
#endif

/* A lock, with a condition that threads wait for while they hold it. */
#if defined(SAKMAK_SINGLE_THREAD)
typedef int Lock;
static int make_lock(Lock *lock) { return *lock = 1; }
static void free_lock(Lock *lock) { (void)lock; }
static void take_lock(Lock *lock) { (void)lock; }
static void leave_lock(Lock *lock) { (void)lock; }
static void wait_for(Lock *lock) { (void)lock; }
static void wake(Lock *lock) { (void)lock; }
#elif defined(_WIN32)
typedef struct {
  SRWLOCK lock;
  CONDITION_VARIABLE changed;
} Lock;
static int make_lock(Lock *lock) {
  InitializeSRWLock(&lock->lock);
  InitializeConditionVariable(&lock->changed);
  return 1;
}
static void free_lock(Lock *lock) { (void)lock; }
static void take_lock(Lock *lock) { AcquireSRWLockExclusive(&lock->lock); }
static void leave_lock(Lock *lock) { ReleaseSRWLockExclusive(&lock->lock); }
static void wait_for(Lock *lock) { SleepConditionVariableSRW(&lock->changed, &lock->lock, INFINITE, 0); }
static void wake(Lock *lock) { WakeConditionVariable(&lock->changed); }
#else
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
} Lock;
static int make_lock(Lock *lock) {
  if (pthread_mutex_init(&lock->lock, NULL)) return 0;
  if (!pthread_cond_init(&lock->changed, NULL)) return 1;
  pthread_mutex_destroy(&lock->lock);
  return 0;
}
static void free_lock(Lock *lock) {
  pthread_cond_destroy(&lock->changed);
  pthread_mutex_destroy(&lock->lock);
}
static void take_lock(Lock *lock) { pthread_mutex_lock(&lock->lock); }
static void leave_lock(Lock *lock) { pthread_mutex_unlock(&lock->lock); }
static void wait_for(Lock *lock) { pthread_cond_wait(&lock->changed, &lock->lock); }
static void wake(Lock *lock) { pthread_cond_signal(&lock->changed); }
#endif

/* ---------------------------------------------------------------------------------------------
 * The board: squares a1 = 0 to h8 = 63, sets of squares as bits.
 */

enum { WHITE, BLACK };
enum { KING, ROOK, KNIGHT, KHON, MET, BIA, ROLES };

/* Bia have a digit of their own in a position's index. Groups of like men have the other roles. */
#define GROUPED BIA

#define MOST_MEN 8
#define MOST_MEN_OF_A_GAME 16 /* Of one side. */
#define MEN_OF_A_SIDE 6

typedef struct {
  uint64_t color[2];
  uint64_t role[ROLES];
  int turn;
} Position;

typedef struct {
  uint8_t from, to, role, becomes; /* What it is after the move: a bia may promote. */
} Move;

static const int8_t KING_STEPS[][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
static const int8_t KNIGHT_STEPS[][2] = {{-1, -2}, {1, -2}, {-2, -1}, {2, -1}, {-2, 1}, {2, 1}, {-1, 2}, {1, 2}};
static const int8_t MET_STEPS[][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
static const int8_t WHITE_KHON_STEPS[][2] = {{-1, -1}, {1, -1}, {-1, 1}, {0, 1}, {1, 1}};
static const int8_t BLACK_KHON_STEPS[][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 1}, {1, 1}};
static const int8_t WHITE_BIA_STEPS[][2] = {{-1, 1}, {1, 1}};
static const int8_t BLACK_BIA_STEPS[][2] = {{-1, -1}, {1, -1}};
static const int8_t ROOK_STEPS[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* Constants that are computed when a tablebase is opened, and only read afterwards. */
typedef struct {
  uint64_t steps[2][ROLES][64];
  uint64_t rays[4][64];
  uint64_t between[64][64];
  uint64_t choose[65][MEN_OF_A_SIDE + 1];
  uint32_t crc[8][256];
} Constants;

static int stepped(int square, int files, int ranks) {
  int file = square % 8 + files, rank = square / 8 + ranks;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : 8 * rank + file;
}

static void fill_steps(uint64_t *table, const int8_t (*steps)[2], int n) {
  for (int from = 0; from < 64; from++)
    for (int i = 0; i < n; i++) {
      int to = stepped(from, steps[i][0], steps[i][1]);
      if (to >= 0) table[from] |= (uint64_t)1 << to;
    }
}

static void fill_constants(Constants *k) {
  memset(k, 0, sizeof *k);
  for (int color = 0; color < 2; color++) {
    fill_steps(k->steps[color][KING], KING_STEPS, 8);
    fill_steps(k->steps[color][KNIGHT], KNIGHT_STEPS, 8);
    fill_steps(k->steps[color][MET], MET_STEPS, 4);
    fill_steps(k->steps[color][KHON], color == WHITE ? WHITE_KHON_STEPS : BLACK_KHON_STEPS, 5);
    fill_steps(k->steps[color][BIA], color == WHITE ? WHITE_BIA_STEPS : BLACK_BIA_STEPS, 2);
  }
  for (int d = 0; d < 4; d++)
    for (int from = 0; from < 64; from++)
      for (int to = from; (to = stepped(to, ROOK_STEPS[d][0], ROOK_STEPS[d][1])) >= 0;)
        k->rays[d][from] |= (uint64_t)1 << to;
  for (int d = 0; d < 4; d++)
    for (int a = 0; a < 64; a++)
      for (uint64_t rest = k->rays[d][a]; rest; rest &= rest - 1) {
        int b = lowest(rest);
        k->between[a][b] = k->rays[d][a] & k->rays[d ^ 1][b];
      }
  for (int n = 0; n <= 64; n++) {
    k->choose[n][0] = 1;
    for (int i = 1; n > 0 && i <= MEN_OF_A_SIDE; i++)
      k->choose[n][i] = k->choose[n - 1][i - 1] + k->choose[n - 1][i];
  }
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    k->crc[0][byte] = crc;
  }
  for (int i = 1; i < 8; i++)
    for (int byte = 0; byte < 256; byte++)
      k->crc[i][byte] = k->crc[0][k->crc[i - 1][byte] & 255] ^ k->crc[i - 1][byte] >> 8;
}

static uint64_t rook_attacks(const Constants *k, int from, uint64_t occupied) {
  uint64_t reached = 0;
  for (int d = 0; d < 4; d++) {
    uint64_t ray = k->rays[d][from], blockers = ray & occupied;
    /* Directions 0 and 2 run to higher squares, 1 and 3 to lower ones. */
    if (blockers) ray &= ~k->rays[d][d % 2 ? highest(blockers) : lowest(blockers)];
    reached |= ray;
  }
  return reached;
}

static uint64_t attacks(const Constants *k, int role, int color, int from, uint64_t occupied) {
  return role == ROOK ? rook_attacks(k, from, occupied) : k->steps[color][role][from];
}

static int king_of(const Position *p, int color) { return lowest(p->color[color] & p->role[KING]); }

static uint64_t men_of(const Position *p, int color, int role) { return p->color[color] & p->role[role]; }

static uint64_t occupied_of(const Position *p) { return p->color[WHITE] | p->color[BLACK]; }

/* The men of side `by` that attack a square, as a set of squares. */
static uint64_t attackers(const Constants *k, const Position *p, int square, int by) {
  uint64_t found = 0;
  for (int role = 0; role < ROLES; role++)
    found |= attacks(k, role, !by, square, occupied_of(p)) & men_of(p, by, role);
  return found;
}

static int is_check(const Constants *k, const Position *p) {
  return attackers(k, p, king_of(p, p->turn), !p->turn) != 0;
}

/* A side's bia begin on its third rank. In makruk and ouk they promote to mets on the sixth rank, in ASEAN chess to any
 * man but the king on the eighth. Other men move alike in both games. */
enum { MAKRUK, ASEAN, GAMES };

static int game_of(int rules) { return rules == SAKMAK_RULES_ASEAN ? ASEAN : MAKRUK; }

/* The squares on which a bia stands before its promotion: three ranks or five. */
static int bia_squares(int game) { return game == ASEAN ? 40 : 24; }

/* The first of these squares. */
static int first_bia_square(int game, int color) { return color == WHITE ? 16 : 48 - bia_squares(game); }

/* The squares of a side's bia in the tables. No bia can be behind these squares, and on the squares ahead it has
 * promoted. */
static uint64_t bia_home(int game, int color) {
  return (((uint64_t)1 << bia_squares(game)) - 1) << first_bia_square(game, color);
}

#define LAST_RANK(color) (UINT64_C(0xff) << ((color) == WHITE ? 56 : 0))

/* The square in front of a bia. */
static uint64_t ahead_of(int from, int color) {
  uint64_t square = (uint64_t)1 << from;
  return color == WHITE ? square << 8 : square >> 8;
}

/* The legal moves in a game, ordered by role, then by origin, by destination and by promotion. */
static int legal_moves(const Constants *k, const Position *p, int game, Move *moves) {
  int us = p->turn, them = !us, n = 0, king = king_of(p, us);
  uint64_t ours = p->color[us], all = occupied_of(p);

  uint64_t safe = k->steps[us][KING][king] & ~ours;
  for (int role = 0; role < ROLES && safe; role++)
    /* The king is removed, since it does not protect the squares behind it from a rook. */
    for (uint64_t rest = men_of(p, them, role); rest; rest &= rest - 1)
      safe &= ~attacks(k, role, them, lowest(rest), all & ~((uint64_t)1 << king));
  for (; safe; safe &= safe - 1) moves[n++] = (Move){(uint8_t)king, (uint8_t)lowest(safe), KING, KING};

  uint64_t checkers = attackers(k, p, king, them), answers = ~(uint64_t)0;
  if (checkers & (checkers - 1)) return n;
  if (checkers) answers = checkers | k->between[king][lowest(checkers)];
  uint64_t pinning = men_of(p, them, ROOK) & rook_attacks(k, king, 0);
  for (int role = ROOK; role < ROLES; role++)
    for (uint64_t men = men_of(p, us, role); men; men &= men - 1) {
      int from = lowest(men);
      uint64_t reached = attacks(k, role, us, from, all) & ~ours;
      if (role == BIA) reached = (reached & p->color[them]) | (ahead_of(from, us) & ~all);
      reached &= answers;
      for (uint64_t rest = pinning; rest; rest &= rest - 1) {
        uint64_t line = k->between[king][lowest(rest)];
        if ((line & all) == (uint64_t)1 << from) reached &= line | (rest & (0 - rest));
      }
      for (; reached; reached &= reached - 1) {
        int promotes = role == BIA && !(bia_home(game, us) >> lowest(reached) & 1);
        int becomes = !promotes ? role : game == ASEAN ? ROOK : MET, last = promotes ? MET : role;
        for (; becomes <= last && n < SAKMAK_MAX_MOVES; becomes++)
          moves[n++] = (Move){(uint8_t)from, (uint8_t)lowest(reached), (uint8_t)role, (uint8_t)becomes};
      }
    }
  return n;
}

static int is_capture(const Position *p, Move m) { return p->color[!p->turn] >> m.to & 1; }

/* True if a move is a capture or a promotion. */
static int changes_men(const Position *p, Move m) { return is_capture(p, m) || m.becomes != m.role; }

static Position after_move(const Position *p, Move m) {
  Position next = *p;
  uint64_t from = (uint64_t)1 << m.from, to = (uint64_t)1 << m.to;
  next.color[!p->turn] &= ~to;
  next.color[p->turn] = (next.color[p->turn] & ~from) | to;
  for (int role = 0; role < ROLES; role++) next.role[role] &= ~(from | to);
  next.role[m.becomes] |= to;
  next.turn = !p->turn;
  return next;
}

static uint64_t swap_ranks(uint64_t set) {
  uint64_t swapped = 0;
  for (int rank = 0; rank < 8; rank++) swapped |= (set >> 8 * rank & 255) << 8 * (7 - rank);
  return swapped;
}

/* The position with colours exchanged and ranks reversed: the same game from the other side of the board. */
static Position flipped(const Position *p) {
  Position q;
  q.color[WHITE] = swap_ranks(p->color[BLACK]);
  q.color[BLACK] = swap_ranks(p->color[WHITE]);
  for (int role = 0; role < ROLES; role++) q.role[role] = swap_ranks(p->role[role]);
  q.turn = !p->turn;
  return q;
}

/* ---------------------------------------------------------------------------------------------
 * Errors.
 */

static SakmakStatus COLD LIKE_PRINTF(3, 4)
    fail(SakmakError *error, SakmakStatus status, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->status = status;
  }
  return status;
}

/* ---------------------------------------------------------------------------------------------
 * Material: the men of each side besides its king, by role.
 */

typedef struct {
  uint8_t men[2][ROLES]; /* The kings are not counted. */
  uint8_t game;          /* Of the bia; MAKRUK if there are none. */
} Material;

static Material material_of(const Position *p) {
  Material m;
  memset(&m, 0, sizeof m);
  for (int role = ROOK; role < ROLES; role++)
    /* Most sets have no man or one: faster than two calls of a function that counts bits. */
    for (uint64_t men = p->role[role]; men; men &= men - 1) m.men[p->color[BLACK] >> lowest(men) & 1][role]++;
  return m;
}

static int has_bia(const Material *m) { return m->men[WHITE][BIA] || m->men[BLACK][BIA]; }

/* The material of a position under a rule set. */
static Material material_under(int rules, const Position *p) {
  Material m = material_of(p);
  if (has_bia(&m)) m.game = (uint8_t)game_of(rules);
  return m;
}

static int men_beside(const Material *m, int color) {
  return m->men[color][ROOK] + m->men[color][KNIGHT] + m->men[color][KHON] + m->men[color][MET] + m->men[color][BIA];
}

/* True in the endings against a bare king in which a capture by that king may gain time for the other side in ASEAN
 * chess, since it restarts the fifty-move rule: against knights and mets, at least three, with a met among them. */
static int late_captures_matter(const Material *m) {
  for (int color = 0; color < 2; color++) {
    const uint8_t *men = m->men[color];
    if (men_beside(m, color) == 3 && !men_beside(m, !color) && men[MET] && men[KNIGHT] + men[MET] == 3) return 1;
  }
  return 0;
}

static uint32_t army_key(const Material *m, int color) {
  uint32_t key = 0;
  for (int role = ROOK; role < ROLES; role++) key = key << 3 | m->men[color][role];
  return key;
}

/* True if a name has Black's side first: the one with more men, then more rooks, knights, khons, mets, bia. */
static int is_swapped(const Material *m) {
  int more = men_beside(m, WHITE) - men_beside(m, BLACK);
  return more ? more < 0 : army_key(m, WHITE) < army_key(m, BLACK);
}

static uint32_t key_of(const Material *m, int first) {
  return (uint32_t)m->game << 30 | army_key(m, first) << 15 | army_key(m, !first);
}

static const char ROLE_LETTERS[] = "KRNSMP";

/* The end of the names of endings with ASEAN chess's bia. */
static const char ASEAN_SUFFIX[] = "-asean";
#define MOST_MEN_WITH_ASEAN_BIA 5

static int most_men(const Material *m) { return m->game == ASEAN ? MOST_MEN_WITH_ASEAN_BIA : MOST_MEN; }

/* Parses a canonical name such as KRNvKS or KRPvK-asean. */
static int read_name(const char *name, size_t length, Material *m) {
  memset(m, 0, sizeof *m);
  size_t at = 0, suffix = sizeof ASEAN_SUFFIX - 1;
  if (length > suffix && !memcmp(name + length - suffix, ASEAN_SUFFIX, suffix)) {
    length -= suffix;
    m->game = ASEAN;
  }
  for (int color = 0; color < 2; color++) {
    if (color == BLACK && (at == length || name[at++] != 'v')) return 0;
    if (at == length || name[at++] != 'K') return 0;
    for (int role = ROOK; role < ROLES; role++)
      while (at < length && name[at] == ROLE_LETTERS[role]) {
        at++;
        if (++m->men[color][role] > MEN_OF_A_SIDE) return 0;
      }
  }
  int men = 2 + men_beside(m, WHITE) + men_beside(m, BLACK);
  return at == length && men > 2 && men <= most_men(m) && (m->game == MAKRUK || has_bia(m)) && !is_swapped(m);
}

static void write_name(const Material *m, int first, char name[16]) {
  size_t at = 0;
  for (int side = 0; side < 2; side++) {
    if (side) name[at++] = 'v';
    name[at++] = 'K';
    for (int role = ROOK; role < ROLES; role++)
      for (int i = 0; i < m->men[side ? !first : first][role] && at < MOST_MEN + 1; i++) name[at++] = ROLE_LETTERS[role];
  }
  name[at] = 0;
  if (m->game == ASEAN) strcpy(name + at, ASEAN_SUFFIX);
}

/* ---------------------------------------------------------------------------------------------
 * Files, read at a given place without a file position: several threads may share one.
 */

#ifdef _WIN32
typedef HANDLE File;
#define NO_FILE INVALID_HANDLE_VALUE
#define TOO_MANY_FILES ERROR_TOO_MANY_OPEN_FILES
typedef DWORD SystemError;
static SystemError last_error(void) { return GetLastError(); }
static int is_lack_of_files(SystemError error) { return error == ERROR_TOO_MANY_OPEN_FILES; }
#else
typedef int File;
#define NO_FILE (-1)
#define TOO_MANY_FILES EMFILE
typedef int SystemError;
static SystemError last_error(void) { return errno; }
static int is_lack_of_files(SystemError error) { return error == EMFILE || error == ENFILE; }
#endif

#define MOST_WORDS_OF_SYSTEM 128

/* The system's words for an error, in parentheses and after a blank; nothing if there is no error. */
static const char *system_words(SystemError error, char words[MOST_WORDS_OF_SYSTEM]) {
  char text[MOST_WORDS_OF_SYSTEM - 4] = "";
  const char *from = text;
  words[0] = 0;
  if (!error) return words;
#ifdef _WIN32
  FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, error, 0, text, sizeof text, NULL);
  text[strcspn(text, ".\r\n")] = 0;
#elif (defined(__GLIBC__) || defined(__BIONIC__)) && defined(_GNU_SOURCE)
  from = strerror_r(error, text, sizeof text);
#else
  if (strerror_r(error, text, sizeof text)) snprintf(text, sizeof text, "error %d", error);
#endif
  snprintf(words, MOST_WORDS_OF_SYSTEM, " (%.120s)", from);
  return words;
}

/* Opens a regular file. The error is 0 if it is no regular file. */
static File open_file(const char *path, uint64_t *length, SystemError *error) {
  *error = 0;
#ifdef _WIN32
  LARGE_INTEGER size;
  File file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                          FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == NO_FILE) *error = last_error();
  if (file == NO_FILE) return NO_FILE;
  if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &size)) {
    CloseHandle(file);
    return NO_FILE;
  }
  *length = (uint64_t)size.QuadPart;
#else
  struct stat status;
  /* Without O_NONBLOCK, a pipe with the name of a table would make the engine wait. */
  File file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file == NO_FILE) *error = last_error();
  if (file == NO_FILE) return NO_FILE;
  if (fstat(file, &status) || !S_ISREG(status.st_mode)) {
    close(file);
    return NO_FILE;
  }
  *length = (uint64_t)status.st_size;
#endif
  return file;
}

static void close_file(File file) {
  if (file == NO_FILE) return;
#ifdef _WIN32
  CloseHandle(file);
#else
  close(file);
#endif
}

/* The error is 0 if the file ends too early. */
static int read_at(File file, uint64_t place, void *bytes, size_t length, SystemError *error) {
  char *to = (char *)bytes;
  *error = 0;
  while (length) {
#ifdef _WIN32
    OVERLAPPED at;
    memset(&at, 0, sizeof at);
    DWORD n = 0, wanted = length > 1 << 30 ? 1 << 30 : (DWORD)length;
    at.Offset = (DWORD)place;
    at.OffsetHigh = (DWORD)(place >> 32);
    int failed = !ReadFile(file, to, wanted, &n, &at);
    if (failed && last_error() != ERROR_HANDLE_EOF) *error = last_error();
#else
    ssize_t n = pread(file, to, length, (off_t)place);
    int failed = n < 0;
    if (failed && errno == EINTR) continue;
    if (failed) *error = last_error();
#endif
    if (failed || !n) return 0;
    to += n;
    place += (uint64_t)n;
    length -= (size_t)n;
  }
  return 1;
}

/* ---------------------------------------------------------------------------------------------
 * The table file, docs/develop/format.md.
 */

#define PREAMBLE_BYTES 64
#define BIA_BYTE 255 /* The bia among the components of a number. */
#define OLDEST_FORMAT_VERSION 3
/* The version of tables with bia for other rule sets than makruk. */
#define FORMAT_VERSION 7
/* From this version on, a header lists the table's rule sets, a bit for each. Older tables have all rule sets. */
#define VERSION_WITH_RULE_SETS 6
#define ALL_RULE_SETS 7u
#define RULES_REVISION 1
#define RULES_REVISION_OF_PLIES 2
#define FIFTY_MOVES_PLIES 100
#define KNIGHTS_LIMIT_PLIES 128
#define MOST_HEADER_BYTES (64u << 20)
#define MOST_BLOCK_CELLS (1u << 20)
#define MOST_CODES 65534
#define MOST_LIST (1u << 16)
#define MOST_SECTIONS 8 /* One for each metric and side to move. */
#define GROUP 32
#define PLACE_BYTES 8
#define MOST_ENTRY_BYTES 7
#define FRAME_MAGIC_BYTES 4
#define MOST_WINDOW (8u << 20)
static const uint8_t MAGIC[8] = {0x89, 'S', 'K', 'M', '\r', '\n', 0x1a, '\n'};
static const uint8_t FRAME_MAGIC[FRAME_MAGIC_BYTES] = {0x28, 0xb5, 0x2f, 0xfd};

/* The meaning of a code: the winner, and the number of moves. */
enum { NOBODY, WHITE_WINS, BLACK_WINS, AS_THE_BASE };
typedef struct {
  uint8_t kind;
  uint16_t moves;
} Code;

enum { METRIC_DTM, METRIC_DTH_MAKRUK, METRIC_DTH_ASEAN, METRIC_DTH_OUK, METRICS };

#define MOST_GROUPS MOST_MEN
typedef struct {
  int color, role, men;
  uint64_t stride;
  uint32_t placements;
} Group;

enum { PLAIN, SYMBOL_RANKED, RANKED_OVER_BASE, PACKINGS };

/* The predictor of a cell, besides its neighbours: the same cell in the previous plane; the cell's guess, taken from
 * the base section; or the guess, corrected by the differences between the neighbours and their guesses. */
enum { BY_PLANE_BEFORE, BY_VALUES, BY_DIFFERENCES };

#define SYMBOLS 15
#define ESCAPE SYMBOLS
#define MOST_CLASSES 64
#define KINDS 5
#define MOST_CONTEXTS 65536u
#define MOST_LISTS (1u << 14)
#define MOST_MODEL_BYTES (1u << 20)
#define MOST_RANKED_CODES 250
#define MOST_RANKED_CELLS (1u << 15)
#define SAME_BYTES 6 /* Of a block whose cells are all equal: a code and a checksum. */
#define MOST_BYTES_OF_A_CELL 4
#define DRAW_SYMBOL 128

/* For each prediction: the number of levels of a neighbour, of which the last two are a draw and unknown; and the
 * number of levels of the previous plane's cell or of the guess, the leading part of a context's index. */
enum { LEVELS_BESIDE_BEFORE = 7, LEVELS_BESIDE_VALUES = 6, LEVELS_BESIDE_DIFFERENCES = 5 };
static const uint8_t LEVELS_OF[][2] = {
    {LEVELS_BESIDE_BEFORE, 5}, {LEVELS_BESIDE_VALUES, 10}, {LEVELS_BESIDE_DIFFERENCES, 20}};

/* ONE is the range coder's probability 1. LOWEST_STATE is the smallest state between two symbols while words are left. */
#define ONE 4096u
#define LOWEST_STATE 65536u

/* The symbols of a context, the likeliest first, and the class of their places. */
typedef struct {
  uint8_t symbols[SYMBOLS];
  uint8_t range_class;
} SymbolList;

/* A place with the start and the width of its range. */
typedef struct {
  uint32_t place : 4, start : 12, width : 16;
} Range;

/* The number of equal parts into which the numbers below ONE are divided. Most parts lie in one range. */
#define PARTS 64
#define PART (ONE / PARTS)

typedef struct {
  int prediction;
  uint16_t list_of[MOST_CONTEXTS];
  /* For each class, the end of each place's range, in parts of ONE. */
  uint16_t ends[MOST_CLASSES][SYMBOLS + 1];
  /* For each class, the range of each part; the width is 0 if the part lies in several ranges. */
  Range ranges[MOST_CLASSES][PARTS];
  SymbolList lists[];
} Model;

/* A placement of both sides' bia. */
typedef struct {
  uint32_t steps; /* That all have to go until they promote. */
  uint64_t squares[2];
} Bia;

/* The placements of some numbers of bia, in order. Of two mirror images only the smaller one is listed. */
typedef struct {
  Bia *all;
  size_t number;
  int game;
} BiaList;

typedef struct Section {
  int metric, side, symmetry, packing;
  uint64_t cells, start, index;
  uint32_t block_cells, model_bytes, model_crc, number_of_codes;
  uint8_t number;
  Code *codes;
  /* The strides of a position's index, which has a term for each component. */
  uint64_t anchor_stride, lane_stride, bia_stride;
  const BiaList *bia; /* NULL if there are none. */
  Group groups[MOST_GROUPS];
  int number_of_groups;
  int8_t group_of[2][ROLES];
  /* The decoder of the section's blocks. */
  int model_is_damaged;
  Model *model;
  uint8_t draw; /* The cell of a draw, for symbol ranking. */
  uint64_t first_page, pages_of_block;
  /* The earlier section over which this one is ranked, or NULL; and for each code of that section, the guess for the
   * same cell of this one. */
  const struct Section *base;
  uint8_t guess_of[256];
} Section;

/* A file of tables, open or, if only so many files may be open, closed until it is read again. Threads change it under
 * the lock of the files. */
typedef struct FileState {
  struct FileState *next; /* In the list of all files. */
  File handle;
  unsigned readers;
  uint64_t read_last; /* The time, as a number of reads. */
  uint8_t preamble[PREAMBLE_BYTES];
  Atomic is_aside; /* 1 if the table turned out to be damaged and another can replace it. */
} FileState;

/* The file of a table, of either kind. */
typedef struct {
  char *path;
  FileState *open;
  SakmakStatus status; /* Why it cannot be used, if it cannot. */
  const char *fault;
  SystemError error;  /* What the system said. */
  unsigned rule_sets; /* A bit for each rule set that it has results of. */
  uint16_t next;      /* The same ending's table of a later directory, or NO_TABLE. */
} TableFile;

#define NO_TABLE UINT16_MAX

typedef struct {
  Material material;
  TableFile file;
  int is_even, counts_plies;
  Section *sections;
  int number_of_sections;
  /* For each metric and side to move, the section to look in, and the section to which a cell may refer. Both are
   * indices of `sections`, or -1. */
  int16_t section_of[METRICS][2], base_of[METRICS][2];
} Table;

/* A verdict table: for each side that can win, the sets of positions won on the board and inside the count of each
 * rule set. */
#define OLDEST_VERDICT_VERSION 3
#define VERDICT_VERSION 5
#define VERDICT_VERSION_WITH_RULE_SETS 4
#define VERDICT_SETS 4
#define VERDICT_GROUP 64
#define VERDICT_CHECK_BYTES 2
#define MOST_VERDICT_ENTRY_BYTES (VERDICT_CHECK_BYTES + 2 * VERDICT_SETS)
#define MOST_VERDICT_LANES 4096u
#define MOST_VERDICT_BYTES (VERDICT_SETS * 2 * 65535u)
#define QUESTIONS 136
#define PAIRS 15
#define CONTEXTS_OF_PAIR 48
#define VERDICT_CONTEXTS (PAIRS * PAIRS * CONTEXTS_OF_PAIR)
#define VERDICT_MODEL_BYTES (1 + 2 * 2 * (QUESTIONS + VERDICT_CONTEXTS))
static const uint8_t VERDICT_MAGIC[8] = {0x89, 'S', 'K', 'V', '\r', '\n', 0x1a, '\n'};

/* The side to move, seen from the side whose wins are stored. */
enum { WINNER, LOSER };

/* What the steps of the loser's king decide, with the loser to move. OPEN: nothing. SAVE: a step to a position that the
 * winner does not win saves the loser. DECIDE: besides, a king without such a step and without a capture has lost, or
 * is stalemated. */
enum { STEPS_OPEN, STEPS_SAVE, STEPS_DECIDE };

/* A model of verdicts: for each side to move, the probabilities of a 1 in parts of ONE. */
typedef struct {
  int king_steps; /* What the loser's king's steps tell. */
  int outsiders;  /* Whether squares outside the parent say no to their neighbours. */
  uint16_t questions[2][QUESTIONS], contexts[2][VERDICT_CONTEXTS];
} VerdictModel;

enum { SET_IS_EMPTY, SET_IS_SAME, SET_IS_CODED };

typedef struct {
  int stored, other; /* The set that it equals or is a part of, or -1. */
  int like;          /* The set that it is like, or -1. */
  int guide;         /* The set that tells, with the loser to move, where its king escapes to. */
  int length_bytes;  /* Of a length in the index. */
  VerdictModel *model; /* NULL if it is damaged. */
} VerdictSet;

typedef struct {
  int winner, number_of_groups;
  Group groups[MOST_GROUPS];
  const BiaList *bia; /* NULL if there are none. */
  uint64_t bia_stride;
  uint32_t block_planes;
  uint64_t planes, blocks, first_page, pages_of_block, start, index;
  size_t entry_bytes;
  VerdictSet sets[VERDICT_SETS];
} VerdictSide;

typedef struct {
  Material material;
  TableFile file;
  int symmetry, number_of_sides;
  VerdictSide sides[2];
} VerdictTable;

/* The facts about a lane that follow from the men alone, for each side to move: its legal positions, and those in which
 * that side attacks a man that seems to be unprotected. */
typedef struct {
  uint64_t legal[2], takes[2];
} LaneFacts;

#define LANES 64
#define NO_LANE 255

/* The symmetries that map the king's squares to fewer ones: reversing files; all eight; or, with bia, none, since the
 * bia decide whether files are reversed. */
enum { BY_FILES, BY_ALL, BY_BIA, SYMMETRIES };

/* A lane of a plane in decoding order, and the lanes that predict it. */
typedef struct {
  uint8_t lane, kind, lonely, neighbours[4];
} Step;

typedef struct {
  int lanes; /* Squares of the king; with bia two planes of distances have half of them each. */
  uint8_t squares[64];
  uint8_t digit[64];      /* Of a king's square in the domain. */
  uint8_t transform[64];  /* Of a king's square anywhere: bit 0 files, 1 ranks, 2 exchanged after. */
  uint8_t image[8][64];
  Step steps[LANES];
} Symmetry;

#define SLOTS_AT_FIRST 4096 /* More than twice the endings of six men. */

enum { DISTANCES, VERDICTS, KINDS_OF_TABLES };

/* An ending, with the numbers of its tables in the first directory that has them. */
typedef struct {
  uint32_t key; /* 0 if the slot is free. */
  uint16_t tables[KINDS_OF_TABLES];
} Ending;

/* The cache of decoded blocks, as pages of 2.5 KiB. A page's key maps to a set of seven places; a place has the key and,
 * in its low bits, the slot of the page's memory. Slots are handed out in order, so that memory fills from its beginning.
 *
 * Nobody waits. A writer raises the set's counter to an odd number before it changes a page, and to an even one
 * afterwards. A reader that finds the counter odd or changed discards what it has read. A page is not cached if another
 * thread is changing its set. */
#define PAGE_BYTES 2560
#define PAGE_WORDS (PAGE_BYTES / 8)
#define WAYS 7
#define SLOT_BITS 28
#define MOST_SLOTS ((uint64_t)1 << SLOT_BITS)
#define END_OF_KEYS ((uint64_t)1 << (64 - SLOT_BITS))

/* The counter of a set is in the upper bits of its control word. The lower bits mark the places used recently. */
#define CHANGE ((uint64_t)1 << 8)

typedef struct {
  Atomic control;
  Atomic places[WAYS]; /* 0 where there has been no page. */
} Set;

/* Hits and misses, apart in memory, so that threads seldom write to the same line of the processor's cache. */
#define TALLIES 32
typedef struct {
  Atomic hits, misses, unused[14];
} Tally;

typedef struct {
  void *memory; /* Of the sets, which begin at a line of the processor's cache. */
  Set *sets;
  Atomic *words;
  size_t number_of_sets; /* A power of two. */
  Atomic slots;          /* How many have been handed out. */
  Tally tallies[TALLIES];
} Cache;

/* Memory for decoding, for one thread at a time: a block's bytes in the file, two-byte cells as zstd writes them, the
 * cells, and their guesses. Of verdicts: the facts about a block's lanes and, for each set and side to move, the words. */
typedef struct Workspace {
  struct Workspace *next; /* In the list of those that no thread uses. */
  ZSTD_DCtx *zstd;
  uint8_t *packed, *wide, *cells, *guesses;
  size_t packed_bytes, wide_bytes, cell_bytes, guess_bytes;
  LaneFacts *facts;
  uint64_t *words;
  size_t fact_bytes, word_bytes;
} Workspace;

typedef struct {
  Constants constants;
  Symmetry symmetries[SYMMETRIES];
  BiaList bia[GAMES][MEN_OF_A_SIDE + 1][MEN_OF_A_SIDE + 1];
  Table *tables;
  size_t number_of_tables;
  VerdictTable *verdicts;
  size_t number_of_verdicts;
  int most_men;
  /* The endings, in a hash table. */
  Ending *endings;
  size_t slots, number_of_endings;
  uint64_t pages; /* The next free key of a page. */
  uint32_t most_block_cells, most_block_bytes, most_verdict_lanes;
  uint32_t most_guesses; /* Of a block over a base. */
  Cache cache;
  Lock lock; /* Of the memory for decoding and of the handles. */
  Workspace *idle;
  long handles;
  Lock file_lock; /* Of the open files, if their number is limited. */
  FileState *files;
  size_t most_open, number_open; /* 0: no limit. */
  size_t not_opened;             /* Tables of the directory that is added, because too many files are open. */
  uint64_t reads;
} Shared;

/* Reads numbers from bytes. Bytes past the end are 0, and set a flag. */
typedef struct {
  const uint8_t *at, *end;
  int failed;
} Reader;

static uint64_t take(Reader *in, int bytes) {
  uint64_t number = 0;
  if (in->end - in->at < bytes) {
    in->failed = 1;
    return 0;
  }
  for (int i = 0; i < bytes; i++) number |= (uint64_t)in->at[i] << 8 * i;
  in->at += bytes;
  return number;
}

static const uint8_t *take_bytes(Reader *in, size_t bytes) {
  const uint8_t *at = in->at;
  if ((size_t)(in->end - in->at) < bytes) {
    in->failed = 1;
    return NULL;
  }
  in->at += bytes;
  return at;
}

#if defined(__x86_64__) && defined(__GNUC__)
/* Computes the CRC with the processor's instruction. Compilers differ in the name of the feature that its builtin
 * needs. */
static uint32_t crc_by_processor(uint32_t crc, const uint8_t *bytes, size_t length) {
  uint64_t sum = crc;
  for (; length >= 8; length -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    __asm__("crc32q %1, %0" : "+r"(sum) : "rm"(word));
  }
  uint32_t low = (uint32_t)sum;
  for (; length; length--, bytes++) __asm__("crc32b %1, %0" : "+r"(low) : "rm"(*bytes));
  return low;
}
#endif

static uint32_t crc_of(const Constants *k, uint32_t crc, const uint8_t *bytes, size_t length) {
  crc = ~crc;
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("sse4.2")) return ~crc_by_processor(crc, bytes, length);
#endif
  for (; length >= 8; length -= 8, bytes += 8) {
    uint32_t low = crc ^ ((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                          (uint32_t)bytes[3] << 24);
    crc = k->crc[7][low & 255] ^ k->crc[6][low >> 8 & 255] ^ k->crc[5][low >> 16 & 255] ^
          k->crc[4][low >> 24] ^ k->crc[3][bytes[4]] ^ k->crc[2][bytes[5]] ^ k->crc[1][bytes[6]] ^
          k->crc[0][bytes[7]];
  }
  for (; length; length--, bytes++) crc = crc >> 8 ^ k->crc[0][(crc ^ *bytes) & 255];
  return ~crc;
}

static int compare_steps(const Step *a, const int *round_a, const Step *b, const int *round_b) {
  return *round_a != *round_b ? *round_a - *round_b : a->lane - b->lane;
}

/* Fills in the squares of a king, and the order in which the lanes of a plane are decoded. */
static void fill_symmetry(Symmetry *s, int which) {
  memset(s, 0, sizeof *s);
  memset(s->digit, NO_LANE, sizeof s->digit);
  for (int i = 0; i < 64; i++) {
    /* With bia the files a to d come first. */
    int square = which == BY_BIA ? i % 32 / 4 * 8 + i / 32 * 4 + i % 4 : i;
    int file = square % 8, rank = square / 8, transform = which != BY_BIA && file >= 4;
    if (which == BY_ALL) {
      if (file >= 4) file = 7 - file;
      if (rank >= 4) rank = 7 - rank, transform |= 2;
      if (rank > file) transform |= 4;
    }
    s->transform[square] = (uint8_t)transform;
    if (!transform) {
      s->digit[square] = (uint8_t)s->lanes;
      s->squares[s->lanes++] = (uint8_t)square;
    }
    for (int t = 0; t < 8; t++) {
      int f = t & 1 ? 7 - square % 8 : square % 8, r = t & 2 ? 7 - square / 8 : square / 8;
      s->image[t][square] = (uint8_t)(t & 4 ? 8 * f + r : 8 * r + f);
    }
  }
  static const int8_t BESIDE[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  static const int8_t CORNERS[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
  int rounds[LANES];
  for (int lane = 0; lane < s->lanes; lane++) {
    int square = s->squares[lane], file = square % 8 % 4, rank = square / 8 % 4;
    int round = 4, kind = 3, by = 1;
    const int8_t(*neighbours)[2] = BESIDE;
    if (file == 0 && rank == 0) round = 0, kind = 0, by = 4;
    else if (file == 2 && rank == 2) round = 1, kind = 0, by = 2, neighbours = CORNERS;
    else if (file % 2 == 0 && rank % 2 == 0) round = 2, kind = 0, by = 2;
    else if (file % 2 && rank % 2) round = 3, kind = 2, neighbours = CORNERS;
    Step step = {(uint8_t)lane, (uint8_t)kind, 0, {0}};
    for (int i = 0; i < 4; i++) {
      int to = stepped(square, by * neighbours[i][0], by * neighbours[i][1]);
      step.neighbours[i] = to < 0 ? NO_LANE : s->digit[to];
    }
    /* Insertion sort, because there are few lanes. */
    int at = lane;
    while (at > 0 && compare_steps(&step, &round, &s->steps[at - 1], &rounds[at - 1]) < 0) {
      s->steps[at] = s->steps[at - 1];
      rounds[at] = rounds[at - 1];
      at--;
    }
    s->steps[at] = step;
    rounds[at] = round;
  }
  /* A neighbour that comes later in the order is unknown when the lane is decoded. */
  for (int at = 0; at < s->lanes; at++) {
    uint8_t known[4] = {NO_LANE, NO_LANE, NO_LANE, NO_LANE};
    int n = 0;
    for (int i = 0; i < 4; i++) {
      uint8_t *neighbour = &s->steps[at].neighbours[i];
      int earlier = 0;
      for (int other = 0; other < at; other++) earlier |= s->steps[other].lane == *neighbour;
      if (!earlier) *neighbour = NO_LANE;
      if (*neighbour != NO_LANE) known[n++] = *neighbour;
    }
    if (n < 2) {
      s->steps[at].lonely = 1;
      memcpy(s->steps[at].neighbours, known, sizeof known);
    }
  }
}

static uint32_t steps_to_go(int game, uint64_t white, uint64_t black) {
  uint32_t steps = 0, last = game == ASEAN ? 7 : 5;
  for (; white; white &= white - 1) steps += last - (uint32_t)lowest(white) / 8;
  for (; black; black &= black - 1) steps += (uint32_t)lowest(black) / 8 - (7 - last);
  return steps;
}

static uint64_t reverse_files(uint64_t set) {
  uint64_t reversed = 0;
  for (; set; set &= set - 1) reversed |= (uint64_t)1 << (lowest(set) ^ 7);
  return reversed;
}

static int compare_sets(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare_bia(const void *first, const void *second) {
  const Bia *a = (const Bia *)first, *b = (const Bia *)second;
  if (a->steps != b->steps) return a->steps < b->steps ? -1 : 1;
  int white = compare_sets(a->squares[WHITE], b->squares[WHITE]);
  return white ? white : compare_sets(a->squares[BLACK], b->squares[BLACK]);
}

/* The next larger set with as many squares, among the first `squares`; 0 after the last. */
static uint64_t next_set(uint64_t set, int squares) {
  uint64_t low = set & (0 - set), ripple = set + low;
  uint64_t next = low ? ripple | ((set ^ ripple) / low >> 2) : 0;
  return next >> squares ? 0 : next;
}

/* The placements of a material's bia, made at their first use. NULL if memory is short. */
static const BiaList *bia_of(Shared *shared, const Material *m) {
  int white = m->men[WHITE][BIA], black = m->men[BLACK][BIA], game = m->game, squares = bia_squares(game);
  BiaList *list = &shared->bia[game][white][black];
  list->game = game;
  for (int pass = 0; pass < 2 && !list->all; pass++) {
    Bia *all = NULL;
    size_t number = 0;
    if (pass && !(all = (Bia *)malloc((list->number ? list->number : 1) * sizeof *all))) return NULL;
    uint64_t w = ((uint64_t)1 << white) - 1;
    do {
      uint64_t b = ((uint64_t)1 << black) - 1;
      do {
        uint64_t own = w << first_bia_square(game, WHITE), other = b << first_bia_square(game, BLACK);
        if (own & other) continue;
        uint64_t own_image = reverse_files(own), other_image = reverse_files(other);
        int order = compare_sets(own, own_image);
        if (order > 0 || (!order && other > other_image)) continue;
        if (all) all[number] = (Bia){steps_to_go(game, own, other), {own, other}};
        number++;
      } while ((b = next_set(b, squares)));
    } while ((w = next_set(w, squares)));
    list->number = number;
    if (!all) continue;
    qsort(all, number, sizeof *all, compare_bia);
    list->all = all;
  }
  return list;
}

/* The index of a placement. `mirrored` becomes 1 if the index is that of its mirror image. */
static uint64_t number_of_bia(const BiaList *list, uint64_t white, uint64_t black, int *mirrored) {
  uint64_t images[2] = {reverse_files(white), reverse_files(black)};
  int order = compare_sets(white, images[WHITE]);
  *mirrored = order > 0 || (!order && black > images[BLACK]);
  Bia bia = {steps_to_go(list->game, white, black), {*mirrored ? images[WHITE] : white, *mirrored ? images[BLACK] : black}};
  size_t low = 0, high = list->number;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_bia(&list->all[middle], &bia) < 0) low = middle + 1;
    else high = middle;
  }
  return low < list->number ? low : 0;
}

/* ---------------------------------------------------------------------------------------------
 * Opening a table.
 */

static int refuse(TableFile *file, SakmakStatus status, const char *fault) {
  file->status = status;
  file->fault = fault;
  return 0;
}

#define REFUSE(status, words) return refuse(file, status, words)

/* The numbers of positions with one side to move that a header states: drawn ones and, by winner and number of moves, won
 * ones. */
typedef struct {
  uint64_t draws, total;
  const uint8_t *wins[2];
  uint32_t lengths[2];
} Counts;

static uint64_t wins_within(const Counts *counts, int winner, uint32_t moves) {
  if (moves >= counts->lengths[winner]) return 0;
  Reader in = {counts->wins[winner] + 8 * (size_t)moves, counts->wins[winner] + 8 * (size_t)moves + 8, 0};
  return take(&in, 8);
}

/* Reads numbers of positions, and the examples after them. Returns 0 if they are not of an ending with these men. */
static int take_counts(Reader *in, const Material *m, Counts *counts) {
  uint64_t men = 2 + (uint64_t)men_beside(m, WHITE) + (uint64_t)men_beside(m, BLACK);
  counts->total = counts->draws = take(in, 8);
  for (int list = 0; list < 4; list++) {
    uint64_t n = take(in, 4), size = list < 2 ? 8 : 1;
    if (n > MOST_LIST || n * size > (uint64_t)(in->end - in->at)) return 0;
    if (list < 2) {
      counts->wins[list] = take_bytes(in, (size_t)n * 8);
      counts->lengths[list] = (uint32_t)n;
      for (uint32_t moves = 0; moves < n; moves++) {
        uint64_t wins = wins_within(counts, list, moves);
        if (wins > UINT64_MAX - counts->total || (wins && !men_beside(m, list))) return 0;
        counts->total += wins;
      }
    } else if (n > counts->lengths[list - 2]) {
      return 0;
    }
    for (uint64_t i = 0; list >= 2 && i < n && !in->failed; i++) {
      uint64_t its_men = take(in, 1);
      const uint8_t *squares = take_bytes(in, (size_t)its_men);
      if (its_men && its_men != men) return 0;
      for (size_t man = 0; squares && man < its_men; man++)
        if (squares[man] >= 64) return 0;
    }
  }
  return !in->failed;
}

/* Sets up the numbering of a section's positions. Returns 0 if its order of components does not fit its material. */
static int number_section(Shared *shared, const Table *table, Section *section,
                          const uint8_t *order, size_t length) {
  int groups = 0;
  memset(section->group_of, -1, sizeof section->group_of);
  for (int color = 0; color < 2; color++)
    for (int role = ROOK; role < GROUPED; role++) {
      int men = table->material.men[color][role];
      if (!men) continue;
      Group *group = &section->groups[groups];
      *group = (Group){color, role, men, 0, (uint32_t)shared->constants.choose[64][men]};
      section->group_of[color][role] = (int8_t)groups++;
    }
  section->number_of_groups = groups;
  int bia = has_bia(&table->material);
  if (bia ? section->symmetry != 3 : section->symmetry != 1 && section->symmetry != 2) return 0;
  if (section->symmetry == 2 && table->material.men[WHITE][KHON] + table->material.men[BLACK][KHON] > 0) return 0;
  size_t named = (size_t)groups + 2;
  if (length != named + (size_t)bia) return 0;
  if (bia && !(section->bia = bia_of(shared, &table->material))) return 0;
  unsigned seen = 0;
  uint64_t stride = 1;
  for (size_t i = length; i-- > 0;) {
    uint64_t digits;
    unsigned component = bia && order[i] == BIA_BYTE ? (unsigned)named : order[i];
    if (component >= length || seen >> component & 1) return 0;
    seen |= 1u << component;
    if (component == named) {
      section->bia_stride = stride;
      digits = section->bia->number;
    } else if (order[i] == 0) {
      section->anchor_stride = stride;
      digits = (uint64_t)shared->symmetries[section->symmetry - 1].lanes;
    } else if (order[i] == 1) {
      section->lane_stride = stride;
      digits = 64;
    } else {
      section->groups[order[i] - 2].stride = stride;
      digits = section->groups[order[i] - 2].placements;
    }
    if (stride > UINT64_MAX / digits) return 0;
    stride *= digits;
  }
  return stride == section->cells;
}

static int is_of_a_table(const uint8_t *frame, size_t length) {
  if (length < FRAME_MAGIC_BYTES + 2 || memcmp(frame, FRAME_MAGIC, FRAME_MAGIC_BYTES)) return 0;
  uint8_t descriptor = frame[FRAME_MAGIC_BYTES], window = frame[FRAME_MAGIC_BYTES + 1];
  if (descriptor & 15) return 0; /* A checksum, or the number of a dictionary: never in a table. */
  if (descriptor & 32) return 1; /* The window is what comes out. */
  uint64_t base = (uint64_t)1 << (10 + (window >> 3));
  return base + base / 8 * (window & 7) <= MOST_WINDOW;
}

/* A list's symbols: its own, then its kind's, then all others. */
static void complete(SymbolList *list, const uint8_t *own, size_t length, const SymbolList *kind) {
  size_t n = 0;
  int has[256] = {0};
  for (size_t i = 0; i < length && n < SYMBOLS; i++) list->symbols[n++] = own[i], has[own[i]] = 1;
  for (size_t i = 0; kind && i < SYMBOLS && n < SYMBOLS; i++)
    if (!has[kind->symbols[i]]) list->symbols[n++] = kind->symbols[i], has[kind->symbols[i]] = 1;
  for (int symbol = 0; symbol < 256 && n < SYMBOLS; symbol++)
    if (!has[symbol]) list->symbols[n++] = (uint8_t)symbol;
}

/* The range of a class that contains a number below ONE. */
static Range search(const uint16_t *ends, uint32_t slot) {
  uint32_t place = 0;
  for (int i = 0; i < SYMBOLS; i++) place += ends[i] <= slot;
  uint32_t start = place ? ends[place - 1] : 0;
  return (Range){place, start, ends[place] - start};
}

/* Reads the ranges and the lists of a model. */
static int fill_model(Model *model, Reader *in, const uint8_t *widths, size_t classes, size_t lists) {
  size_t levels = LEVELS_OF[model->prediction][0], leads = LEVELS_OF[model->prediction][1];
  size_t of_lead = levels * levels * levels * levels, of_kind = leads * of_lead, contexts = KINDS * of_kind;
  for (size_t c = 0; c < classes; c++) {
    uint32_t end = 0;
    for (int place = 0; place <= SYMBOLS; place++, widths += 2) {
      uint32_t width = (uint32_t)(widths[0] | widths[1] << 8);
      if (!width) return 0;
      end += width;
      model->ends[c][place] = (uint16_t)end;
    }
    if (end != ONE) return 0;
    for (uint32_t part = 0; part < PARTS; part++) {
      const uint16_t *ends = model->ends[c];
      Range first = search(ends, part * PART), last = search(ends, part * PART + PART - 1);
      model->ranges[c][part] = first.place == last.place ? first : (Range){0, 0, 0};
    }
  }
  for (size_t context = 0; context < contexts; context++) model->list_of[context] = UINT16_MAX;
  for (size_t i = 0; i < lists; i++) {
    size_t context = i < KINDS ? 0 : (size_t)take(in, 2);
    uint8_t range_class = (uint8_t)take(in, 1);
    size_t length_of_own = (size_t)take(in, 1);
    const uint8_t *own = take_bytes(in, length_of_own);
    if (in->failed || range_class >= classes || length_of_own > SYMBOLS || context >= contexts) return 0;
    model->lists[i].range_class = range_class;
    complete(&model->lists[i], own, length_of_own, i < KINDS ? NULL : &model->lists[context / of_kind]);
    if (i >= KINDS) model->list_of[context] = (uint16_t)i;
  }
  if (in->failed || in->at != in->end) return 0;
  for (size_t context = 0; context < contexts; context++) {
    if (model->list_of[context] == UINT16_MAX) {
      size_t kind = context / of_kind, without = (kind * leads + leads - 1) * of_lead + context % of_lead;
      uint16_t list = model->list_of[without];
      model->list_of[context] = list == UINT16_MAX ? (uint16_t)kind : list;
    }
  }
  return 1;
}

/* Makes a model from its bytes. Returns NULL if they are damaged or memory is short. */
static Model *new_model(int packing, const uint8_t *bytes, size_t length) {
  Reader in = {bytes, bytes + length, 0};
  int prediction = packing == RANKED_OVER_BASE ? BY_VALUES + (int)take(&in, 1) : BY_PLANE_BEFORE;
  if (prediction > BY_DIFFERENCES) return NULL;
  size_t classes = (size_t)take(&in, 1);
  const uint8_t *widths = take_bytes(&in, classes * 2 * (SYMBOLS + 1));
  size_t lists = (size_t)take(&in, 2);
  if (in.failed || !classes || classes > MOST_CLASSES || lists < KINDS || lists > MOST_LISTS) return NULL;
  Model *model = (Model *)malloc(sizeof *model + lists * sizeof *model->lists);
  if (!model) return NULL;
  model->prediction = prediction;
  if (fill_model(model, &in, widths, classes, lists)) return model;
  free(model);
  return NULL;
}

static Model *read_model(ZSTD_DCtx *zstd, int packing, const uint8_t *bytes, size_t length) {
  Model *model = NULL;
  uint8_t *plain = (uint8_t *)malloc(MOST_MODEL_BYTES);
  if (plain && is_of_a_table(bytes, length)) {
    size_t n = ZSTD_decompressDCtx(zstd, plain, MOST_MODEL_BYTES, bytes, length);
    if (!ZSTD_isError(n)) model = new_model(packing, plain, n);
  }
  free(plain);
  return model;
}

/* Reads the model of a section. A damaged model only affects the section's blocks. */
static int read_model_of(Shared *shared, Table *table, Section *section, ZSTD_DCtx *zstd) {
  if (section->packing == PLAIN) return 1;
  uint8_t *bytes = (uint8_t *)malloc(section->model_bytes ? section->model_bytes : 1);
  if (!bytes) return 0;
  SystemError error;
  if (read_at(table->file.open->handle, section->start, bytes, section->model_bytes, &error) &&
      crc_of(&shared->constants, 0, bytes, section->model_bytes) == section->model_crc)
    section->model = read_model(zstd, section->packing, bytes, section->model_bytes);
  section->model_is_damaged = !section->model;
  free(bytes);
  return 1;
}

/* The place of a code in the order from best to worst for White. */
static uint32_t place_for_white(Code code) {
  switch (code.kind) {
    case WHITE_WINS: return code.moves;
    case NOBODY: return 0x10000;
    case AS_THE_BASE: return 0x10001;
    default: return 0x20000u + UINT16_MAX - code.moves;
  }
}

/* Converts a code from moves to plies, with White to move. */
static Code code_in_plies(Code code) {
  uint32_t plies = 2u * code.moves;
  if (code.kind == WHITE_WINS && plies) plies--;
  if (plies > FIFTY_MOVES_PLIES) return (Code){NOBODY, 0};
  return (Code){code.kind, (uint16_t)plies};
}

/* Finds the base over which a section is ranked, and the guess for each of the base's codes. Returns 0 if there is no
 * base, or if the section's codes are not in the order that guesses require. */
static int find_base(const Table *table, Section *section) {
  const Material *m = &table->material;
  int bare = !men_beside(m, WHITE) || !men_beside(m, BLACK), of_makruk = section->metric == METRIC_DTH_MAKRUK;
  int metric = of_makruk || (bare && !has_bia(m)) ? METRIC_DTM : METRIC_DTH_MAKRUK;
  if (section->metric == METRIC_DTM || m->game == ASEAN || (of_makruk && bare && has_bia(m))) return 0;
  /* Only an earlier section can be a base, so there are no circles. */
  const Section *base = table->sections;
  while (base < section && base->metric != metric) base++;
  if (base == section || base->packing == PLAIN || base->side != section->side ||
      base->symmetry != section->symmetry || base->cells != section->cells ||
      base->block_cells != section->block_cells || base->anchor_stride != section->anchor_stride ||
      base->lane_stride != section->lane_stride || base->bia_stride != section->bia_stride)
    return 0;
  for (int g = 0; g < section->number_of_groups; g++)
    if (base->groups[g].stride != section->groups[g].stride) return 0;
  uint32_t codes = section->number_of_codes;
  for (uint32_t i = 1; i < codes; i++)
    if (place_for_white(section->codes[i - 1]) > place_for_white(section->codes[i])) return 0;
  /* A base never counts plies. */
  int in_plies = table->counts_plies && section->metric == METRIC_DTH_ASEAN;
  memset(section->guess_of, UINT8_MAX, sizeof section->guess_of);
  for (uint32_t i = 0; i < base->number_of_codes; i++) {
    uint32_t place = place_for_white(in_plies ? code_in_plies(base->codes[i]) : base->codes[i]), guess = 0;
    /* The guess is the first code that is not better for White or, if all are better, the last code. */
    while (guess + 1 < codes && place_for_white(section->codes[guess]) < place) guess++;
    section->guess_of[i] = (uint8_t)guess;
  }
  section->base = base;
  return 1;
}

/* The symmetry of a section's planes. With bia each plane has half of the king's squares, files a to d or e to h. Both
 * halves have the same layout. */
static const Symmetry *symmetry_of_planes(const Shared *shared, const Section *section) {
  return &shared->symmetries[section->bia ? BY_FILES : section->symmetry - 1];
}

static int read_section(Shared *shared, Table *table, Section *section, Reader *in, Counts counts[2]) {
  int metric = (int)take(in, 1), rules = (int)take(in, 1);
  if (metric > 1 || (metric == 0 && rules) || rules > 2) return 0;
  section->metric = metric ? METRIC_DTH_MAKRUK + rules : METRIC_DTM;
  section->side = (int)take(in, 1);
  section->symmetry = (int)take(in, 1);
  size_t components = (size_t)take(in, 1);
  const uint8_t *order = take_bytes(in, components);
  section->cells = take(in, 8);
  section->block_cells = (uint32_t)take(in, 4);
  section->packing = (int)take(in, 1);
  section->start = take(in, 8);
  section->model_bytes = (uint32_t)take(in, 4);
  section->model_crc = (uint32_t)take(in, 4);
  section->index = take(in, 8);
  section->number_of_codes = (uint32_t)take(in, 4);
  if (in->failed || section->side > 1 || section->packing >= PACKINGS || !section->block_cells ||
      section->block_cells > MOST_BLOCK_CELLS || !section->number_of_codes ||
      section->number_of_codes > MOST_CODES ||
      (uint64_t)(in->end - in->at) < (uint64_t)section->number_of_codes * 3)
    return 0;
  section->codes = (Code *)malloc(section->number_of_codes * sizeof *section->codes);
  if (!section->codes) return 0;
  section->draw = 254;
  for (uint32_t i = 0; i < section->number_of_codes; i++) {
    Code code = {(uint8_t)take(in, 1), 0};
    code.moves = (uint16_t)take(in, 2);
    if (code.kind > AS_THE_BASE || (code.moves && (code.kind == NOBODY || code.kind == AS_THE_BASE))) return 0;
    if (code.kind == NOBODY && section->draw == 254 && i < 254) section->draw = (uint8_t)i;
    section->codes[i] = code;
  }
  if (!take_counts(in, &table->material, &counts[WHITE]) || !take_counts(in, &table->material, &counts[BLACK])) return 0;
  if (!order || !number_section(shared, table, section, order, components)) return 0;
  if (section->packing != PLAIN) {
    uint32_t plane = 64u * (uint32_t)symmetry_of_planes(shared, section)->lanes;
    if (section->side != WHITE || section->number_of_codes > MOST_RANKED_CODES ||
        section->block_cells % plane || section->block_cells > MOST_RANKED_CELLS ||
        section->anchor_stride != 64 || section->lane_stride != 1 || section->cells % section->block_cells % plane)
      return 0;
  } else if (section->model_bytes) {
    return 0;
  }
  return section->packing != RANKED_OVER_BASE || find_base(table, section);
}

static uint64_t blocks_of(const Section *section) {
  return section->cells / section->block_cells + (section->cells % section->block_cells != 0);
}

static int width_of(const Section *section) { return section->number_of_codes > 256 ? 2 : 1; }

/* The number of bytes of a block's index entry. A plain block has its length and its checksum. With symbol ranking, it
 * is half the length; the checksum is inside the block. */
static uint64_t entry_bytes(const Section *section) { return section->packing == PLAIN ? MOST_ENTRY_BYTES : 2; }

/* True if ASEAN chess's distance to honor is stored in plies. */
static int asean_counts_plies(const Material *m) {
  int both = men_beside(m, WHITE) && men_beside(m, BLACK);
  if (has_bia(m)) return m->game == ASEAN;
  return late_captures_matter(m) || (both && men_beside(m, WHITE) + men_beside(m, BLACK) > 2);
}

/* Tables of five men or more with makruk's bia have no plies, but those with men on both sides have the same revision. */
static uint32_t rules_revision(const Material *m) {
  int both = men_beside(m, WHITE) && men_beside(m, BLACK);
  int is_large = men_beside(m, WHITE) + men_beside(m, BLACK) > 2;
  return (both && is_large) || asean_counts_plies(m) ? RULES_REVISION_OF_PLIES : RULES_REVISION;
}

static int has_rules(const TableFile *file, int rules) { return (int)(file->rule_sets >> rules & 1); }

/* Reads the rule sets from a header that lists them. Returns 0 if no table can have them. */
static int take_rule_sets(Reader *in, TableFile *file, int are_said, const Material *m) {
  file->rule_sets = are_said ? (unsigned)take(in, 1) : ALL_RULE_SETS;
  /* In ASEAN chess bia move in another way, and have tables with nothing else. */
  if (m->game == ASEAN) return file->rule_sets == 1u << SAKMAK_RULES_ASEAN;
  if (has_bia(m) && has_rules(file, SAKMAK_RULES_ASEAN)) return 0;
  /* Makruk is always among them, since the other rule sets are stored as differences from makruk. */
  return !(file->rule_sets & ~ALL_RULE_SETS) && has_rules(file, SAKMAK_RULES_MAKRUK);
}

/* True if a table with these men and rule sets has to tell distances of this metric. With one side to move: those of the
 * other side follow. */
static int needs_metric(const Material *m, const TableFile *file, int metric) {
  int bare = !men_beside(m, WHITE) || !men_beside(m, BLACK);
  if (metric == METRIC_DTM) return 1;
  if (!has_rules(file, metric - METRIC_DTH_MAKRUK)) return 0;
  return !bare || has_bia(m) || (metric == METRIC_DTH_ASEAN && late_captures_matter(m));
}

/* True for tables that readers of earlier versions do not know: those with bia for other rule sets than makruk. */
static int has_bia_of_other_rules(const TableFile *file, const Material *m) {
  return has_bia(m) && file->rule_sets != 1u << SAKMAK_RULES_MAKRUK;
}

/* The format version in which a table with these sections is written. */
static uint32_t version_of(const Table *table) {
  const Material *m = &table->material;
  int over_base = 0;
  for (int i = 0; i < table->number_of_sections; i++) over_base |= table->sections[i].packing == RANKED_OVER_BASE;
  if (has_bia_of_other_rules(&table->file, m)) return FORMAT_VERSION;
  if (table->file.rule_sets != ALL_RULE_SETS) return VERSION_WITH_RULE_SETS;
  return !over_base ? OLDEST_FORMAT_VERSION : men_beside(m, WHITE) && men_beside(m, BLACK) ? 4 : 5;
}

static int refers_to_base(const Section *section) {
  uint32_t i = 0;
  while (i < section->number_of_codes && section->codes[i].kind != AS_THE_BASE) i++;
  return i < section->number_of_codes;
}

/* The number of a code's moves in the statistics, which count moves of the winner. */
static uint32_t moves_in_counts(const Section *section, Code code, int in_plies) {
  return in_plies ? (code.moves + (uint32_t)((code.kind == WHITE_WINS) == (section->side == WHITE))) / 2 : code.moves;
}

/* True if the codes of a section, or of one to which it may refer, contain a win of this many moves. */
static int has_code(const Section *section, int in_plies, int kind, uint32_t moves) {
  for (uint32_t i = 0; i < section->number_of_codes; i++)
    if (section->codes[i].kind == kind && moves_in_counts(section, section->codes[i], in_plies) == moves) return 1;
  return 0;
}

/* True if a section has a code for each position that it counts. It may have codes of no position. */
static int counts_fit(const Table *table, const Section *section, const Counts *counts) {
  int in_plies = table->counts_plies && section->metric == METRIC_DTH_ASEAN;
  int number = refers_to_base(section) ? table->base_of[section->metric][section->side] : -1, draws = !counts->draws;
  for (uint32_t i = 0; i < section->number_of_codes; i++) {
    int kind = section->codes[i].kind;
    draws |= kind == NOBODY || kind == AS_THE_BASE;
  }
  for (int winner = 0; winner < 2; winner++)
    for (uint32_t moves = 0; moves < counts->lengths[winner]; moves++) {
      int kind = winner == WHITE ? WHITE_WINS : BLACK_WINS;
      if (wins_within(counts, winner, moves) && !has_code(section, in_plies, kind, moves) &&
          !(number >= 0 && has_code(&table->sections[number], 0, kind, moves)))
        return 0;
    }
  return draws;
}

static int read_header(Shared *shared, Table *table, uint32_t version, const uint8_t *bytes, size_t n, uint64_t place,
                       ZSTD_DCtx *zstd) {
  Reader in = {bytes, bytes + n, 0};
  TableFile *file = &table->file;
  uint32_t revision = (uint32_t)take(&in, 4);
  size_t name_bytes = (size_t)take(&in, 1);
  const uint8_t *name = take_bytes(&in, name_bytes);
  int known_rules = take_rule_sets(&in, file, version >= VERSION_WITH_RULE_SETS, &table->material);
  int sections = (int)take(&in, 1);
  Counts counts[MOST_SECTIONS][2];
  Material material;
  if (in.failed || !known_rules || sections > MOST_SECTIONS || !name || !read_name((const char *)name, name_bytes, &material))
    REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
  int late = late_captures_matter(&material);
  table->counts_plies = asean_counts_plies(&material);
  if (revision != rules_revision(&material))
    REFUSE(SAKMAK_STATUS_OTHER_VERSION, "it is of another revision of the rules");
  if (memcmp(&material, &table->material, sizeof material))
    REFUSE(SAKMAK_STATUS_WRONG_TABLE, "it holds the table of another ending");
  table->sections = (Section *)calloc(sections ? (size_t)sections : 1, sizeof *table->sections);
  if (!table->sections) REFUSE(SAKMAK_STATUS_NO_MEMORY, "there is not enough memory for it");
  uint64_t end = PREAMBLE_BYTES;
  for (int i = 0; i < sections; i++) {
    Section *section = &table->sections[table->number_of_sections++];
    section->number = (uint8_t)i;
    if (!read_section(shared, table, section, &in, counts[i]) ||
        (section->metric != METRIC_DTM && !has_rules(file, section->metric - METRIC_DTH_MAKRUK)))
      REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
    /* The sections fill the file without gaps, so every byte is under a checksum. */
    uint64_t blocks = blocks_of(section), groups = blocks / GROUP + (blocks % GROUP != 0);
    uint64_t data = section->start + section->model_bytes;
    if (section->start != end || data > section->index || section->index > place ||
        blocks > (place - section->index) / entry_bytes(section))
      REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "a section is not where it should be");
    end = section->index + blocks * entry_bytes(section) + groups * PLACE_BYTES;
    uint64_t bytes_of_block = (uint64_t)section->block_cells * (uint64_t)width_of(section);
    section->pages_of_block = (bytes_of_block + PAGE_BYTES - 1) / PAGE_BYTES;
  }
  if (in.failed || in.at != in.end || end != place)
    REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "a section is not where it should be");
  if (version != version_of(table))
    REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its format version is not that of its sections");
  memset(table->section_of, -1, sizeof table->section_of);
  memset(table->base_of, -1, sizeof table->base_of);
  for (int metric = 0; metric < METRICS; metric++)
    for (int side = 0; side < 2; side++) {
      int base = -1, found = -1;
      for (int i = table->number_of_sections; i-- > 0;) {
        const Section *section = &table->sections[i];
        if (section->side != side) continue;
        if (section->metric == metric) found = i;
        if (metric > METRIC_DTH_MAKRUK && section->metric == METRIC_DTH_MAKRUK) base = i;
        if (late && metric == METRIC_DTH_ASEAN && section->metric == METRIC_DTM) base = i;
      }
      table->section_of[metric][side] = (int16_t)(found >= 0 ? found : base);
      table->base_of[metric][side] = (int16_t)(found >= 0 ? base : -1);
    }
  for (int metric = 0; metric < METRICS; metric++)
    if (needs_metric(&material, file, metric) && table->section_of[metric][WHITE] < 0 && table->section_of[metric][BLACK] < 0)
      REFUSE(SAKMAK_STATUS_OTHER_DAMAGE, metric ? "it has no distances to honor" : "it has no distances to mate");
  for (int i = 0; i < table->number_of_sections; i++) {
    const Section *section = &table->sections[i];
    if (table->section_of[section->metric][section->side] != i)
      REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "two of its sections are of one kind");
    if (refers_to_base(section) && table->base_of[section->metric][section->side] < 0)
      REFUSE(SAKMAK_STATUS_OTHER_DAMAGE, "a section refers to another that the table lacks");
    for (int turn = 0; turn < 2; turn++)
      if (counts[i][turn].total != counts[0][turn].total || counts[i][turn].total / 8 > section->cells)
        REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its statistics count other positions than there are");
    const Counts *of_section = &counts[i][section->side];
    if (of_section->total && !counts_fit(table, section, of_section))
      REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its statistics are not those of its codes");
  }
  for (int i = 0; i < table->number_of_sections; i++)
    if (!read_model_of(shared, table, &table->sections[i], zstd))
      REFUSE(SAKMAK_STATUS_NO_MEMORY, "there is not enough memory for it");
  return 1;
}

/* Makes room for one more open file: closes the one that was read longest ago, or waits until one is not being read. */
static void make_room_for_file(Shared *shared) {
  while (shared->most_open && shared->number_open >= shared->most_open) {
    FileState *oldest = NULL;
    for (FileState *file = shared->files; file; file = file->next)
      if (file->handle != NO_FILE && !file->readers && (!oldest || file->read_last < oldest->read_last)) oldest = file;
    if (oldest) {
      close_file(oldest->handle);
      oldest->handle = NO_FILE;
      shared->number_open--;
    } else {
      wait_for(&shared->file_lock);
    }
  }
}

/* Opens a file again that was closed. It must be the same as before. */
static int open_again(Shared *shared, const TableFile *file, SystemError *error) {
  uint8_t preamble[PREAMBLE_BYTES];
  uint64_t length;
  File handle = open_file(file->path, &length, error);
  if (handle == NO_FILE) return 0;
  if (!read_at(handle, 0, preamble, sizeof preamble, error) || memcmp(preamble, file->open->preamble, sizeof preamble)) {
    close_file(handle);
    return 0;
  }
  file->open->handle = handle;
  shared->number_open++;
  return 1;
}

/* Reads bytes of a table. Of a closed file, which another thread may close again, this thread is a reader meanwhile. */
static int read_file(Shared *shared, const TableFile *file, uint64_t place, void *bytes, size_t length, SystemError *error) {
  FileState *open = file->open;
  if (!shared->most_open) return read_at(open->handle, place, bytes, length, error);
  take_lock(&shared->file_lock);
  if (open->handle == NO_FILE) make_room_for_file(shared);
  int is_open = open->handle != NO_FILE || open_again(shared, file, error);
  open->readers += (unsigned)is_open;
  open->read_last = ++shared->reads;
  leave_lock(&shared->file_lock);
  if (!is_open) return 0;
  int done = read_at(open->handle, place, bytes, length, error);
  take_lock(&shared->file_lock);
  if (!--open->readers) wake(&shared->file_lock);
  leave_lock(&shared->file_lock);
  return done;
}

/* Opens a file with this magic number and one of these format versions, and reads its header, which the caller must
 * free. A fault is stored, so that later probes report it. */
static int open_header(Shared *shared, TableFile *file, const uint8_t magic[8], uint32_t oldest,
                       uint32_t newest, uint32_t *version, uint8_t **header, size_t *header_bytes,
                       uint64_t *place) {
  uint64_t length = 0;
  FileState *open = file->open;
  uint8_t *preamble = open->preamble;
  make_room_for_file(shared);
  open->handle = open_file(file->path, &length, &file->error);
  if (open->handle == NO_FILE) REFUSE(SAKMAK_STATUS_UNREADABLE_TABLE, "it cannot be opened");
  shared->number_open++;
  open->read_last = ++shared->reads;
  size_t there = length < PREAMBLE_BYTES ? (size_t)length : PREAMBLE_BYTES;
  if (!read_at(open->handle, 0, preamble, there, &file->error)) REFUSE(SAKMAK_STATUS_UNREADABLE_TABLE, "it cannot be read");
  if (memcmp(preamble, magic, there < 8 ? there : 8)) REFUSE(SAKMAK_STATUS_NOT_A_TABLE, "it is not a table");
  if (there < PREAMBLE_BYTES) REFUSE(SAKMAK_STATUS_WRONG_LENGTH, "it is cut short");
  Reader in = {preamble + 8, preamble + PREAMBLE_BYTES, 0};
  uint32_t its_version = (uint32_t)take(&in, 4), version_crc = (uint32_t)take(&in, 4);
  const Constants *k = &shared->constants;
  if (crc_of(k, 0, preamble, 12) != version_crc) REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
  if (its_version < oldest || its_version > newest)
    REFUSE(SAKMAK_STATUS_OTHER_VERSION, "it has another format version");
  *version = its_version;
  uint64_t file_bytes = take(&in, 8), bytes;
  *place = take(&in, 8), bytes = take(&in, 4);
  uint32_t header_crc = (uint32_t)take(&in, 4);
  take_bytes(&in, 20);
  if (crc_of(k, 0, preamble, PREAMBLE_BYTES - 4) != take(&in, 4) || bytes > MOST_HEADER_BYTES)
    REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
  if (length != file_bytes)
    REFUSE(SAKMAK_STATUS_WRONG_LENGTH, length < file_bytes ? "it is cut short" : "it is too long");
  if (*place > length || length - *place != bytes)
    REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is not where it should be");
  *header_bytes = (size_t)bytes;
  *header = (uint8_t *)malloc(bytes ? (size_t)bytes : 1);
  if (!*header) REFUSE(SAKMAK_STATUS_NO_MEMORY, "there is not enough memory for it");
  if (!read_at(open->handle, *place, *header, (size_t)bytes, &file->error))
    REFUSE(SAKMAK_STATUS_UNREADABLE_TABLE, "it cannot be read");
  if (crc_of(k, 0, *header, (size_t)bytes) != header_crc)
    REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
  return 1;
}

/* Closes a file that is not needed again. */
static void close_for_good(Shared *shared, FileState *open) {
  if (open->handle == NO_FILE) return;
  close_file(open->handle);
  open->handle = NO_FILE;
  shared->number_open--;
}

/* Frees the sections of a table. */
static void clear_table(Table *table) {
  for (int i = 0; i < table->number_of_sections; i++) {
    free(table->sections[i].codes);
    free(table->sections[i].model);
  }
  free(table->sections);
  table->sections = NULL;
  table->number_of_sections = 0;
}

static void raise_to(uint32_t *most, uint32_t number) {
  if (number > *most) *most = number;
}

/* Reserves keys for the pages of a table's blocks, and notes how much memory they need to be decoded. */
static void expect_blocks(Shared *shared, Table *table) {
  for (int i = 0; i < table->number_of_sections; i++) {
    Section *section = &table->sections[i];
    uint32_t of_a_cell = section->packing != PLAIN ? MOST_BYTES_OF_A_CELL : (uint32_t)width_of(section);
    section->first_page = shared->pages;
    shared->pages += section->pages_of_block * blocks_of(section);
    raise_to(&shared->most_block_cells, section->block_cells);
    raise_to(&shared->most_block_bytes, section->block_cells * of_a_cell + 1024);
    if (section->base) raise_to(&shared->most_guesses, section->block_cells);
  }
}

/* Opens a table. One that is refused keeps neither memory nor a file. */
static void open_table(Shared *shared, Table *table, ZSTD_DCtx *zstd) {
  uint8_t *header = NULL;
  size_t bytes;
  uint64_t place;
  uint32_t version;
  if (open_header(shared, &table->file, MAGIC, OLDEST_FORMAT_VERSION, FORMAT_VERSION, &version, &header, &bytes,
                  &place) &&
      read_header(shared, table, version, header, bytes, place, zstd)) {
    expect_blocks(shared, table);
  } else {
    clear_table(table);
    close_for_good(shared, table->file.open);
  }
  free(header);
}

/* Numbers the planes of a side's wins. Returns 0 if the order of groups and bia does not fit the material. */
static int number_planes(Shared *shared, const Material *m, VerdictSide *side, const uint8_t *order, size_t length) {
  Group groups[MOST_GROUPS];
  size_t number = 0, bia = (size_t)has_bia(m);
  unsigned seen = 0;
  for (int color = 0; color < 2; color++)
    for (int role = ROOK; role < GROUPED; role++)
      if (m->men[color][role])
        groups[number++] = (Group){color, role, m->men[color][role], 0,
                                   (uint32_t)shared->constants.choose[64][m->men[color][role]]};
  if (length != number + bia) return 0;
  if (bia && !(side->bia = bia_of(shared, m))) return 0;
  side->planes = 1;
  for (size_t i = length; i-- > 0;) {
    size_t component = bia && order[i] == BIA_BYTE ? number : order[i];
    if (component >= length || seen >> component & 1) return 0;
    seen |= 1u << component;
    uint64_t placements;
    if (component == number) {
      side->bia_stride = side->planes;
      placements = side->bia->number;
    } else {
      Group *group = &side->groups[side->number_of_groups++];
      *group = groups[component];
      group->stride = side->planes;
      placements = group->placements;
    }
    if (side->planes > UINT64_MAX / placements) return 0;
    side->planes *= placements;
  }
  return 1;
}

/* Reads the model of a set. Returns NULL if it is damaged or memory is short. */
static VerdictModel *read_verdict_model(const Shared *shared, const VerdictTable *table, uint64_t start,
                                        size_t bytes, uint32_t crc, ZSTD_DCtx *zstd) {
  VerdictModel *model = (VerdictModel *)malloc(sizeof *model);
  uint8_t *packed = (uint8_t *)malloc(bytes + 1), *plain = (uint8_t *)malloc(VERDICT_MODEL_BYTES);
  SystemError error;
  int good = model && packed && plain && read_at(table->file.open->handle, start, packed, bytes, &error) &&
             crc_of(&shared->constants, 0, packed, bytes) == crc && is_of_a_table(packed, bytes) &&
             ZSTD_decompressDCtx(zstd, plain, VERDICT_MODEL_BYTES, packed, bytes) == VERDICT_MODEL_BYTES;
  if (good) {
    Reader in = {plain, plain + VERDICT_MODEL_BYTES, 0};
    int flags = (int)take(&in, 1);
    model->king_steps = flags & ~4, model->outsiders = flags >> 2 & 1;
    good = model->king_steps <= STEPS_DECIDE;
    for (int part = 0; part < 4; part++) {
      uint16_t *list = part < 2 ? model->questions[part] : model->contexts[part - 2];
      for (int i = 0; i < (part < 2 ? QUESTIONS : VERDICT_CONTEXTS); i++) {
        list[i] = (uint16_t)take(&in, 2);
        good &= list[i] > 0 && list[i] < ONE;
      }
    }
  }
  free(packed);
  free(plain);
  if (good) return model;
  free(model);
  return NULL;
}

/* The set that has a set's words, or -1 if it is empty. */
static int set_with_words(const VerdictSide *side, int set) {
  while (side->sets[set].stored == SET_IS_SAME) set = side->sets[set].other;
  return side->sets[set].stored == SET_IS_EMPTY ? -1 : set;
}

/* True if the sets of a side are empty, and equal, where the numbers of its wins are 0, and equal. The numbers are by rule
 * set, side to move and category, from a win to a loss. */
static int sets_fit(const TableFile *file, const VerdictSide *side, uint64_t (*numbers)[2][5]) {
  struct {
    int set;
    uint64_t wins[2];
  } seen[2 * 3];
  int n = 0;
  for (int rules = 0; rules < 3; rules++) {
    if (!has_rules(file, rules)) continue;
    seen[n].set = set_with_words(side, 0);
    seen[n + 1].set = set_with_words(side, 1 + rules);
    for (int turn = 0; turn < 2; turn++) {
      const uint64_t *of = numbers[rules][turn];
      int own = turn == side->winner;
      seen[n + 1].wins[turn] = of[own ? 0 : 4];
      seen[n].wins[turn] = of[own ? 0 : 4] + of[own ? 1 : 3];
    }
    n += 2;
  }
  for (int i = 0; i < n; i++) {
    if ((seen[i].set < 0) != (!seen[i].wins[0] && !seen[i].wins[1])) return 0;
    for (int j = 0; j < i; j++)
      if (seen[i].set == seen[j].set && memcmp(seen[i].wins, seen[j].wins, sizeof seen[i].wins)) return 0;
  }
  return 1;
}

static int read_verdict_header(Shared *shared, VerdictTable *table, uint32_t version, const uint8_t *bytes,
                               size_t n, uint64_t place, ZSTD_DCtx *zstd) {
  Reader in = {bytes, bytes + n, 0};
  TableFile *file = &table->file;
  uint32_t revision = (uint32_t)take(&in, 4);
  size_t name_bytes = (size_t)take(&in, 1);
  const uint8_t *name = take_bytes(&in, name_bytes);
  int known_rules = take_rule_sets(&in, file, version >= VERDICT_VERSION_WITH_RULE_SETS, &table->material);
  Material material;
  if (in.failed || !known_rules || !name || !read_name((const char *)name, name_bytes, &material))
    REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
  if (revision != rules_revision(&material))
    REFUSE(SAKMAK_STATUS_OTHER_VERSION, "it is of another revision of the rules");
  if (memcmp(&material, &table->material, sizeof material))
    REFUSE(SAKMAK_STATUS_WRONG_TABLE, "it holds the table of another ending");
  uint64_t numbers[3][2][5];
  for (int i = 0; i < 3 * 2 * 5; i++) numbers[i / 10][i / 5 % 2][i % 5] = take(&in, 8);
  int khons = material.men[WHITE][KHON] + material.men[BLACK][KHON];
  table->symmetry = has_bia(&material) ? BY_BIA : khons ? BY_FILES : BY_ALL;
  uint64_t lanes = (uint64_t)shared->symmetries[table->symmetry].lanes, end = PREAMBLE_BYTES;
  int sides = (int)take(&in, 1), even = army_key(&material, WHITE) == army_key(&material, BLACK);
  /* A side with men may win. With the same men on both sides, Black's wins follow from White's. */
  unsigned able = (unsigned)(men_beside(&material, WHITE) > 0) | (unsigned)(men_beside(&material, BLACK) > 0 && !even) << 1;
  unsigned winners = 0;
  if (sides > 2) REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
  for (; table->number_of_sides < sides; table->number_of_sides++) {
    VerdictSide *side = &table->sides[table->number_of_sides];
    side->winner = (int)take(&in, 1);
    size_t groups = (size_t)take(&in, 1);
    const uint8_t *order = take_bytes(&in, groups);
    side->block_planes = (uint32_t)take(&in, 1);
    if (in.failed || side->winner > 1 || !side->block_planes ||
        side->block_planes * lanes > MOST_VERDICT_LANES ||
        !number_planes(shared, &material, side, order, groups))
      REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
    side->blocks = side->planes / side->block_planes + (side->planes % side->block_planes != 0);
    side->pages_of_block = (side->block_planes * lanes * 2 * sizeof(uint64_t) + PAGE_BYTES - 1) / PAGE_BYTES;
    for (int i = 0; i < VERDICT_SETS; i++) {
      VerdictSet *set = &side->sets[i];
      set->stored = (int)take(&in, 1);
      set->other = (int)take(&in, 1) - 1;
      int needs_other = set->stored == SET_IS_SAME, may_have_one = set->stored != SET_IS_EMPTY;
      /* The sets of the rule sets come after the set on the board. */
      if (i && set->stored != SET_IS_EMPTY && !has_rules(file, i - 1))
        REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
      if (in.failed || set->stored > SET_IS_CODED || set->other >= i || (set->other < 0 ? needs_other : !may_have_one))
        REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
      if (set->stored != SET_IS_CODED) continue;
      set->like = (int)take(&in, 1) - 1;
      set->guide = (int)take(&in, 1);
      set->length_bytes = (int)take(&in, 1);
      uint64_t start = take(&in, 8);
      uint32_t model_bytes = (uint32_t)take(&in, 4), model_crc = (uint32_t)take(&in, 4);
      if (in.failed || set->like >= i || set->guide >= VERDICT_SETS || set->length_bytes < 1 || set->length_bytes > 2)
        REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
      if (start != end || end > place || model_bytes > place - end)
        REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "a set is not where it should be");
      end += model_bytes;
      set->model = read_verdict_model(shared, table, start, model_bytes, model_crc, zstd);
    }
    side->start = end;
    side->index = take(&in, 8);
    side->entry_bytes = VERDICT_CHECK_BYTES;
    for (int i = 0; i < VERDICT_SETS; i++) {
      VerdictSet *set = &side->sets[i];
      if (set->stored != SET_IS_CODED) continue;
      while (side->sets[set->guide].stored == SET_IS_SAME) set->guide = side->sets[set->guide].other;
      if (side->sets[set->guide].stored == SET_IS_EMPTY) REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its header is damaged");
      side->entry_bytes += (size_t)set->length_bytes;
    }
    if (side->entry_bytes > VERDICT_CHECK_BYTES) {
      uint64_t groups_of_index = side->blocks / VERDICT_GROUP + (side->blocks % VERDICT_GROUP != 0);
      if (in.failed || side->index < end || side->index > place || side->blocks > (place - side->index) / side->entry_bytes)
        REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "a set is not where it should be");
      end = side->index + groups_of_index * PLACE_BYTES + side->blocks * side->entry_bytes;
    }
    winners |= 1u << side->winner;
  }
  if (in.failed || in.at != in.end || end != place)
    REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "a set is not where it should be");
  if (winners != able || count_of(able) != sides)
    REFUSE(SAKMAK_STATUS_OTHER_DAMAGE, "it has not the wins of each side that has men");
  for (int i = 0; i < sides; i++)
    if (!sets_fit(file, &table->sides[i], numbers))
      REFUSE(SAKMAK_STATUS_DAMAGED_HEADER, "its sets are not those of its numbers of positions");
  return 1;
}

static void clear_verdicts(VerdictTable *table) {
  for (int i = 0; i < 2; i++)
    for (int set = 0; set < VERDICT_SETS; set++) {
      free(table->sides[i].sets[set].model);
      table->sides[i].sets[set].model = NULL;
    }
  table->number_of_sides = 0;
}

/* Reserves keys for every block of each rule set and side to move, and notes how much memory a block needs. */
static void expect_verdicts(Shared *shared, VerdictTable *table) {
  for (int i = 0; i < table->number_of_sides; i++) {
    VerdictSide *side = &table->sides[i];
    side->first_page = shared->pages;
    shared->pages += 3 * 2 * side->blocks * side->pages_of_block;
    raise_to(&shared->most_verdict_lanes, side->block_planes * (uint32_t)shared->symmetries[table->symmetry].lanes);
  }
}

static void open_verdicts(Shared *shared, VerdictTable *table, ZSTD_DCtx *zstd) {
  uint8_t *header = NULL;
  size_t bytes;
  uint64_t place;
  uint32_t version;
  if (open_header(shared, &table->file, VERDICT_MAGIC, OLDEST_VERDICT_VERSION, VERDICT_VERSION, &version, &header,
                  &bytes, &place) &&
      read_verdict_header(shared, table, version, header, bytes, place, zstd)) {
    expect_verdicts(shared, table);
  } else {
    clear_verdicts(table);
    close_for_good(shared, table->file.open);
  }
  free(header);
}

/* ---------------------------------------------------------------------------------------------
 * A handle, its cache of decoded blocks, and a query: one call of one thread.
 */

#define MARK UINT64_C(0x6b616d6b6173d18a)
#define DEFAULT_CACHE_BYTES ((size_t)64 << 20)

struct SakmakTablebase {
  uint64_t mark;
  Shared *shared;
};

typedef struct {
  Shared *shared;
  Workspace *work; /* NULL until a block has to be decoded. */
  uint64_t hits, misses;
  int rules;       /* That every table must have which is asked; makruk, which all have, for distances to mate. */
  int only_cached; /* Nothing is to be read: what is not decoded is not known. */
  int lacks_files; /* A file could not be opened, because too many are. */
} Query;

static INLINE Set *set_of(const Cache *cache, uint64_t key) {
  return &cache->sets[(size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (cache->number_of_sets - 1)];
}

static INLINE Atomic *page_at(const Cache *cache, uint64_t slot) { return cache->words + (size_t)slot * PAGE_WORDS; }

/* The place of a set that has the page with this key, and its content; WAYS if there is none. */
static INLINE int way_of(Set *set, uint64_t key, uint64_t *place) {
  for (int way = 0; way < WAYS; way++)
    if ((*place = load(&set->places[way])) >> SLOT_BITS == key) return way;
  return WAYS;
}

/* Reads words of the page with this key. Returns 0 if the page is not cached, or is being replaced. */
static INLINE int cached(const Cache *cache, uint64_t key, size_t first, uint64_t *words, size_t number) {
  Set *set = set_of(cache, key);
  uint64_t before = load(&set->control), place;
  int way = way_of(set, key, &place);
  if (way == WAYS) return 0;
  Atomic *page = page_at(cache, place % MOST_SLOTS);
  for (size_t i = 0; i < number; i++) words[i] = load(&page[first + i]);
  if (((before ^ load(&set->control)) | (before & CHANGE)) >= CHANGE) return 0;
  if (!(before >> way & 1)) mark(&set->control, (uint64_t)1 << way);
  return 1;
}

/* The place of a set for a new page, whose control word is about to be raised: a free one, or one that was not used since
 * the hand last passed it. The hand advances by one place with each page. */
static int place_to_replace(Set *set, uint64_t control) {
  uint64_t place;
  int free_way = way_of(set, 0, &place);
  if (free_way < WAYS) return free_way;
  int way = (int)(control / CHANGE / 2 % WAYS), left = WAYS;
  uint64_t spared = 0;
  for (; left && control >> way & 1; left--, way = (way + 1) % WAYS) spared |= (uint64_t)1 << way;
  unmark(&set->control, spared);
  return way;
}

static void keep(Cache *cache, uint64_t key, const uint64_t *words, size_t number) {
  Set *set = set_of(cache, key);
  uint64_t control = load(&set->control), before;
  if (key >= END_OF_KEYS) return;
  do
    if (control & CHANGE) return;
  while (!exchange(&set->control, &control, control + CHANGE));
  if (way_of(set, key, &before) == WAYS) {
    int way = place_to_replace(set, control);
    before = load(&set->places[way]);
    uint64_t slot = before ? before % MOST_SLOTS : add(&cache->slots, 1);
    Atomic *page = page_at(cache, slot);
    store(&set->places[way], key << SLOT_BITS | slot);
    for (size_t i = 0; i < number; i++) store(&page[i], words[i]);
  }
  add(&set->control, CHANGE);
}

/* One expression, which compilers turn into one load. */
static INLINE uint64_t word_at(const uint8_t *b) {
  return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
         (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

/* Caches up to a page of bytes. */
static void keep_bytes(Cache *cache, uint64_t key, const uint8_t *bytes, size_t length) {
  uint64_t words[PAGE_WORDS];
  size_t whole = length / 8;
  uint8_t rest[8] = {0};
  for (size_t i = 0; i < whole; i++) words[i] = word_at(bytes + 8 * i);
  memcpy(rest, bytes + 8 * whole, length % 8);
  if (length % 8) words[whole++] = word_at(rest);
  keep(cache, key, words, whole);
}

/* The tally of this thread. */
static INLINE Tally *own_tally(Cache *cache) {
  static Atomic threads;
  static OF_A_THREAD unsigned own;
  if (!own) own = (unsigned)(add(&threads, 1) % TALLIES) + 1;
  return &cache->tallies[own - 1];
}

/* Returns at least `wanted` bytes of memory in place of `old`. If memory is short, `old` stays allocated. */
static void *grow(void *old, size_t *bytes, size_t wanted, int *failed) {
  void *more;
  if (wanted <= *bytes) return old;
  more = realloc(old, wanted);
  if (more) *bytes = wanted;
  else *failed = 1;
  return more ? more : old;
}

/* Allocates enough memory to decode the largest block of the open tables. */
static int make_room(const Shared *shared, Workspace *work) {
  size_t packed = FRAME_MAGIC_BYTES + (size_t)shared->most_block_bytes, lanes = shared->most_verdict_lanes;
  size_t cells = (size_t)shared->most_block_cells * 2 + 64;
  int failed = 0;
  if (lanes && packed < MOST_VERDICT_BYTES) packed = MOST_VERDICT_BYTES;
  if (!work->zstd) work->zstd = ZSTD_createDCtx();
  work->packed = (uint8_t *)grow(work->packed, &work->packed_bytes, packed, &failed);
  work->wide = (uint8_t *)grow(work->wide, &work->wide_bytes, cells, &failed);
  work->cells = (uint8_t *)grow(work->cells, &work->cell_bytes, cells, &failed);
  work->guesses = (uint8_t *)grow(work->guesses, &work->guess_bytes, shared->most_guesses, &failed);
  work->facts = (LaneFacts *)grow(work->facts, &work->fact_bytes, lanes * sizeof *work->facts, &failed);
  work->words = (uint64_t *)grow(work->words, &work->word_bytes, lanes * VERDICT_SETS * 2 * sizeof *work->words, &failed);
  return !failed && work->zstd;
}

static void give_back(Shared *shared, Workspace *work) {
  take_lock(&shared->lock);
  work->next = shared->idle;
  shared->idle = work;
  leave_lock(&shared->lock);
}

/* Memory for decoding, until it is given back. It is allocated only if as many threads decode at once as never before.
 * NULL if memory is short. */
static Workspace *borrow(Shared *shared) {
  take_lock(&shared->lock);
  Workspace *work = shared->idle;
  if (work) shared->idle = work->next;
  leave_lock(&shared->lock);
  if (!work) work = (Workspace *)calloc(1, sizeof *work);
  if (!work || make_room(shared, work)) return work;
  give_back(shared, work);
  return NULL;
}

static int can_decode(Query *t) {
  if (!t->work) t->work = borrow(t->shared);
  return t->work != NULL;
}

/* Ends a query with this status. */
static SakmakStatus finish(Query *t, SakmakStatus status) {
  Tally *tally = own_tally(&t->shared->cache);
  if (t->hits) add(&tally->hits, t->hits);
  if (t->misses) add(&tally->misses, t->misses);
  if (t->work) give_back(t->shared, t->work);
  return status;
}

/* ---------------------------------------------------------------------------------------------
 * Decoding a block.
 */

#define UNKNOWN 255
#define EVEN_SQUARES UINT64_C(0xaa55aa55aa55aa55)
#define EVERY_SECOND_RANK UINT64_C(0x00ff00ff00ff00ff)
#define EVERY_FOURTH_RANK UINT64_C(0x000000ff000000ff)
enum { KIND_FAR, KIND_NET, KIND_DIAGONAL, KIND_BESIDE, KIND_IN_LANE };

/* With BY_DIFFERENCES: the byte for the difference 0, and the byte for a drawn neighbour. */
#define SAME_AS_GUESS 128
#define DRAWN 254

static INLINE uint8_t lesser(uint8_t a, uint8_t b) { return a < b ? a : b; }

static INLINE uint8_t least_of(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return lesser(lesser(a, b), lesser(c, d));
}

/* The level of a value: its distance above the reference, at most `most`; the next level is for a draw, the last for
 * unknown. */
static INLINE uint8_t level_of(uint8_t value, uint8_t reference, uint8_t draw, uint8_t most) {
  uint8_t level = lesser((uint8_t)(value - reference), most);
  level = value == draw ? (uint8_t)(most + 1) : level;
  return value == UNKNOWN ? (uint8_t)(most + 2) : level;
}

/* The distance of a value from a reference, limited to `below` below it and `above` above it, and numbered from 0. */
static INLINE uint8_t distance_between(uint8_t value, uint8_t reference, uint8_t below, uint8_t above) {
  uint8_t greater = value > reference ? value : reference;
  uint8_t up = lesser((uint8_t)(greater - reference), above), down = lesser((uint8_t)(greater - value), below);
  return (uint8_t)(below + up - down);
}

/* The contexts of a lane's cells, from the levels of the leading part and of the four neighbours. */
static INLINE void number_contexts(int kind, int prediction, const uint8_t *RESTRICT leads,
                                   uint8_t (*RESTRICT levels)[64], uint16_t *RESTRICT contexts) {
  const int n = LEVELS_OF[prediction][0], first = kind * LEVELS_OF[prediction][1];
  /* Computes in bytes as long as they suffice, since more bytes fit into a vector. */
  uint8_t upper[64], lower[64], head[64];
  for (int i = 0; i < 64; i++) {
    head[i] = (uint8_t)(first + leads[i]);
    upper[i] = (uint8_t)(levels[0][i] * n + levels[1][i]);
    lower[i] = (uint8_t)(levels[2][i] * n + levels[3][i]);
  }
  for (int i = 0; i < 64; i++) contexts[i] = (uint16_t)((head[i] * (n * n) + upper[i]) * (n * n) + lower[i]);
}

/* Computes the context and the reference of each cell of a lane, from four neighbours and the previous plane. */
FOR_EACH_PROCESSOR
static void contexts_by_plane_before(int kind, const uint8_t *RESTRICT a, const uint8_t *RESTRICT b,
                                     const uint8_t *RESTRICT c, const uint8_t *RESTRICT d,
                                     const uint8_t *RESTRICT before, uint8_t draw, uint16_t *RESTRICT contexts,
                                     uint8_t *RESTRICT references) {
  const uint8_t *neighbours[4] = {a, b, c, d};
  uint8_t levels[4][64], leads[64];
  for (int i = 0; i < 64; i++) references[i] = lesser(least_of(a[i], b[i], c[i], d[i]), before[i]);
  for (int n = 0; n < 4; n++)
    for (int i = 0; i < 64; i++)
      levels[n][i] = level_of(neighbours[n][i], references[i], draw, LEVELS_BESIDE_BEFORE - 3);
  for (int i = 0; i < 64; i++) {
    uint8_t above = lesser((uint8_t)(before[i] - references[i]), 3);
    leads[i] = before[i] == UNKNOWN ? 4 : above;
  }
  number_contexts(kind, BY_PLANE_BEFORE, leads, levels, contexts);
}

/* Computes contexts and references from four neighbours and the guesses. */
FOR_EACH_PROCESSOR
static void contexts_by_values(int kind, const uint8_t *RESTRICT a, const uint8_t *RESTRICT b,
                               const uint8_t *RESTRICT c, const uint8_t *RESTRICT d,
                               const uint8_t *RESTRICT guesses, uint8_t draw, uint16_t *RESTRICT contexts,
                               uint8_t *RESTRICT references) {
  const uint8_t *neighbours[4] = {a, b, c, d};
  uint8_t levels[4][64], leads[64];
  for (int i = 0; i < 64; i++) {
    uint8_t least = least_of(a[i], b[i], c[i], d[i]), guess = guesses[i];
    references[i] = least == UNKNOWN ? guess : least;
  }
  for (int n = 0; n < 4; n++)
    for (int i = 0; i < 64; i++)
      levels[n][i] = level_of(neighbours[n][i], references[i], draw, LEVELS_BESIDE_VALUES - 3);
  for (int i = 0; i < 64; i++) {
    uint8_t distance = distance_between(guesses[i], references[i], 2, 5);
    leads[i] = guesses[i] == draw ? 8 : distance;
  }
  number_contexts(kind, BY_VALUES, leads, levels, contexts);
}

/* Computes contexts and references from the differences between four neighbours and their guesses, `of_a` to `of_d`. */
FOR_EACH_PROCESSOR
static void contexts_by_differences(int kind, const uint8_t *RESTRICT a, const uint8_t *RESTRICT b,
                                    const uint8_t *RESTRICT c, const uint8_t *RESTRICT d,
                                    const uint8_t *of_a, const uint8_t *of_b, const uint8_t *of_c,
                                    const uint8_t *of_d, const uint8_t *guesses, uint8_t draw,
                                    uint16_t *RESTRICT contexts, uint8_t *RESTRICT references) {
  const uint8_t *neighbours[4] = {a, b, c, d}, *guessed[4] = {of_a, of_b, of_c, of_d};
  uint8_t differences[4][64], levels[4][64], leads[64], least[64];
  for (int n = 0; n < 4; n++)
    for (int i = 0; i < 64; i++) {
      uint8_t value = neighbours[n][i], guess = guessed[n][i];
      uint8_t difference = (uint8_t)(SAME_AS_GUESS + value - guess);
      /* There is no difference if one of the two is a win and the other a loss, or if the guess is a draw. */
      int alike = (value < draw) == (guess < draw) && guess != draw && difference < DRAWN;
      difference = alike ? difference : UNKNOWN;
      difference = value == draw ? DRAWN : difference;
      differences[n][i] = value == UNKNOWN ? UNKNOWN : difference;
    }
  for (int i = 0; i < 64; i++) {
    uint8_t l = least_of(differences[0][i], differences[1][i], differences[2][i], differences[3][i]);
    least[i] = l < DRAWN ? l : SAME_AS_GUESS;
    uint8_t reference = (uint8_t)(guesses[i] + least[i] - SAME_AS_GUESS);
    references[i] = guesses[i] == draw ? 0 : reference;
  }
  for (int n = 0; n < 4; n++)
    for (int i = 0; i < 64; i++)
      levels[n][i] = level_of(differences[n][i], least[i], DRAWN, LEVELS_BESIDE_DIFFERENCES - 3);
  for (int i = 0; i < 64; i++) {
    uint8_t lowest_value = least_of(a[i], b[i], c[i], d[i]);
    lowest_value = lowest_value == UNKNOWN ? references[i] : lowest_value;
    uint8_t from_reference = distance_between(lowest_value, references[i], 2, 3);
    uint8_t from_guess = distance_between(least[i], SAME_AS_GUESS, 1, 1);
    leads[i] = guesses[i] == draw ? 18 : (uint8_t)(3 * from_reference + from_guess);
  }
  number_contexts(kind, BY_DIFFERENCES, leads, levels, contexts);
}

/* Reads the bytes of a block in words of 16 bits. Words past the end are 0, and set a flag. */
typedef struct {
  const uint8_t *at, *end;
  uint32_t state, other; /* Of symbol ranking the two states take turns. */
  int missing;
} Coded;

static INLINE uint32_t next_code(Coded *in) {
  if (in->end - in->at < 2) {
    in->missing = 1;
    return 0;
  }
  uint32_t word = (uint32_t)(in->at[0] | in->at[1] << 8);
  in->at += 2;
  return word;
}

static uint32_t first_state(Coded *in) {
  uint32_t low = next_code(in);
  return next_code(in) << 16 | low;
}

/* Advances past the symbol with this start and width. */
static INLINE void advance(Coded *in, uint32_t start, uint32_t width) {
  in->state = width * (in->state / ONE) + in->state % ONE - start;
  if (in->state < LOWEST_STATE && in->at != in->end) in->state = in->state << 16 | next_code(in);
}

static INLINE void change_states(Coded *in) {
  uint32_t state = in->state;
  in->state = in->other;
  in->other = state;
}

static INLINE int read_bit(Coded *in, uint32_t probability) {
  int bit = in->state % ONE < probability;
  advance(in, bit ? 0 : probability, bit ? probability : ONE - probability);
  return bit;
}

static uint32_t read_number(Coded *in, uint32_t n) {
  uint32_t number = in->state % ONE * n / ONE;
  uint32_t start = (number * ONE + n - 1) / n, end = ((number + 1) * ONE + n - 1) / n;
  advance(in, start, end - start);
  return number;
}

/* The planes and the decoder of a block that is being decoded. */
typedef struct {
  const Model *model;
  Coded coded;
  uint8_t draw;
} Ranks;

static const uint8_t NOTHING[64] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* A lane that is being decoded. */
typedef struct {
  uint8_t *cells;
  const uint8_t *beside; /* The lane in the plane before, or with a base the lane's guesses. */
} Lane;

/* Decodes some squares of a lane, each from its four neighbours, their guesses (with BY_DIFFERENCES), and the previous
 * plane or the guesses of the lane. */
FOR_EACH_PROCESSOR
static void decode_squares(Ranks *ranks, int kind, const uint8_t *const known[4], const uint8_t *const guessed[4],
                           uint64_t squares, Lane lane) {
  uint16_t contexts[64];
  uint8_t references[64];
  if (!squares) return;
  const Model *model = ranks->model;
  const uint8_t *a = known[0], *b = known[1], *c = known[2], *d = known[3];
  if (model->prediction == BY_PLANE_BEFORE)
    contexts_by_plane_before(kind, a, b, c, d, lane.beside, ranks->draw, contexts, references);
  else if (model->prediction == BY_VALUES)
    contexts_by_values(kind, a, b, c, d, lane.beside, ranks->draw, contexts, references);
  else
    contexts_by_differences(kind, a, b, c, d, guessed[0], guessed[1], guessed[2], guessed[3], lane.beside,
                            ranks->draw, contexts, references);
  /* Looks up the lists of all cells before the first symbol, so that missing cache lines are fetched together. */
  uint16_t lists[64];
  uint8_t classes[64];
  for (uint64_t left = squares; left; left &= left - 1) {
    int i = lowest(left);
    lists[i] = model->list_of[contexts[i]];
  }
  for (uint64_t left = squares; left; left &= left - 1) {
    int i = lowest(left);
    classes[i] = model->lists[lists[i]].range_class;
  }
  Coded coded = ranks->coded;
  for (; squares; squares &= squares - 1) {
    int i = lowest(squares);
    const SymbolList *list = &model->lists[lists[i]];
    uint32_t slot = coded.state % ONE;
    Range range = model->ranges[classes[i]][slot / PART];
    if (!range.width) range = search(model->ends[classes[i]], slot);
    int place = range.place;
    advance(&coded, range.start, range.width);
    change_states(&coded);
    if (place == ESCAPE) {
      lane.cells[i] = (uint8_t)read_number(&coded, 256);
      change_states(&coded);
    } else {
      uint8_t symbol = list->symbols[place];
      lane.cells[i] = symbol == DRAW_SYMBOL ? ranks->draw : (uint8_t)(references[i] + symbol);
    }
  }
  ranks->coded = coded;
}

/* For each cell of a lane, the cells to its left and right, below and above it. */
static void put_sides(const uint8_t *lane, uint8_t (*sides)[64]) {
  memset(sides[2], UNKNOWN, 8);
  memcpy(sides[2] + 8, lane, 56);
  memcpy(sides[3], lane + 8, 56);
  memset(sides[3] + 56, UNKNOWN, 8);
  for (int rank = 0; rank < 64; rank += 8) {
    sides[0][rank] = UNKNOWN;
    memcpy(sides[0] + rank + 1, lane + rank, 7);
    memcpy(sides[1] + rank, lane + rank + 1, 7);
    sides[1][rank + 7] = UNKNOWN;
  }
}

/* For each cell of a lane, the four cells diagonally next to it. */
static void put_corners(const uint8_t *lane, uint8_t (*corners)[64]) {
  memset(corners, UNKNOWN, 4 * 64);
  for (int rank = 0; rank < 8; rank++) {
    const uint8_t *row = lane + 8 * rank;
    if (rank < 7) {
      memcpy(corners[0] + 8 * rank + 9, row, 7);
      memcpy(corners[1] + 8 * rank + 8, row + 1, 7);
    }
    if (rank > 0) {
      memcpy(corners[2] + 8 * rank - 7, row, 7);
      memcpy(corners[3] + 8 * rank - 8, row + 1, 7);
    }
  }
}

/* For each cell of a lane, the cells two ranks below and above it, as the third and the fourth neighbour. */
static void put_two_ranks(const uint8_t *lane, uint8_t (*ranks)[64]) {
  memset(ranks, UNKNOWN, 4 * 64);
  memcpy(ranks[2] + 16, lane, 48);
  memcpy(ranks[3], lane + 16, 48);
}

/* Decodes some squares of a lane from other squares of the lane. `put` arranges the neighbours. The first neighbour may
 * be in another lane. */
static INLINE void decode_within(Ranks *ranks, int kind, void put(const uint8_t *, uint8_t (*)[64]),
                                 const uint8_t *other, const uint8_t *guess_of_other, uint64_t squares, Lane lane) {
  uint8_t others[4][64], guesses[4][64];
  if (!squares) return;
  put(lane.cells, others);
  if (ranks->model->prediction == BY_DIFFERENCES) put(lane.beside, guesses);
  const uint8_t *const known[4] = {other ? other : others[0], others[1], others[2], others[3]};
  const uint8_t *const guessed[4] = {other ? guess_of_other : guesses[0], guesses[1], guesses[2], guesses[3]};
  decode_squares(ranks, kind, known, guessed, squares, lane);
}

/* Decodes the squares of odd sum, each from the four squares next to it in the lane. */
static void decode_in_lane(Ranks *ranks, uint64_t squares, Lane lane) {
  decode_within(ranks, KIND_IN_LANE, put_sides, NULL, NULL, squares, lane);
}

/* Decodes the squares of even sum in a lane that at most one other lane predicts, in three turns. */
static void decode_lonely(Ranks *ranks, const uint8_t *const known[4], const uint8_t *const guessed[4],
                          uint64_t squares, Lane lane) {
  uint64_t even = squares & EVEN_SQUARES, two_up = even & EVERY_SECOND_RANK & ~EVERY_FOURTH_RANK;
  decode_squares(ranks, KIND_FAR, known, guessed, even & EVERY_FOURTH_RANK, lane);
  decode_within(ranks, KIND_NET, put_two_ranks, known[0], guessed[0], two_up, lane);
  decode_within(ranks, KIND_NET, put_corners, NULL, NULL, even & ~EVERY_SECOND_RANK, lane);
  decode_in_lane(ranks, squares & ~EVEN_SQUARES, lane);
}

/* The squares of a placement of like men, from the placement's index. */
static uint64_t squares_of(const Constants *k, uint64_t number, int men) {
  uint64_t squares = 0;
  int square = 64;
  for (; men > 0; men--) {
    do square--;
    while (k->choose[square][men] > number);
    number -= k->choose[square][men];
    squares |= (uint64_t)1 << square;
  }
  return squares;
}

/* For each square of White's king, the squares of Black's king that make a legal position in the plane. */
static void legal_squares(const Shared *shared, const Section *section, uint64_t first, uint64_t *legal) {
  const Constants *k = &shared->constants;
  const Symmetry *symmetry = symmetry_of_planes(shared, section);
  uint64_t occupied = 0, attacked = 0, rooks = 0;
  int right = 0;
  if (section->bia) {
    const Bia *bia = &section->bia->all[first / section->bia_stride % section->bia->number];
    occupied = bia->squares[WHITE] | bia->squares[BLACK];
    for (uint64_t men = bia->squares[WHITE]; men; men &= men - 1) attacked |= k->steps[WHITE][BIA][lowest(men)];
    right = first / section->anchor_stride % 64 >= 32 ? 4 : 0;
  }
  memset(legal, 0, sizeof *legal * (size_t)symmetry->lanes);
  for (int g = 0; g < section->number_of_groups; g++) {
    const Group *group = &section->groups[g];
    uint64_t men = squares_of(k, first / group->stride % group->placements, group->men);
    if (occupied & men) return;
    occupied |= men;
    if (group->color == BLACK) continue;
    if (group->role == ROOK) rooks |= men;
    else
      for (; men; men &= men - 1) attacked |= k->steps[WHITE][group->role][lowest(men)];
  }
  for (int lane = 0; lane < symmetry->lanes; lane++) {
    int king = symmetry->squares[lane] + right;
    uint64_t all = occupied | (uint64_t)1 << king, closed = all | attacked | k->steps[WHITE][KING][king];
    if (all == occupied) continue;
    for (uint64_t rest = rooks; rest; rest &= rest - 1) closed |= rook_attacks(k, lowest(rest), all);
    legal[lane] = ~closed;
  }
}

/* The checksum inside a block. It covers the block's index and its decoded cells, or one cell if all are equal. */
static uint32_t crc_of_cells(const Constants *k, const Section *section, uint64_t block, const uint8_t *cells,
                             size_t number) {
  uint8_t head[9];
  for (int i = 0; i < 8; i++) head[i] = (uint8_t)(block >> 8 * i);
  head[8] = section->number;
  return crc_of(k, crc_of(k, 0, head, sizeof head), cells, number);
}

FOR_EACH_PROCESSOR
static void clear_unknown(uint8_t *cells, size_t number) {
  for (size_t i = 0; i < number; i++) cells[i] = cells[i] == UNKNOWN ? 0 : cells[i];
}

/* Decodes a block of a number of cells. If the block has a base, the guesses must be ready. The final states are the block's
 * checksum. */
static int decode_ranks(const Query *t, const Section *section, uint64_t block_number, const uint8_t *bytes,
                        size_t length, uint8_t *cells, size_t number) {
  uint64_t first = block_number * section->block_cells;
  const Symmetry *symmetry = symmetry_of_planes(t->shared, section);
  size_t plane = (size_t)symmetry->lanes * 64;
  Ranks block = {section->model, {bytes, bytes + length, 0, 0, 0}, section->draw}, *ranks = &block;
  block.coded.state = first_state(&block.coded);
  block.coded.other = first_state(&block.coded);
  memset(cells, UNKNOWN, number);
  for (size_t begin = 0; begin < number; begin += plane) {
    uint64_t legal[LANES];
    uint8_t *lanes = cells + begin;
    const uint8_t *guesses = section->base ? t->work->guesses + begin : NULL;
    legal_squares(t->shared, section, first + begin, legal);
    for (int i = 0; i < symmetry->lanes; i++) {
      const Step *step = &symmetry->steps[i];
      uint64_t squares = legal[step->lane];
      if (!squares) continue;
      Lane lane = {lanes + 64 * step->lane, NOTHING};
      if (guesses) lane.beside = guesses + 64 * step->lane;
      else if (begin) lane.beside = lane.cells - plane;
      const uint8_t *known[4], *guessed[4];
      for (int n = 0; n < 4; n++) {
        int there = step->neighbours[n] != NO_LANE;
        known[n] = there ? lanes + 64 * step->neighbours[n] : NOTHING;
        guessed[n] = there && guesses ? guesses + 64 * step->neighbours[n] : NOTHING;
      }
      if (step->kind == KIND_BESIDE) decode_squares(ranks, KIND_BESIDE, known, guessed, squares, lane);
      else if (step->lonely) decode_lonely(ranks, known, guessed, squares, lane);
      else {
        decode_squares(ranks, step->kind, known, guessed, squares & EVEN_SQUARES, lane);
        decode_in_lane(ranks, squares & ~EVEN_SQUARES, lane);
      }
    }
  }
  clear_unknown(cells, number);
  const Coded *end = &block.coded;
  uint32_t low = end->state - LOWEST_STATE, high = end->other - LOWEST_STATE;
  if (end->missing || end->at != end->end || low > UINT16_MAX || high > UINT16_MAX) return 0;
  return crc_of_cells(&t->shared->constants, section, block_number, cells, number) == (low | high << 16);
}

FOR_EACH_PROCESSOR
static uint8_t largest_of(const uint8_t *bytes, size_t number) {
  uint8_t largest = 0;
  for (size_t i = 0; i < number; i++) largest = bytes[i] > largest ? bytes[i] : largest;
  return largest;
}

/* Joins the low and the high bytes of two-byte cells. Returns the largest cell. */
FOR_EACH_PROCESSOR
static uint16_t side_by_side(const uint8_t *RESTRICT low, const uint8_t *RESTRICT high, uint8_t *RESTRICT cells,
                             size_t number) {
  uint16_t largest = 0;
  for (size_t i = 0; i < number; i++) {
    uint16_t cell = (uint16_t)(low[i] | high[i] << 8);
    cells[2 * i] = low[i];
    cells[2 * i + 1] = high[i];
    largest = cell > largest ? cell : largest;
  }
  return largest;
}

static size_t cells_of(const Section *section, uint64_t block) {
  uint64_t left = section->cells - block * section->block_cells;
  return left < section->block_cells ? (size_t)left : section->block_cells;
}

static uint64_t key_of_block(const Section *section, uint64_t block) {
  return section->first_page + block * section->pages_of_block;
}

static SakmakStatus decode(Query *t, const Table *table, const Section *section, uint64_t block,
                           SakmakError *error);

/* Makes the guesses for a block's cells from the base's block, which is decoded unless all its pages are cached. */
static SakmakStatus guess_cells(Query *t, const Table *table, const Section *section, uint64_t block,
                                SakmakError *error) {
  const Section *base = section->base;
  size_t number = cells_of(base, block), done = 0;
  for (uint64_t key = key_of_block(base, block); done < number; key++) {
    uint64_t page[PAGE_WORDS];
    size_t left = number - done < PAGE_BYTES ? number - done : PAGE_BYTES;
    if (!cached(&t->shared->cache, key, 0, page, (left + 7) / 8)) break;
    /* Ranked blocks consist of whole lanes of 64 cells. */
    for (size_t i = 0; i < left / 8; i++)
      for (int byte = 0; byte < 8; byte++) t->work->guesses[done++] = section->guess_of[page[i] >> 8 * byte & 255];
  }
  if (done == number) return SAKMAK_STATUS_OK;
  SakmakStatus status = decode(t, table, base, block, error);
  for (size_t i = 0; !status && i < number; i++) t->work->guesses[i] = section->guess_of[t->work->cells[i]];
  return status;
}

/* A part of a table with blocks: a section, or a side of a verdict table. */
typedef struct {
  const char *what;
  int number;
} Part;

static SakmakStatus COLD damaged_block(SakmakError *error, const TableFile *file, Part of, uint64_t block) {
  return fail(error, SAKMAK_STATUS_DAMAGED_BLOCK, "%s: block %llu of %s %d is damaged", file->path,
              (unsigned long long)block, of.what, of.number);
}

/* The failure to read a file, with the system's words and, if too many files are open, with the remedy. */
static SakmakStatus COLD LIKE_PRINTF(3, 4)
    unreadable(SakmakError *error, SystemError system, const char *format, ...) {
  char words[MOST_WORDS_OF_SYSTEM];
  if (!error) return SAKMAK_STATUS_UNREADABLE_TABLE;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  size_t said = strlen(error->message);
  snprintf(error->message + said, sizeof error->message - said, "%s%s", system_words(system, words),
           is_lack_of_files(system) ? ": set most_open of SakmakOptions to fewer files than the process may open" : "");
  return error->status = SAKMAK_STATUS_UNREADABLE_TABLE;
}

static SakmakStatus COLD unreadable_block(Query *t, SakmakError *error, SystemError system, const TableFile *file,
                                          Part of, uint64_t block) {
  t->lacks_files |= is_lack_of_files(system);
  return unreadable(error, system, "%s: block %llu of %s %d cannot be read", file->path, (unsigned long long)block,
                    of.what, of.number);
}

/* Decodes a block to `t->work->cells` and caches its pages. The block of the base is decoded before it, and before that the
 * block of the base's own base, which is a distance to mate and has no base. */
static SakmakStatus COLD decode(Query *t, const Table *table, const Section *section, uint64_t block,
                                SakmakError *error) {
  const Constants *k = &t->shared->constants;
  Workspace *work = t->work;
  Part of = {"section", section->number};
  if (section->model_is_damaged)
    return fail(error, SAKMAK_STATUS_DAMAGED_MODEL, "%s: the model of section %d is damaged", table->file.path,
                section->number);
  SystemError system;
  uint8_t entries[PLACE_BYTES + GROUP * MOST_ENTRY_BYTES];
  int ranked = section->packing != PLAIN;
  unsigned in_group = (unsigned)(block % GROUP);
  uint64_t at = section->index + block / GROUP * (PLACE_BYTES + GROUP * entry_bytes(section));
  size_t wanted = (size_t)(PLACE_BYTES + (in_group + 1) * entry_bytes(section));
  if (!read_file(t->shared, &table->file, at, entries, wanted, &system)) return unreadable_block(t, error, system, &table->file, of, block);
  Reader in = {entries, entries + wanted, 0};
  uint64_t place = take(&in, 8), length = 0, sum = place;
  uint32_t seal = 0;
  for (unsigned i = 0; i <= in_group; i++) {
    place = sum;
    length = ranked ? 2 * take(&in, 2) : take(&in, 3);
    seal = ranked ? 0 : (uint32_t)take(&in, 4);
    sum += length;
  }
  uint64_t begin = section->start + section->model_bytes;
  size_t number = cells_of(section, block), width = (size_t)width_of(section);
  if (place < begin || place > section->index || length > section->index - place ||
      length > work->packed_bytes - FRAME_MAGIC_BYTES || !length)
    return damaged_block(error, &table->file, of, block);
  if (section->base && length != SAME_BYTES) {
    /* The guesses come first, since decoding them uses the same memory. */
    SakmakStatus status = guess_cells(t, table, section, block, error);
    if (status) return status;
  }
  uint8_t *bytes = work->packed + FRAME_MAGIC_BYTES;
  if (!read_file(t->shared, &table->file, place, bytes, (size_t)length, &system)) return unreadable_block(t, error, system, &table->file, of, block);
  uint8_t head[21];
  for (int i = 0; i < 8; i++) head[i] = (uint8_t)(place >> 8 * i), head[12 + i] = (uint8_t)(block >> 8 * i);
  for (int i = 0; i < 4; i++) head[8 + i] = (uint8_t)(length >> 8 * i);
  head[20] = section->number;
  if (!ranked && crc_of(k, crc_of(k, 0, head, sizeof head), bytes, (size_t)length) != seal) return damaged_block(error, &table->file, of, block);

  uint8_t *cells = work->cells;
  uint32_t largest = 0;
  if (length == (ranked ? SAME_BYTES : width)) {
    Reader same = {bytes + 2, bytes + length, 0};
    if (ranked && (bytes[1] || crc_of_cells(k, section, block, bytes, 2) != take(&same, 4))) return damaged_block(error, &table->file, of, block);
    /* All cells are the same. */
    largest = width == 2 ? (uint32_t)(bytes[0] | bytes[1] << 8) : bytes[0];
    if (width == 1 || bytes[0] == bytes[1]) memset(cells, bytes[0], number * width);
    else
      for (size_t i = 0; i < number; i++) cells[2 * i] = bytes[0], cells[2 * i + 1] = bytes[1];
  } else {
    size_t plain = number * width;
    if (ranked) {
      if (!decode_ranks(t, section, block, bytes, (size_t)length, cells, number)) return damaged_block(error, &table->file, of, block);
    } else if (length == plain) {
      memcpy(cells, bytes, plain);
    } else {
      memcpy(work->packed, FRAME_MAGIC, FRAME_MAGIC_BYTES);
      size_t frame = FRAME_MAGIC_BYTES + (size_t)length;
      if (!is_of_a_table(work->packed, frame)) return damaged_block(error, &table->file, of, block);
      if (ZSTD_decompressDCtx(work->zstd, cells, plain, work->packed, frame) != plain) return damaged_block(error, &table->file, of, block);
    }
    if (width == 2) {
      /* The file has the low bytes of all cells, then the high bytes; join them. */
      memcpy(work->wide, cells, plain);
      largest = side_by_side(work->wide, work->wide + number, cells, number);
    } else {
      largest = largest_of(cells, number);
    }
  }
  if (largest >= section->number_of_codes) return damaged_block(error, &table->file, of, block);
  uint64_t key = key_of_block(section, block);
  for (size_t done = 0; done < number * width; done += PAGE_BYTES, key++) {
    size_t left = number * width - done;
    keep_bytes(&t->shared->cache, key, cells + done, left < PAGE_BYTES ? left : PAGE_BYTES);
  }
  return SAKMAK_STATUS_OK;
}

/* ---------------------------------------------------------------------------------------------
 * Looking a position up.
 */

/* A distance for the side to move: positive for a win, negative for a loss. A better distance is greater. */
typedef int32_t Distance;
#define FAR_AWAY (1 << 20)
static Distance win_in(int moves) { return FAR_AWAY - moves; }
static Distance loss_in(int moves) { return moves - FAR_AWAY; }
static int moves_of(Distance d) { return d > 0 ? FAR_AWAY - d : d < 0 ? d + FAR_AWAY : 0; }

/* The distance of a move, from the distance after it for the player then to move. A move of the winner adds one. */
static Distance before_move(Distance after) {
  if (after < 0) return moves_of(after) < UINT16_MAX ? -after - 1 : -after;
  return -after;
}

/* In ASEAN chess with men on both sides, the fifty-move rule requires either side to capture or mate in time. The table
 * has the number of plies until then. A win that takes more plies than the rule leaves after a capture counts as no
 * win. */
static Distance within_fifty_moves(Distance d) { return moves_of(d) > FIFTY_MOVES_PLIES ? 0 : d; }

static Distance moves_to_plies(Distance d) {
  int plies = d > 0 ? 2 * moves_of(d) - 1 : 2 * moves_of(d);
  return within_fifty_moves(d > 0 ? win_in(plies) : d < 0 ? loss_in(plies) : 0);
}

static Distance plies_to_moves(Distance d) {
  return d > 0 ? win_in((moves_of(d) + 1) / 2) : d < 0 ? loss_in(moves_of(d) / 2) : 0;
}

static Distance before_ply(Distance after) {
  return within_fifty_moves(after < 0 ? win_in(moves_of(after) + 1) : after > 0 ? loss_in(moves_of(after) + 1) : 0);
}

/* A capture restarts the fifty-move rule, so only the result matters, and the length becomes 0. */
static Distance after_restart(Distance d) { return d > 0 ? win_in(0) : d < 0 ? loss_in(0) : 0; }

/* A bare king's capture as a distance in plies, if mate follows in `dtm` moves. The capture restarts the fifty-move
 * rule, but not the count of 64 moves, so a late mate leaves less time before the capture. */
static Distance after_late_capture(Distance dtm) {
  int beyond = KNIGHTS_LIMIT_PLIES + 1 - FIFTY_MOVES_PLIES;
  if (dtm <= 0) return 0;
  return win_in(2 * moves_of(dtm) > beyond + 1 ? 2 * moves_of(dtm) - beyond - 1 : 0);
}

static Distance before(int metric, Distance after) {
  return metric == METRIC_DTH_ASEAN ? before_ply(after) : before_move(after);
}

static Distance in_moves(int metric, Distance d) { return metric == METRIC_DTH_ASEAN ? plies_to_moves(d) : d; }

/* A position's index, and the terms whose sum is the index. */
typedef struct {
  const uint8_t *image;
  uint64_t number, lane, groups[MOST_GROUPS];
} Place;

static INLINE uint64_t term_of(const Constants *k, const Group *group, const uint8_t *image, uint64_t men) {
  if (group->men == 1) return image[lowest(men)] * group->stride;
  uint64_t set = 0, number = 0;
  for (; men; men &= men - 1) set |= (uint64_t)1 << image[lowest(men)];
  for (int i = 1; set; set &= set - 1, i++) number += k->choose[lowest(set)][i];
  return number * group->stride;
}

static INLINE void place_of(const Shared *shared, const Section *section, const Position *p, Place *place) {
  const Symmetry *symmetry = &shared->symmetries[section->symmetry - 1];
  int king = king_of(p, WHITE);
  int transform = symmetry->transform[king];
  uint64_t bia = 0;
  if (section->bia)
    bia = number_of_bia(section->bia, men_of(p, WHITE, BIA), men_of(p, BLACK, BIA), &transform) * section->bia_stride;
  const uint8_t *image = symmetry->image[transform];
  place->image = image;
  place->lane = image[king_of(p, BLACK)] * section->lane_stride;
  place->number = bia + symmetry->digit[image[king]] * section->anchor_stride + place->lane;
  for (int g = 0; g < section->number_of_groups; g++) {
    const Group *group = &section->groups[g];
    place->groups[g] = term_of(&shared->constants, group, image, men_of(p, group->color, group->role));
    place->number += place->groups[g];
  }
}

/* The index after a move that captures nothing. Only one term changes, unless White's king or a bia moves. */
static INLINE uint64_t number_after(const Shared *shared, const Section *section, const Place *place,
                                    const Position *p, Move m) {
  if (m.role == KING || m.role == BIA) {
    if (p->turn == WHITE || m.role == BIA) {
      Position next = after_move(p, m);
      Place moved;
      place_of(shared, section, &next, &moved);
      return moved.number;
    }
    return place->number - place->lane + place->image[m.to] * section->lane_stride;
  }
  int g = section->group_of[p->turn][m.role];
  uint64_t men = (men_of(p, p->turn, m.role) & ~((uint64_t)1 << m.from)) | (uint64_t)1 << m.to;
  return place->number - place->groups[g] +
         term_of(&shared->constants, &section->groups[g], place->image, men);
}

static SakmakStatus COLD no_memory(SakmakError *error) {
  return fail(error, SAKMAK_STATUS_NO_MEMORY, "there is not enough memory: ask for a smaller cache");
}

/* Reads a cell's code. */
static INLINE SakmakStatus cell(Query *t, const Table *table, const Section *section,
                                uint64_t number, Code *code, SakmakError *error) {
  uint64_t block = number / section->block_cells, in_block = number % section->block_cells;
  int wide = section->number_of_codes > 256;
  uint64_t byte = in_block << wide;
  uint64_t word;
  size_t in_page = (size_t)(byte % PAGE_BYTES);
  if (cached(&t->shared->cache, key_of_block(section, block) + byte / PAGE_BYTES, in_page / 8, &word, 1)) {
    t->hits++;
    word >>= in_page % 8 * 8;
  } else {
    t->misses++;
    if (t->only_cached) return fail(error, SAKMAK_STATUS_NOT_DECODED, "a block that is needed has not been decoded");
    if (!can_decode(t)) return no_memory(error);
    SakmakStatus status = decode(t, table, section, block, error);
    if (status) return status;
    const uint8_t *at = t->work->cells + byte;
    word = wide ? (uint64_t)(at[0] | at[1] << 8) : at[0];
  }
  *code = section->codes[word & (wide ? 0xffff : 0xff)];
  return SAKMAK_STATUS_OK;
}

/* The value of a position from a section, or from its base if the cell refers to the base. `number` is the position's
 * number in the section. */
static SakmakStatus value_of_cell(Query *t, const Table *table, int metric, const Position *p,
                                  const Section *section, uint64_t number, Distance *distance,
                                  SakmakError *error) {
  Code code = {NOBODY, 0};
  SakmakStatus status = cell(t, table, section, number, &code, error);
  if (status) return status;
  int in_plies = table->counts_plies && section->metric == METRIC_DTH_ASEAN;
  if (code.kind == AS_THE_BASE) {
    in_plies = 0;
    int base = table->base_of[metric][p->turn];
    if (base < 0 || &table->sections[base] == section)
      return fail(error, SAKMAK_STATUS_OTHER_DAMAGE, "%s: a position refers to a section that the table lacks",
                  table->file.path);
    Place place;
    place_of(t->shared, &table->sections[base], p, &place);
    status = cell(t, table, &table->sections[base], place.number, &code, error);
    if (status) return status;
    if (code.kind == AS_THE_BASE)
      return fail(error, SAKMAK_STATUS_OTHER_DAMAGE, "%s: a position refers to a section that the table lacks",
                  table->file.path);
  }
  int white = code.kind == WHITE_WINS;
  if (code.kind == NOBODY) *distance = 0;
  else *distance = (white == (p->turn == WHITE)) ? win_in(code.moves) : loss_in(code.moves);
  if (metric == METRIC_DTH_ASEAN && !in_plies) *distance = moves_to_plies(*distance);
  return SAKMAK_STATUS_OK;
}

static SakmakStatus distance_of(Query *t, int metric, const Position *p, Distance *distance,
                                SakmakError *error);
static SakmakStatus distance_or_enough(Query *t, int metric, const Position *p, Distance enough,
                                       Distance *distance, SakmakError *error);

/* The slot of an ending; a free slot if it has no table. */
static Ending *ending_of(const Shared *shared, uint32_t key) {
  size_t slot = key * 2654435761u % shared->slots;
  while (shared->endings[slot].key && shared->endings[slot].key != key) slot = (slot + 1) % shared->slots;
  return &shared->endings[slot];
}

/* The index of an ending's table of a kind in the first directory that has one, or NO_TABLE. */
static size_t first_table(const Shared *shared, int kind, uint32_t key) {
  const Ending *ending = ending_of(shared, key);
  return ending->key ? ending->tables[kind] : NO_TABLE;
}

static TableFile *file_of(const Shared *shared, int kind, size_t number) {
  return kind == VERDICTS ? &shared->verdicts[number].file : &shared->tables[number].file;
}

/* True for a fault of the file itself, which another copy of the table may not have. */
static int is_damage(SakmakStatus status) {
  switch (status) {
    case SAKMAK_STATUS_UNREADABLE_TABLE:
    case SAKMAK_STATUS_NOT_A_TABLE:
    case SAKMAK_STATUS_WRONG_LENGTH:
    case SAKMAK_STATUS_OTHER_VERSION:
    case SAKMAK_STATUS_WRONG_TABLE:
    case SAKMAK_STATUS_DAMAGED_HEADER:
    case SAKMAK_STATUS_DAMAGED_MODEL:
    case SAKMAK_STATUS_DAMAGED_BLOCK:
    case SAKMAK_STATUS_OTHER_DAMAGE: return 1;
    default: return 0;
  }
}

/* The index of the first usable table from this one on. Tables that are damaged or lack the rule set are skipped. */
static size_t to_read(const Query *t, int kind, size_t number, int rules) {
  for (size_t lacking = NO_TABLE;;) {
    const TableFile *file = file_of(t->shared, kind, number);
    if (!is_damage(file->status) && !load(&file->open->is_aside)) {
      if (has_rules(file, rules)) return number;
      if (lacking == NO_TABLE) lacking = number;
    }
    if (file->next == NO_TABLE) return lacking == NO_TABLE ? number : lacking;
    number = file->next;
  }
}

/* Marks a table with a damaged block as unusable. Returns 0 if no other table can replace it. */
static int set_aside(Query *t, int kind, size_t number, SakmakStatus status) {
  const TableFile *file = file_of(t->shared, kind, number);
  if (!is_damage(status) || t->lacks_files || file->next == NO_TABLE) return 0;
  store(&file->open->is_aside, 1);
  return 1;
}

/* The failure of a probe whose table was refused when it was opened. */
static SakmakStatus COLD refused(const TableFile *file, SakmakError *error) {
  if (file->error) return unreadable(error, file->error, "%s: %s", file->path, file->fault);
  return fail(error, file->status, "%s: %s", file->path, file->fault);
}

/* The failure of a probe whose table lacks the rule set. */
static SakmakStatus missing_rules(const Material *m, int first, const char *kind, unsigned found, int rules,
                                  SakmakError *error) {
  static const char *const names[] = {"makruk", "asean", "ouk"};
  char name[16];
  int other = found >> SAKMAK_RULES_ASEAN & 1 ? SAKMAK_RULES_ASEAN : SAKMAK_RULES_OUK;
  if (!error) return SAKMAK_STATUS_MISSING_TABLE;
  write_name(m, first, name);
  return fail(error, SAKMAK_STATUS_MISSING_TABLE, "%s.%s has results for makruk%s%s only, not for %s", name, kind,
              found >> other & 1 ? " and " : "", found >> other & 1 ? names[other] : "", names[rules]);
}

static SakmakStatus check_in_tables(const Position *p, int rules, SakmakError *error);

static SakmakStatus find_table(Query *t, const Position *p, const Table **table, int *swapped,
                               SakmakError *error) {
  Material m = material_under(t->rules, p);
  SakmakStatus astray = check_in_tables(p, t->rules, error);
  if (astray) return astray;
  *swapped = is_swapped(&m);
  size_t first = first_table(t->shared, DISTANCES, key_of(&m, *swapped ? BLACK : WHITE));
  if (first == NO_TABLE) {
    char name[16] = "";
    if (error) write_name(&m, *swapped ? BLACK : WHITE, name);
    return fail(error, SAKMAK_STATUS_MISSING_TABLE,
                "there is no table of %s in the directories: make it with `sakmak generate %s`", name, name);
  }
  *table = &t->shared->tables[to_read(t, DISTANCES, first, t->rules)];
  if ((*table)->file.status) return refused(&(*table)->file, error);
  if (!has_rules(&(*table)->file, t->rules))
    return missing_rules(&m, *swapped ? BLACK : WHITE, "skm", (*table)->file.rule_sets, t->rules, error);
  return SAKMAK_STATUS_OK;
}

/* True if only the distance to mate matters: a king is bare, and there is no bia whose end would begin a count. */
static int is_bare(const Position *p) {
  if (p->role[BIA]) return 0;
  return !(p->color[WHITE] & ~p->role[KING]) || !(p->color[BLACK] & ~p->role[KING]);
}

static int rules_of_metric(int metric) { return metric - METRIC_DTH_MAKRUK; }
static int inside_fresh_count(const Position *p, int rules, Distance dtm);

static SakmakStatus probe(Query *t, const Position *p, int rules, const SakmakCount *count,
                          SakmakValue *value, SakmakError *error);
static const SakmakCount FRESH = {SAKMAK_COUNT_KIND_FRESH, 0, 0, 0};

/* True if a move with which the last bia goes begins a count. In ouk it begins only if a king is bare. */
static int begins_after_bia(int rules, const Position *p, const Position *next) {
  return p->role[BIA] && !next->role[BIA] && (rules != SAKMAK_RULES_OUK || is_bare(next));
}

/* The distance to honor just after the last bia is gone and the count has begun. Only the result matters. */
static SakmakStatus after_the_last_bia(Query *t, int metric, const Position *next, Distance *distance,
                                       SakmakError *error) {
  SakmakValue value;
  memset(&value, 0, sizeof value);
  SakmakStatus status = probe(t, next, rules_of_metric(metric), &FRESH, &value, error);
  *distance = value.category == SAKMAK_CATEGORY_WIN ? win_in(0) : value.category == SAKMAK_CATEGORY_LOSS ? loss_in(0) : 0;
  return status;
}

/* The distance after a capture, for the side then to move. */
static SakmakStatus after_capture(Query *t, int metric, const Position *next, Distance *distance,
                                  SakmakError *error) {
  if (metric == METRIC_DTM || !is_bare(next)) {
    SakmakStatus found = distance_of(t, metric, next, distance, error);
    if (metric == METRIC_DTH_ASEAN) *distance = after_restart(*distance);
    return found;
  }
  Distance dtm;
  SakmakStatus status = distance_of(t, METRIC_DTM, next, &dtm, error);
  if (status) return status;
  if (next->color[next->turn] & ~next->role[KING]) {
    /* It was the bare king that captured. */
    *distance = after_late_capture(dtm);
    return SAKMAK_STATUS_OK;
  }
  /* The capture bared the king. A win inside the count counts as mate; a win outside it, as a draw. */
  *distance = dtm < 0 && inside_fresh_count(next, rules_of_metric(metric), dtm) ? loss_in(0) : 0;
  return SAKMAK_STATUS_OK;
}

/* The best result of one move, if the positions after the moves are stored. A move that reaches `enough` ends the
 * search. `elsewhere` becomes 1 if another ending has no answer. */
static SakmakStatus by_a_ply(Query *t, const Table *table, const Section *section, int metric,
                             const Position *p, Distance enough, Distance *distance, int *elsewhere,
                             SakmakError *error) {
  const Constants *k = &t->shared->constants;
  Move moves[SAKMAK_MAX_MOVES];
  int n = legal_moves(k, p, game_of(t->rules), moves);
  Distance best = -FAR_AWAY - 1, most = p->color[p->turn] & ~p->role[KING] ? win_in(1) : 0;
  Place place;
  place_of(t->shared, section, p, &place);
  if (most > enough) most = enough;
  for (int i = 0; i < n && best < most; i++) {
    Position next = after_move(p, moves[i]);
    Distance after;
    SakmakStatus status;
    *elsewhere = changes_men(p, moves[i]);
    if (metric != METRIC_DTM && begins_after_bia(rules_of_metric(metric), p, &next))
      status = after_the_last_bia(t, metric, &next, &after, error);
    else if (*elsewhere) status = after_capture(t, metric, &next, &after, error);
    else
      status = value_of_cell(t, table, metric, &next, section, number_after(t->shared, section, &place, p, moves[i]),
                             &after, error);
    if (status) return status;
    if (metric == METRIC_DTH_ASEAN && moves[i].role == BIA) after = after_restart(after);
    after = before(metric, after);
    if (after > best) best = after;
  }
  if (!n) best = is_check(k, p) ? loss_in(0) : 0;
  *distance = best;
  return SAKMAK_STATUS_OK;
}

static SakmakStatus distance_of(Query *t, int metric, const Position *p, Distance *distance,
                                SakmakError *error) {
  return distance_or_enough(t, metric, p, FAR_AWAY, distance, error);
}

/* The distance from a table, with colours exchanged if `swapped` is true. `elsewhere` becomes 1 if the table of another
 * ending has no answer. */
static SakmakStatus distance_in(Query *t, const Table *table, int swapped, int metric, const Position *p,
                                Distance enough, Distance *distance, int *elsewhere, SakmakError *error) {
  Position turned;
  int found = table->section_of[metric][swapped ? !p->turn : p->turn];
  /* If both sides have the same men, the players may change places. */
  if (found < 0 && table->is_even && table->section_of[metric][!p->turn] >= 0) swapped = 1;
  if (swapped) {
    turned = flipped(p);
    p = &turned;
  }
  found = table->section_of[metric][p->turn];
  if (found >= 0) {
    const Section *section = &table->sections[found];
    Place place;
    place_of(t->shared, section, p, &place);
    return value_of_cell(t, table, metric, p, section, place.number, distance, error);
  }
  found = table->section_of[metric][!p->turn];
  if (found < 0)
    return fail(error, SAKMAK_STATUS_OTHER_DAMAGE, "%s: it has no distances to honor", table->file.path);
  return by_a_ply(t, table, &table->sections[found], metric, p, enough, distance, elsewhere, error);
}

static SakmakStatus distance_or_enough(Query *t, int metric, const Position *p, Distance enough,
                                       Distance *distance, SakmakError *error) {
  if (p->role[KING] == occupied_of(p)) {
    *distance = 0;
    return SAKMAK_STATUS_OK;
  }
  for (;;) {
    const Table *table;
    int swapped, elsewhere = 0;
    SakmakStatus status = find_table(t, p, &table, &swapped, error);
    if (status) return status;
    status = distance_in(t, table, swapped, metric, p, enough, distance, &elsewhere, error);
    if (!status || elsewhere || !set_aside(t, DISTANCES, (size_t)(table - t->shared->tables), status)) return status;
  }
}

/* ---------------------------------------------------------------------------------------------
 * Verdicts: decoding a block of a verdict table, and looking a position up.
 */

/* The like men of one side, in a plane of verdicts. */
typedef struct {
  int color, role;
  uint64_t squares;
} Men;

/* Lists all men of a plane except the kings. Returns the number of groups. */
static int men_of_plane(const Constants *k, const VerdictSide *side, uint64_t plane, Men *men) {
  int n = 0;
  for (int g = 0; g < side->number_of_groups; g++) {
    const Group *group = &side->groups[g];
    uint64_t squares = squares_of(k, plane / group->stride % group->placements, group->men);
    men[n++] = (Men){group->color, group->role, squares};
  }
  for (int color = 0; side->bia && color < 2; color++)
    men[n++] = (Men){color, BIA, side->bia->all[plane / side->bia_stride % side->bia->number].squares[color]};
  return n;
}

/* Computes the facts about each lane of a plane. */
static void facts_of_plane(const Shared *shared, const VerdictTable *table, const VerdictSide *side,
                           uint64_t plane, LaneFacts *facts) {
  const Constants *k = &shared->constants;
  const Symmetry *symmetry = &shared->symmetries[table->symmetry];
  struct {
    int whose, color, role, from;
  } men[MOST_MEN];
  Men kinds[MOST_MEN];
  uint64_t of[2] = {0, 0};
  int n = 0, number_of_kinds = men_of_plane(k, side, plane, kinds);
  memset(facts, 0, (size_t)symmetry->lanes * sizeof *facts);
  for (int i = 0; i < number_of_kinds; i++) {
    const Men *kind = &kinds[i];
    uint64_t set = kind->squares;
    int whose = kind->color == side->winner ? WINNER : LOSER;
    if ((of[WINNER] | of[LOSER]) & set) return;
    of[whose] |= set;
    for (; set; set &= set - 1, n++) {
      men[n].whose = whose;
      men[n].color = kind->color;
      men[n].role = kind->role;
      men[n].from = lowest(set);
    }
  }
  for (int lane = 0; lane < symmetry->lanes; lane++) {
    int king = symmetry->squares[lane];
    uint64_t around = k->steps[WHITE][KING][king], occupied = of[WINNER] | of[LOSER] | (uint64_t)1 << king;
    uint64_t attacked[2] = {around, 0}, behind = UINT64_MAX;
    if ((of[WINNER] | of[LOSER]) >> king & 1) continue;
    for (int i = 0; i < n; i++) {
      uint64_t reached = attacks(k, men[i].role, men[i].color, men[i].from, occupied);
      attacked[men[i].whose] |= reached;
      /* In check. A rook's check may be an illusion: the other king may stand in between. */
      if (men[i].whose == LOSER && reached >> king & 1) behind &= men[i].role == ROOK ? k->between[men[i].from][king] : 0;
    }
    uint64_t free_squares = ~(occupied | around);
    facts[lane].legal[WINNER] = free_squares & ~attacked[WINNER];
    facts[lane].legal[LOSER] = free_squares & behind;
    for (uint64_t rest = of[LOSER] & attacked[WINNER] & ~attacked[LOSER]; rest; rest &= rest - 1)
      facts[lane].takes[WINNER] |= ~k->steps[WHITE][KING][lowest(rest)];
    for (uint64_t rest = of[WINNER] & ~attacked[WINNER]; rest; rest &= rest - 1)
      facts[lane].takes[LOSER] |= k->steps[WHITE][KING][lowest(rest)];
    if (of[WINNER] & attacked[LOSER] & ~attacked[WINNER]) facts[lane].takes[LOSER] = UINT64_MAX;
  }
}

#define NOT_FILE_A UINT64_C(0xfefefefefefefefe)
#define NOT_FILE_H UINT64_C(0x7f7f7f7f7f7f7f7f)

/* The squares one king's step away from the squares of a set. */
static uint64_t steps_around(uint64_t set) {
  uint64_t beside = (set << 1 & NOT_FILE_A) | (set >> 1 & NOT_FILE_H), column = set | beside;
  return beside | column << 8 | column >> 8;
}

/* For each square, the number of those of four sets that contain it, in three bits. */
typedef struct {
  uint64_t bits[3];
} Sum;

static INLINE Sum sum_of(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  uint64_t ab = a ^ b, cd = c ^ d, both_ab = a & b, both_cd = c & d;
  return (Sum){{ab ^ cd, both_ab ^ both_cd ^ (ab & cd), both_ab & both_cd}};
}

static INLINE Sum beside_each(uint64_t set) {
  return sum_of(set << 1 & NOT_FILE_A, set >> 1 & NOT_FILE_H, set << 8, set >> 8);
}

static INLINE uint64_t any_of(Sum sum) { return sum.bits[0] | sum.bits[1] | sum.bits[2]; }

/* The index of a pair of sums at a square: the votes for yes and the votes for no. */
static INLINE unsigned pair_at(Sum yes, Sum no, int square) {
  static const uint8_t FIRST[8] = {0, 5, 9, 12, 14, 14, 14, 14};
  unsigned y = 0, n = 0;
  for (int i = 0; i < 3; i++) y |= (unsigned)(yes.bits[i] >> square & 1) << i, n |= (unsigned)(no.bits[i] >> square & 1) << i;
  return FIRST[y] + n;
}

/* The inputs for decoding a set's words with one side to move. */
typedef struct {
  const Symmetry *symmetry;
  const LaneFacts *facts;
  const VerdictModel *model;
  const uint64_t *parent; /* The words of the set that it is a part of, or NULL. */
  const uint64_t *like;   /* The words of the set that it is like, or NULL. */
  const uint64_t *wins;   /* With the loser to move: those of its guide with the winner to move. */
  int turn;
} WordsOf;

/* The squares of a lane whose bit may be 1. */
static INLINE uint64_t known_squares(const WordsOf *of, size_t lane) {
  uint64_t legal = of->facts[lane].legal[of->turn];
  return of->parent ? legal & of->parent[lane] : legal;
}

/* The squares of a lane that vote on the values of their neighbours. */
static INLINE uint64_t voters(const WordsOf *of, size_t lane) {
  return of->model->outsiders ? of->facts[lane].legal[of->turn] : known_squares(of, lane);
}

static INLINE unsigned is_unlike(const WordsOf *of, size_t lane, uint64_t word) {
  return word != (of->like[lane] & known_squares(of, lane));
}

/* Decodes which of the predicted squares differ from their prediction. */
static uint64_t corrected(const WordsOf *of, Coded *in, uint64_t word, uint64_t squares, unsigned kind) {
  for (int more = 0; squares; more = 1) {
    unsigned n = (unsigned)count_of(squares);
    unsigned question = 16 * (unsigned)highest(n) + kind + (unsigned)more;
    if (!read_bit(in, of->model->questions[of->turn][question])) break;
    uint64_t rest = squares;
    for (uint32_t place = read_number(in, n); place; place--) rest &= rest - 1;
    word ^= rest & (0 - rest);
    squares &= ~((rest & (0 - rest)) | ((rest & (0 - rest)) - 1));
  }
  return word;
}

static uint64_t decode_lane(const WordsOf *of, Coded *in, const Step *step, const uint64_t *words, size_t first) {
  static const uint64_t PARITY[2] = {UINT64_C(0xaa55aa55aa55aa55), UINT64_C(0x55aa55aa55aa55aa)};
  size_t lane = first + step->lane, plane = (size_t)of->symmetry->lanes;
  uint64_t known = known_squares(of, lane), yes[4], no[4], before_yes = 0, before_no = 0, all_vote = UINT64_MAX;
  const LaneFacts *facts = &of->facts[lane];
  unsigned neighbours = first > 0, close = step->kind >= KIND_DIAGONAL, unlike = 0;
  if (!known) return 0;
  for (int i = 0; i < 4; i++) {
    uint64_t its = 0, word = 0;
    if (step->neighbours[i] != NO_LANE) {
      size_t other = first + step->neighbours[i];
      its = voters(of, other);
      word = words[other];
      neighbours++;
      if (of->like) unlike += is_unlike(of, other, word);
    }
    yes[i] = its & word, no[i] = its & ~word;
    all_vote &= its;
  }
  if (first && of->like) unlike += is_unlike(of, lane - plane, words[lane - plane]);
  if (first || of->like) {
    uint64_t its = of->like ? voters(of, lane) : voters(of, lane - plane);
    uint64_t word = of->like ? of->like[lane] : words[lane - plane];
    before_yes = its & word, before_no = its & ~word;
  }
  uint64_t wins = of->wins ? of->wins[lane] : 0;
  uint64_t escapes = of->wins ? steps_around(~wins & facts->legal[WINNER]) : 0;
  uint64_t asked = known, settled = 0, takes = facts->takes[of->turn];
  int decide = of->wins && of->model->king_steps == STEPS_DECIDE;
  if (of->wins && of->model->king_steps != STEPS_OPEN) asked &= ~escapes;
  if (decide) {
    /* A king that is not in check and has no step is stalemated. */
    settled = asked & ~takes & (steps_around(facts->legal[WINNER]) | ~facts->legal[WINNER]);
    asked &= takes;
  }
  if (!asked) return settled;
  int says_yes = ((yes[0] | yes[1] | yes[2] | yes[3] | before_yes) & asked) != 0;
  int says_no = ((no[0] | no[1] | no[2] | no[3] | before_no) & asked) != 0;
  if (of->like) {
    unsigned question = 112 + 4 * unlike + 2 * (first > 0) + close;
    if (read_bit(in, of->model->questions[of->turn][question])) return settled | (of->like[lane] & asked);
  } else if (says_yes != says_no) {
    unsigned question = 112 + 4 * neighbours + 2 * (unsigned)says_yes + close;
    int all = of->turn == WINNER || of->parent || decide;
    if (read_bit(in, of->model->questions[of->turn][question]))
      return settled | (!says_yes ? 0 : all ? asked : asked & ~takes);
  }
  Sum lanes_yes = sum_of(yes[0], yes[1], yes[2], yes[3]), lanes_no = sum_of(no[0], no[1], no[2], no[3]);
  Sum squares_yes = {{0}}, squares_no = {{0}};
  uint64_t word = settled;
  for (unsigned odd = 0; odd < 2; odd++) {
    uint64_t here = asked & PARITY[odd];
    if (odd) {
      squares_yes = beside_each(word);
      squares_no = beside_each(voters(of, lane) & PARITY[0] & ~word);
    }
    uint64_t for_it = any_of(lanes_yes) | any_of(squares_yes) | before_yes;
    uint64_t against = any_of(lanes_no) | any_of(squares_no) | before_no;
    uint64_t sure_yes = for_it & ~against & here, sure_no = against & ~for_it & here;
    if (of->turn == WINNER) sure_no &= ~takes;
    else sure_yes &= ~takes & ~escapes, sure_no &= escapes;
    uint64_t sure = sure_yes | sure_no, found = sure_yes;
    found = corrected(of, in, found, sure & all_vote, 8 + 4 * odd + 2 * close);
    found = corrected(of, in, found, sure & ~all_vote, 4 * odd + 2 * close);
    for (uint64_t rest = here & ~sure; rest; rest &= rest - 1) {
      int square = lowest(rest);
      unsigned pairs = pair_at(lanes_yes, lanes_no, square) * PAIRS + pair_at(squares_yes, squares_no, square);
      unsigned context = pairs * CONTEXTS_OF_PAIR + close;
      context += 16 * (unsigned)(before_no >> square & 1) + 32 * (unsigned)(before_yes >> square & 1);
      context += 8 * (unsigned)(escapes >> square & 1) + 4 * (unsigned)(wins >> square & 1) +
                 2 * (unsigned)(takes >> square & 1);
      found |= (uint64_t)read_bit(in, of->model->contexts[of->turn][context]) << square;
    }
    word |= found;
  }
  return word;
}

static void decode_words(const WordsOf *of, Coded *in, uint64_t *words, size_t lanes) {
  size_t plane = (size_t)of->symmetry->lanes;
  for (size_t first = 0; first < lanes; first += plane)
    for (size_t i = 0; i < plane; i++) {
      const Step *step = &of->symmetry->steps[i];
      words[first + step->lane] = decode_lane(of, in, step, words, first);
    }
}

/* A verdict table with a block of one side's wins, and the buffers for the block's words. */
typedef struct {
  Query *t;
  const VerdictTable *table;
  const VerdictSide *side;
  uint64_t block;
  size_t lanes;
  Coded parts[VERDICT_SETS]; /* The part of each set, as far as it has been read. */
  int has_part[VERDICT_SETS];
  unsigned done;             /* A bit for each set and side to move that is decoded. */
} VerdictBlock;

static uint64_t *words_of(const VerdictBlock *b, int set, int turn) {
  return b->t->work->words + (size_t)(2 * set + turn) * b->lanes;
}

/* Reads the bytes of a block and checks them. */
static SakmakStatus read_verdict_block(VerdictBlock *b, SakmakError *error) {
  Query *t = b->t;
  const VerdictSide *side = b->side;
  const TableFile *file = &b->table->file;
  const Constants *k = &t->shared->constants;
  Part of = {"side", (int)(side - b->table->sides)};
  uint8_t *packed = t->work->packed;
  SystemError system;
  uint8_t entries[PLACE_BYTES + VERDICT_GROUP * MOST_VERDICT_ENTRY_BYTES];
  unsigned in_group = (unsigned)(b->block % VERDICT_GROUP);
  size_t wanted = PLACE_BYTES + (in_group + 1) * side->entry_bytes;
  uint64_t at = side->index + b->block / VERDICT_GROUP * (PLACE_BYTES + VERDICT_GROUP * side->entry_bytes);
  if (!read_file(t->shared, file, at, entries, wanted, &system)) return unreadable_block(t, error, system, file, of, b->block);
  Reader in = {entries, entries + wanted, 0};
  uint64_t place = take(&in, 8);
  size_t lengths[VERDICT_SETS] = {0}, length = 0;
  uint32_t seal = 0;
  for (unsigned i = 0; i <= in_group; i++) {
    place += length;
    length = 0;
    seal = (uint32_t)take(&in, VERDICT_CHECK_BYTES);
    for (int set = 0; set < VERDICT_SETS; set++) {
      if (side->sets[set].stored != SET_IS_CODED) continue;
      lengths[set] = 2 * (size_t)take(&in, side->sets[set].length_bytes);
      length += lengths[set];
    }
  }
  if (place < side->start || place > side->index || length > side->index - place) return damaged_block(error, file, of, b->block);
  if (!read_file(t->shared, file, place, packed, length, &system)) return unreadable_block(t, error, system, file, of, b->block);
  uint8_t head[17 + 2 * VERDICT_SETS];
  for (int i = 0; i < 8; i++) head[i] = (uint8_t)(place >> 8 * i), head[8 + i] = (uint8_t)(b->block >> 8 * i);
  head[16] = (uint8_t)of.number;
  for (int set = 0; set < VERDICT_SETS; set++)
    for (int i = 0; i < 2; i++) head[17 + 2 * set + i] = (uint8_t)(lengths[set] / 2 >> 8 * i);
  if ((crc_of(k, crc_of(k, 0, head, sizeof head), packed, length) & 0xffff) != seal) return damaged_block(error, file, of, b->block);
  const uint8_t *from = packed;
  for (int set = 0; set < VERDICT_SETS; set++) {
    Coded *part = &b->parts[set];
    *part = (Coded){from, from + lengths[set], 0, 0, 0};
    if (lengths[set]) part->state = next_code(part);
    if (lengths[set] > 2) part->state |= next_code(part) << 16;
    b->has_part[set] = lengths[set] > 0;
    from += lengths[set];
  }
  return SAKMAK_STATUS_OK;
}

/* Decodes the words of a set with one side to move, after the sets on which it depends. */
static SakmakStatus decode_set(VerdictBlock *b, int number, int turn, SakmakError *error) {
  const VerdictSet *set = &b->side->sets[number];
  uint64_t *words = words_of(b, number, turn);
  Coded *part = &b->parts[number];
  SakmakStatus status = SAKMAK_STATUS_OK;
  if (b->done >> (2 * number + turn) & 1) return status;
  b->done |= 1u << (2 * number + turn);
  if (set->other >= 0) status = decode_set(b, set->other, turn, error);
  if (!status && set->stored == SET_IS_CODED && set->like >= 0) status = decode_set(b, set->like, turn, error);
  if (status) return status;
  if (set->stored == SET_IS_SAME) {
    memcpy(words, words_of(b, set->other, turn), b->lanes * sizeof *words);
    return status;
  }
  memset(words, 0, b->lanes * sizeof *words);
  if (set->stored == SET_IS_EMPTY) return status;
  if (!set->model)
    return fail(error, SAKMAK_STATUS_DAMAGED_MODEL, "%s: the model of set %d is damaged", b->table->file.path,
                (int)(VERDICT_SETS * (b->side - b->table->sides)) + number);
  if (turn == LOSER) {
    status = decode_set(b, number, WINNER, error);
    if (!status) status = decode_set(b, set->guide, WINNER, error);
    if (status) return status;
  }
  if (!b->has_part[number]) return status;
  WordsOf of = {&b->t->shared->symmetries[b->table->symmetry], b->t->work->facts, set->model,
                set->other < 0 ? NULL : words_of(b, set->other, turn),
                set->like < 0 ? NULL : words_of(b, set->like, turn),
                turn == LOSER ? words_of(b, set->guide, WINNER) : NULL, turn};
  decode_words(&of, part, words, b->lanes);
  if (part->missing || (turn == LOSER && (part->at != part->end || part->state)))
    return fail(error, SAKMAK_STATUS_DAMAGED_BLOCK, "%s: block %llu of set %d is damaged", b->table->file.path,
                (unsigned long long)b->block, (int)(VERDICT_SETS * (b->side - b->table->sides)) + number);
  return status;
}

static uint64_t key_of_page(const VerdictSide *side, int rules, int turn, uint64_t block) {
  return side->first_page + ((uint64_t)(2 * rules + turn) * side->blocks + block) * side->pages_of_block;
}

/* Decodes a block and caches its pages: for each lane, the wins on the board and the wins inside the count. `words`
 * receives the two words of one lane. */
static SakmakStatus COLD decode_verdicts(Query *t, const VerdictTable *table, const VerdictSide *side,
                                         int rules, uint64_t block, int asked_turn, size_t asked_lane,
                                         uint64_t words[2], SakmakError *error) {
  const Shared *shared = t->shared;
  size_t plane = (size_t)shared->symmetries[table->symmetry].lanes;
  uint64_t first = block * side->block_planes, planes = side->planes - first;
  if (planes > side->block_planes) planes = side->block_planes;
  VerdictBlock b;
  memset(&b, 0, sizeof b);
  b.t = t;
  b.table = table;
  b.side = side;
  b.block = block;
  b.lanes = (size_t)planes * plane;
  for (size_t i = 0; i < planes; i++) facts_of_plane(shared, table, side, first + i, t->work->facts + i * plane);
  SakmakStatus status = read_verdict_block(&b, error);
  for (int turn = WINNER; turn <= LOSER && !status; turn++) {
    status = decode_set(&b, 0, turn, error);
    if (!status) status = decode_set(&b, 1 + rules, turn, error);
  }
  if (status) return status;
  for (int turn = WINNER; turn <= LOSER; turn++) {
    const uint64_t *board = words_of(&b, 0, turn), *in_time = words_of(&b, 1 + rules, turn);
    uint64_t page[PAGE_WORDS], key = key_of_page(side, rules, turn, block);
    size_t n = 0, most = PAGE_WORDS;
    if (turn == asked_turn) words[0] = board[asked_lane], words[1] = in_time[asked_lane];
    for (size_t lane = 0; lane < b.lanes; lane++) {
      page[n++] = board[lane];
      page[n++] = in_time[lane];
      if (n < most && lane + 1 < b.lanes) continue;
      keep(&t->shared->cache, key++, page, n);
      n = 0;
    }
  }
  return SAKMAK_STATUS_OK;
}

/* Whether a side wins on the board (bit 0), and inside a count that begins now (bit 1). */
static SakmakStatus wins_of(Query *t, const VerdictTable *table, const VerdictSide *side,
                            const Position *p, int rules, unsigned *wins, SakmakError *error) {
  const Symmetry *symmetry = &t->shared->symmetries[table->symmetry];
  int king = king_of(p, side->winner), turn = p->turn == side->winner ? WINNER : LOSER;
  int transform = symmetry->transform[king];
  uint64_t plane = 0;
  if (side->bia)
    plane = number_of_bia(side->bia, men_of(p, WHITE, BIA), men_of(p, BLACK, BIA), &transform) * side->bia_stride;
  const uint8_t *image = symmetry->image[transform];
  for (int g = 0; g < side->number_of_groups; g++) {
    const Group *group = &side->groups[g];
    plane += term_of(&t->shared->constants, group, image, men_of(p, group->color, group->role));
  }
  uint64_t block = plane / side->block_planes;
  size_t lane = (size_t)(plane % side->block_planes) * (size_t)symmetry->lanes + symmetry->digit[image[king]];
  size_t lanes_of_page = PAGE_WORDS / 2;
  uint64_t key = key_of_page(side, rules, turn, block) + lane / lanes_of_page;
  uint64_t words[2];
  if (cached(&t->shared->cache, key, lane % lanes_of_page * 2, words, 2)) {
    t->hits++;
  } else {
    t->misses++;
    if (t->only_cached) return fail(error, SAKMAK_STATUS_NOT_DECODED, "a block that is needed has not been decoded");
    if (!can_decode(t)) return no_memory(error);
    SakmakStatus status = decode_verdicts(t, table, side, rules, block, turn, lane, words, error);
    if (status) return status;
  }
  int bit = image[king_of(p, !side->winner)];
  *wins = (unsigned)(words[0] >> bit & 1) | (unsigned)(words[1] >> bit & 1) << 1;
  return SAKMAK_STATUS_OK;
}

static int is_without_wins(const VerdictSide *side) { return side->sets[0].stored == SET_IS_EMPTY; }

static SakmakCategory opposite(SakmakCategory category) { return (SakmakCategory)-(int)category; }

/* The category of a position with a count that begins now, from a verdict table. */
static SakmakStatus verdict_in(Query *t, const VerdictTable *table, const Position *p, int rules,
                               SakmakCategory *category, SakmakError *error) {
  Material m = material_under(rules, p);
  int swapped = is_swapped(&m), even = army_key(&m, WHITE) == army_key(&m, BLACK);
  if (table->file.status) return refused(&table->file, error);
  if (!has_rules(&table->file, rules))
    return missing_rules(&m, swapped ? BLACK : WHITE, "skv", table->file.rule_sets, rules, error);
  Position turned = swapped || even ? flipped(p) : *p;
  for (int color = 0; color < 2; color++) {
    /* If both sides have the same men, Black's wins are stored as White's. */
    int winner = even ? WHITE : color, turn_it = swapped != (even && color == BLACK);
    const Position *asked = turn_it ? &turned : p;
    for (int i = 0; i < table->number_of_sides; i++) {
      const VerdictSide *side = &table->sides[i];
      unsigned wins = 0;
      if (side->winner != winner || is_without_wins(side)) continue;
      SakmakStatus status = wins_of(t, table, side, asked, rules, &wins, error);
      if (status) return status;
      if (!(wins & 1)) continue;
      *category = wins & 2 ? SAKMAK_CATEGORY_WIN : SAKMAK_CATEGORY_CURSED_WIN;
      if (asked->turn != winner) *category = opposite(*category);
      return SAKMAK_STATUS_OK;
    }
  }
  return SAKMAK_STATUS_OK;
}

/* The category from the verdict table of the position's men. `known` becomes 0 if there is no such table. */
static SakmakStatus verdict(Query *t, const Position *p, int rules, int *known,
                            SakmakCategory *category, SakmakError *error) {
  Material m = material_under(rules, p);
  *category = SAKMAK_CATEGORY_DRAW;
  *known = 1;
  if (occupied_of(p) == p->role[KING]) return SAKMAK_STATUS_OK;
  size_t first = first_table(t->shared, VERDICTS, key_of(&m, is_swapped(&m) ? BLACK : WHITE));
  *known = first != NO_TABLE;
  while (*known) {
    size_t number = to_read(t, VERDICTS, first, rules);
    SakmakStatus status = verdict_in(t, &t->shared->verdicts[number], p, rules, category, error);
    if (!status || !set_aside(t, VERDICTS, number, status)) return status;
  }
  return SAKMAK_STATUS_OK;
}

/* ---------------------------------------------------------------------------------------------
 * The count: the moves that the winning side has left.
 */

#define NO_LIMIT 0

/* A line in the table of limits. It applies to an army with at least this many men of the role. */
typedef struct {
  int role, least, limit;
} Limit;
static const Limit MAKRUK_LIMITS[] = {{ROOK, 2, 8}, {ROOK, 1, 16}, {KHON, 2, 22}, {KNIGHT, 2, 32}, {KHON, 1, 44}};
static const Limit ASEAN_LIMITS[] = {{ROOK, 1, 16}, {KHON, 1, 44}, {KNIGHT, 1, 64}};

/* The limit against a bare king, in moves. */
static int pieces_honor_limit(int rules, const Material *m, int stronger) {
  int asean = rules == SAKMAK_RULES_ASEAN, lines = asean ? 3 : 5;
  const Limit *limits = asean ? ASEAN_LIMITS : MAKRUK_LIMITS;
  if (!men_beside(m, stronger) || m->men[stronger][BIA]) return NO_LIMIT;
  int limit = asean ? NO_LIMIT : 64;
  for (int i = lines; i-- > 0;)
    if (m->men[stronger][limits[i].role] >= limits[i].least) limit = limits[i].limit;
  /* In ouk the game is drawn when the count reaches makruk's limit, not when it exceeds the limit. */
  return rules == SAKMAK_RULES_OUK ? limit - 1 : limit;
}

#define OUK_BOARDS_HONOR 63

/* The limit while both sides have men, in moves. */
static int boards_honor_limit(int rules, const Material *m) {
  int white = men_beside(m, WHITE), black = men_beside(m, BLACK);
  if (!white || !black || rules == SAKMAK_RULES_ASEAN) return NO_LIMIT;
  /* Nothing is counted while there is a bia. */
  if (rules == SAKMAK_RULES_MAKRUK) return has_bia(m) ? NO_LIMIT : 64;
  return white < 3 || black < 3 ? OUK_BOARDS_HONOR : NO_LIMIT;
}

/* The moves that the winning side makes before the counter reaches `end`, where the game is drawn unless the last
 * move mates. */
static uint32_t moves_left(uint32_t end, uint32_t counted, int to_move) {
  uint32_t left = end > counted ? end - counted : 0;
  return to_move ? left / 2 + left % 2 : left / 2;
}

static uint32_t one_more(uint32_t number) { return number < UINT32_MAX ? number + 1 : number; }

static int runs(const SakmakCount *count) {
  return count->kind == SAKMAK_COUNT_KIND_RUNNING || count->kind == SAKMAK_COUNT_KIND_BOTH;
}

/* The plies since the last capture or, if these are not given, the counted plies. */
static uint32_t plies_since_capture(const SakmakCount *count) {
  if (count->kind == SAKMAK_COUNT_KIND_FRESH) return 0;
  return count->kind == SAKMAK_COUNT_KIND_BOTH ? count->clock_plies : count->counted_plies;
}

/* The moves that the rules leave `winner`. The kind is none if no rule ends the game. */
static SakmakAllowance allowance_of(int rules, const Material *m, int winner, int turn, const SakmakCount *count) {
  SakmakAllowance honor = {SAKMAK_LIMIT_KIND_NONE, 0, 0, 0, 0}, fifty = honor;
  int to_move = turn == winner, bare = !men_beside(m, !winner);
  if (!men_beside(m, winner)) return honor;
  /* While there is a bia, only ouk's board's honor runs, against a bare king too. */
  SakmakLimitKind kind = bare && !has_bia(m) ? SAKMAK_LIMIT_KIND_PIECES_HONOR : SAKMAK_LIMIT_KIND_BOARDS_HONOR;
  if (runs(count)) {
    honor.kind = kind;
    honor.limit = count->limit_plies / 2;
    honor.counted = to_move ? count->counted_plies / 2 + count->counted_plies % 2 : count->counted_plies / 2;
    honor.started = 1;
    honor.moves_available = moves_left(one_more(count->limit_plies), count->counted_plies, to_move);
  } else if (rules == SAKMAK_RULES_ASEAN && bare && count->kind == SAKMAK_COUNT_KIND_CLOCK && count->counted_plies) {
    /* The count began with the last capture or an earlier one. */
    uint32_t limit = (uint32_t)pieces_honor_limit(rules, m, winner), plies = count->counted_plies;
    if (plies > FIFTY_MOVES_PLIES) plies = FIFTY_MOVES_PLIES;
    if (limit != NO_LIMIT) {
      honor.kind = kind;
      honor.limit = limit;
      honor.counted = to_move ? plies / 2 + plies % 2 : plies / 2;
      honor.started = 1;
      honor.moves_available = moves_left(2 * limit + 1, plies, to_move);
    }
  } else {
    uint32_t limit = (uint32_t)(bare ? pieces_honor_limit(rules, m, winner) : boards_honor_limit(rules, m));
    if (limit != NO_LIMIT) {
      uint32_t men = 2 + (uint32_t)men_beside(m, WHITE) + (uint32_t)men_beside(m, BLACK);
      uint32_t start = bare && rules != SAKMAK_RULES_ASEAN ? men : 0, end = limit + (uint32_t)to_move;
      honor.kind = kind;
      honor.limit = limit;
      honor.counted = start;
      honor.moves_available = end > start ? end - start : 0;
    }
  }
  if (rules != SAKMAK_RULES_ASEAN) return honor;
  uint32_t plies = plies_since_capture(count);
  /* The draw must be claimed, so a game may go on after it. */
  if (plies > FIFTY_MOVES_PLIES) plies = FIFTY_MOVES_PLIES;
  fifty.kind = SAKMAK_LIMIT_KIND_FIFTY_MOVES;
  fifty.limit = FIFTY_MOVES_PLIES / 2;
  fifty.counted = plies / 2;
  fifty.started = plies > 0;
  fifty.moves_available = moves_left(FIFTY_MOVES_PLIES, plies, to_move);
  return honor.kind != SAKMAK_LIMIT_KIND_NONE && honor.moves_available <= fifty.moves_available ? honor : fifty;
}

/* The plies that ASEAN chess's fifty-move rule leaves. */
static uint32_t plies_to_capture(const SakmakCount *count) {
  uint32_t plies = plies_since_capture(count);
  return plies < FIFTY_MOVES_PLIES ? FIFTY_MOVES_PLIES - plies : 0;
}

/* True if the count leaves the winning side no more moves. */
static int is_count_over(const SakmakCount *count, int rules, int winner_to_move) {
  if (rules == SAKMAK_RULES_ASEAN && !plies_to_capture(count)) return 1;
  return runs(count) && !moves_left(one_more(count->limit_plies), count->counted_plies, winner_to_move);
}

/* The category of a distance. A mate on the board takes precedence over an expired count. */
static SakmakCategory judge(Distance distance, const SakmakAllowance *allowance) {
  if (!distance) return SAKMAK_CATEGORY_DRAW;
  int late = allowance->kind != SAKMAK_LIMIT_KIND_NONE && (uint32_t)moves_of(distance) > allowance->moves_available;
  SakmakCategory of_winner = late ? SAKMAK_CATEGORY_CURSED_WIN : SAKMAK_CATEGORY_WIN;
  return distance > 0 ? of_winner : opposite(of_winner);
}

/* The category of a distance to mate against a bare king. */
static SakmakCategory against_bare_king(const Position *p, int rules, const SakmakCount *count, Distance dtm,
                                        SakmakAllowance *allowance) {
  Material m = material_of(p);
  int stronger = men_beside(&m, BLACK) && !men_beside(&m, WHITE) ? BLACK : WHITE;
  int winner = dtm > 0 ? p->turn : dtm < 0 ? !p->turn : stronger;
  *allowance = allowance_of(rules, &m, winner, p->turn, count);
  return judge(dtm, allowance);
}

/* True if a capture by the bare king may gain the time that mate needs, because the fifty-move rule would end the game
 * before the count. */
static int may_be_won_by_a_capture(const Position *p, int rules, const SakmakCount *count, SakmakCategory category) {
  Material m = material_of(p);
  if (category != SAKMAK_CATEGORY_CURSED_WIN && category != SAKMAK_CATEGORY_BLESSED_LOSS) return 0;
  if (rules != SAKMAK_RULES_ASEAN || !late_captures_matter(&m)) return 0;
  if (!runs(count)) return 1;
  uint64_t end = (uint64_t)count->limit_plies + 1, counted = count->counted_plies;
  uint64_t left = end > counted ? end - counted : 0;
  return left >= (uint64_t)plies_to_capture(count) + KNIGHTS_LIMIT_PLIES + 1 - FIFTY_MOVES_PLIES;
}

/* The category if a capture by the bare king may gain time, from the plies until mate or that capture. */
static SakmakCategory with_captures(Distance plies, const SakmakCount *count, SakmakCategory category) {
  if (!plies || (uint32_t)moves_of(plies) > plies_to_capture(count)) return category;
  return plies > 0 ? SAKMAK_CATEGORY_WIN : SAKMAK_CATEGORY_LOSS;
}

/* The category from the distances with men on both sides. In ASEAN chess the distance to honor is in plies. */
static SakmakCategory with_men_on_both_sides(const Position *p, int rules, const SakmakCount *count, Distance dtm,
                                             Distance dth, SakmakAllowance *allowance) {
  Material m = material_of(p);
  Distance first = dth ? dth : dtm;
  int winner = first < 0 ? !p->turn : p->turn;
  *allowance = allowance_of(rules, &m, winner, p->turn, count);
  if (rules == SAKMAK_RULES_ASEAN && dth) {
    SakmakCategory of_winner = (uint32_t)moves_of(dth) <= plies_to_capture(count) ? SAKMAK_CATEGORY_WIN
                                                                                 : SAKMAK_CATEGORY_CURSED_WIN;
    return dth > 0 ? of_winner : opposite(of_winner);
  }
  /* Mate can be forced, but in every line the capture comes too late. */
  if (!dth && dtm) return dtm > 0 ? SAKMAK_CATEGORY_CURSED_WIN : SAKMAK_CATEGORY_BLESSED_LOSS;
  return judge(dth, allowance);
}

static int inside_fresh_count(const Position *p, int rules, Distance dtm) {
  SakmakAllowance allowance;
  return against_bare_king(p, rules, &FRESH, dtm, &allowance) == SAKMAK_CATEGORY_LOSS;
}

/* ---------------------------------------------------------------------------------------------
 * Arguments.
 */

static SakmakStatus check_handle(const SakmakTablebase *t, SakmakError *error) {
  if (!t)
    return fail(error, SAKMAK_STATUS_CLOSED_HANDLE,
                "the tablebase is NULL: it was closed or never opened; open it with sakmak_open");
  if ((uintptr_t)t % sizeof t->mark || t->mark != MARK)
    return fail(error, SAKMAK_STATUS_INVALID_HANDLE, "the pointer is not an open tablebase: pass a handle that sakmak_open returned");
  return SAKMAK_STATUS_OK;
}

static SakmakStatus null_pointer(const char *what, SakmakError *error) {
  return fail(error, SAKMAK_STATUS_NULL_POINTER, "%s is NULL: pass a valid pointer", what);
}

static SakmakStatus check_rules(int32_t rules, SakmakError *error) {
  if (rules >= SAKMAK_RULES_MAKRUK && rules <= SAKMAK_RULES_OUK) return SAKMAK_STATUS_OK;
  return fail(error, SAKMAK_STATUS_BAD_RULES, "%d is not a rule set: pass a value of SakmakRules", (int)rules);
}

static void name_square(int square, char name[3]) {
  name[0] = (char)('a' + square % 8);
  name[1] = (char)('1' + square / 8);
  name[2] = 0;
}

/* The steps of a man. A rook repeats its step until it meets a man. */
static const int8_t (*steps_of(int role, int color, int *n))[2] {
  *n = role == KING || role == KNIGHT ? 8 : role == KHON ? 5 : role == BIA ? 2 : 4;
  return role == KING     ? KING_STEPS
         : role == ROOK   ? ROOK_STEPS
         : role == KNIGHT ? KNIGHT_STEPS
         : role == MET    ? MET_STEPS
         : role == BIA    ? (color == WHITE ? WHITE_BIA_STEPS : BLACK_BIA_STEPS)
         : color == WHITE ? WHITE_KHON_STEPS
                          : BLACK_KHON_STEPS;
}

/* The same result as `attacks`, without the constants of an open tablebase. */
static uint64_t attacks_slowly(int role, int color, int from, uint64_t occupied) {
  int n;
  const int8_t(*steps)[2] = steps_of(role, color, &n);
  uint64_t reached = 0;
  for (int i = 0; i < n; i++)
    for (int to = from; (to = stepped(to, steps[i][0], steps[i][1])) >= 0;) {
      reached |= (uint64_t)1 << to;
      if (role != ROOK || occupied >> to & 1) break;
    }
  return reached;
}

/* True if a man of side `by` attacks a square. Needs no open tablebase. */
static int is_attacked_slowly(const Position *p, int square, int by) {
  for (int role = 0; role < ROLES; role++)
    if (attacks_slowly(role, !by, square, occupied_of(p)) & men_of(p, by, role)) return 1;
  return 0;
}

/* Checks that a position is legal: one man on a square, one king for each side, the kings apart, and the side not to
 * move not in check. */
static SakmakStatus check_position(const Constants *k, const Position *p, SakmakError *error) {
  static const char *const NAMES[2] = {"white", "black"};
  uint64_t roles = 0, doubtful = p->color[WHITE] & p->color[BLACK];
  char name[3];
  for (int role = 0; role < ROLES; role++) {
    doubtful |= roles & p->role[role];
    roles |= p->role[role];
  }
  doubtful |= roles ^ occupied_of(p);
  if (doubtful) {
    name_square(lowest(doubtful), name);
    return fail(error, SAKMAK_STATUS_BAD_POSITION,
                "%s has two men, or a man without a colour or a role: give each square at most one man", name);
  }
  for (int color = 0; color < 2; color++) {
    int kings = count_of(men_of(p, color, KING));
    if (kings != 1)
      return fail(error, SAKMAK_STATUS_BAD_POSITION, "there are %d %s kings on the board: each side needs exactly one",
                  kings, NAMES[color]);
    int side = count_of(p->color[color]);
    if (side > MOST_MEN_OF_A_GAME)
      return fail(error, SAKMAK_STATUS_BAD_POSITION,
                  "there are %d %s men on the board, but a side has at most %d: remove some", side, NAMES[color],
                  MOST_MEN_OF_A_GAME);
    uint64_t late = men_of(p, color, BIA) & LAST_RANK(color);
    if (late) {
      name_square(lowest(late), name);
      return fail(error, SAKMAK_STATUS_BAD_POSITION,
                  "there is a %s bia on %s, its last rank: write the man that it has become", NAMES[color], name);
    }
  }
  int files = king_of(p, WHITE) % 8 - king_of(p, BLACK) % 8, ranks = king_of(p, WHITE) / 8 - king_of(p, BLACK) / 8;
  if (files * files <= 1 && ranks * ranks <= 1)
    return fail(error, SAKMAK_STATUS_BAD_POSITION, "the kings touch each other: move one of them away");
  int waiting = king_of(p, !p->turn);
  if (k ? attackers(k, p, waiting, p->turn) != 0 : is_attacked_slowly(p, waiting, p->turn)) {
    name_square(king_of(p, !p->turn), name);
    return fail(error, SAKMAK_STATUS_BAD_POSITION, "%s is in check on %s but it is not %s's move: change the side to move",
                NAMES[!p->turn], name, NAMES[!p->turn]);
  }
  return SAKMAK_STATUS_OK;
}

static SakmakStatus take_position(const Constants *k, const SakmakPosition *given, Position *p, SakmakError *error) {
  if (!given) return null_pointer("the position", error);
  if (given->turn > 1)
    return fail(error, SAKMAK_STATUS_BAD_POSITION, "%d is not a side: pass a value of SakmakColor", given->turn);
  *p = (Position){{given->white, given->black},
                  {given->kings, given->rooks, given->knights, given->khons, given->mets, given->bia},
                  given->turn};
  return check_position(k, p, error);
}

static void give_position(const Position *p, SakmakPosition *given) {
  *given = (SakmakPosition){p->color[WHITE], p->color[BLACK],  p->role[KING], p->role[ROOK],
                            p->role[KNIGHT], p->role[KHON],    p->role[MET],  (uint8_t)p->turn, p->role[BIA]};
}

/* The count of a caller. NULL is a fresh count, and a limit of 0 means that no count is running. */
static SakmakCount take_count(const SakmakCount *given) {
  if (!given) return FRESH;
  if (given->kind != SAKMAK_COUNT_KIND_RUNNING || given->limit_plies) return *given;
  return given->counted_plies ? (SakmakCount){SAKMAK_COUNT_KIND_CLOCK, 0, given->counted_plies, 0} : FRESH;
}

static SakmakStatus check_count(const Position *p, int rules, const SakmakCount *count, SakmakError *error) {
  if (count->kind < SAKMAK_COUNT_KIND_FRESH || count->kind > SAKMAK_COUNT_KIND_BOTH)
    return fail(error, SAKMAK_STATUS_BAD_COUNT, "%d is not a kind of count: pass a value of SakmakCountKind", (int)count->kind);
  if (!runs(count)) return SAKMAK_STATUS_OK;
  if (!count->limit_plies)
    return fail(error, SAKMAK_STATUS_BAD_COUNT, "the limit of the count is 0: pass a fresh count if none runs");
  Material m = material_of(p);
  int both = men_beside(&m, WHITE) && men_beside(&m, BLACK);
  int with_bia = has_bia(&m), ouk = rules == SAKMAK_RULES_OUK;
  if (both ? boards_honor_limit(rules, &m) == NO_LIMIT : with_bia && !ouk)
    return fail(error, SAKMAK_STATUS_BAD_COUNT, "a count is given, but the rule set counts nothing with these men");
  if (with_bia && count->limit_plies != 2 * OUK_BOARDS_HONOR)
    return fail(error, SAKMAK_STATUS_BAD_COUNT,
                "the limit of the count is %u plies, but while a bia (pawn) is on the board, ouk counts to %d: pass %d plies or "
                "a fresh count",
                (unsigned)count->limit_plies, OUK_BOARDS_HONOR, 2 * OUK_BOARDS_HONOR);
  return SAKMAK_STATUS_OK;
}

static SakmakStatus check_number_of_men(const Position *p, int most, SakmakError *error) {
  int men = count_of(occupied_of(p));
  if (men <= most) return SAKMAK_STATUS_OK;
  return fail(error, SAKMAK_STATUS_NOT_IN_TABLES,
              "the position is not in the tables: it has %d men, and they have at most %d, kings included", men, most);
}

/* Checks that a table may have a position: there are few enough men, and bia only on squares that bia can reach in a
 * game. */
static SakmakStatus check_in_tables(const Position *p, int rules, SakmakError *error) {
  static const char *const RANKS[GAMES][2] = {{"3 to 5", "6 to 4"}, {"3 to 7", "6 to 2"}};
  char name[3];
  Material m = material_under(rules, p);
  SakmakStatus status = check_number_of_men(p, most_men(&m), error);
  if (status || !has_bia(&m)) return status;
  for (int color = 0; color < 2; color++) {
    uint64_t astray = men_of(p, color, BIA) & ~bia_home(m.game, color);
    if (!astray) continue;
    name_square(lowest(astray), name);
    return fail(error, SAKMAK_STATUS_NOT_IN_TABLES,
                "the position is not in the tables: %s's bia on %s is where none comes, and those of the tables stand on "
                "ranks %s",
                color == WHITE ? "White" : "Black", name, RANKS[m.game][color]);
  }
  return SAKMAK_STATUS_OK;
}

/* Begins a query of a handle, under makruk's rules unless others are set. */
static SakmakStatus begin(const SakmakTablebase *handle, Query *t, SakmakError *error) {
  SakmakStatus status = check_handle(handle, error);
  memset(t, 0, sizeof *t);
  t->rules = SAKMAK_RULES_MAKRUK;
  if (!status) t->shared = handle->shared;
  return status;
}

/* Begins a query, and checks all arguments of a probe. */
static SakmakStatus take_question(const SakmakTablebase *handle, Query *t, const SakmakPosition *given, int32_t rules,
                                  const SakmakCount *given_count, Position *p, SakmakCount *count,
                                  SakmakError *error) {
  SakmakStatus status = begin(handle, t, error);
  if (status || (status = check_rules(rules, error)) ||
      (status = take_position(&t->shared->constants, given, p, error)) || (status = check_in_tables(p, rules, error)))
    return status;
  t->rules = rules;
  *count = take_count(given_count);
  return check_count(p, rules, count, error);
}

static SakmakDistance given_distance(Distance d) {
  SakmakDistance given = {d > 0 ? SAKMAK_OUTCOME_WIN : d < 0 ? SAKMAK_OUTCOME_LOSS : SAKMAK_OUTCOME_DRAW,
                          (uint32_t)moves_of(d)};
  return given;
}

static const SakmakDistance NO_DISTANCE = {SAKMAK_OUTCOME_NONE, 0};

/* ---------------------------------------------------------------------------------------------
 * Opening and closing.
 */

static void free_workspace(Workspace *work) {
  ZSTD_freeDCtx(work->zstd);
  free(work->packed);
  free(work->wide);
  free(work->cells);
  free(work->guesses);
  free(work->facts);
  free(work->words);
  free(work);
}

static void free_shared(Shared *shared) {
  for (size_t i = 0; i < shared->number_of_tables; i++) {
    clear_table(&shared->tables[i]);
    free(shared->tables[i].file.path);
  }
  for (size_t i = 0; i < shared->number_of_verdicts; i++) {
    clear_verdicts(&shared->verdicts[i]);
    free(shared->verdicts[i].file.path);
  }
  for (FileState *file = shared->files, *next; file; file = next) {
    next = file->next;
    close_file(file->handle);
    free(file);
  }
  for (Workspace *work = shared->idle, *next; work; work = next) {
    next = work->next;
    free_workspace(work);
  }
  free(shared->tables);
  free(shared->verdicts);
  free(shared->endings);
  for (int game = 0; game < GAMES; game++)
    for (int white = 0; white <= MEN_OF_A_SIDE; white++)
      for (int black = 0; black <= MEN_OF_A_SIDE; black++) free(shared->bia[game][white][black].all);
  free(shared->cache.memory);
  free(shared->cache.words);
  free_lock(&shared->lock);
  free_lock(&shared->file_lock);
  free(shared);
}

/* Asks the system for pages of 2 MiB, so that a page fault occurs only at every 800th block or so. */
static void prefer_huge_pages(void *bytes, size_t length) {
#ifdef MADV_HUGEPAGE
  const size_t huge = (size_t)2 << 20;
  size_t skipped = (0 - (uintptr_t)bytes) % huge;
  if (length >= skipped + huge) (void)madvise((char *)bytes + skipped, (length - skipped) / huge * huge, MADV_HUGEPAGE);
#else
  (void)bytes, (void)length;
#endif
}

/* Makes an empty cache. Returns 0 if memory is short. */
static int fill_cache(Cache *cache, size_t bytes) {
  const size_t line = sizeof(Set), of_pages = WAYS * (size_t)PAGE_BYTES;
  size_t sets = 1;
  while (sets <= bytes / (sizeof(Set) + of_pages) / 2 && sets * 2 * WAYS <= MOST_SLOTS) sets *= 2;
  if (sets > SIZE_MAX / of_pages) return 0;
  cache->number_of_sets = sets;
  cache->memory = calloc(sets + 1, sizeof(Set));
  cache->words = (Atomic *)malloc(sets * of_pages);
  if (!cache->memory || !cache->words) return 0;
  cache->sets = (Set *)((uintptr_t)cache->memory + (line - (uintptr_t)cache->memory % line) % line);
  prefer_huge_pages(cache->sets, sets * sizeof(Set));
  prefer_huge_pages(cache->words, sets * of_pages);
  return 1;
}

/* An empty tablebase, or NULL if memory is short. */
static Shared *new_shared(size_t cache_bytes, size_t most_open) {
  Shared *shared = (Shared *)calloc(1, sizeof *shared);
  if (!shared || !make_lock(&shared->lock)) {
    free(shared);
    return NULL;
  }
  if (!make_lock(&shared->file_lock)) {
    free_lock(&shared->lock);
    free(shared);
    return NULL;
  }
  fill_constants(&shared->constants);
  for (int which = 0; which < SYMMETRIES; which++) fill_symmetry(&shared->symmetries[which], which);
  shared->pages = 1;
  shared->most_open = most_open;
  shared->slots = SLOTS_AT_FIRST;
  shared->endings = (Ending *)calloc(shared->slots, sizeof *shared->endings);
  if (shared->endings && fill_cache(&shared->cache, cache_bytes)) return shared;
  free_shared(shared);
  return NULL;
}

/* Makes a handle, or returns NULL if memory is short. */
static SakmakTablebase *new_handle(Shared *shared) {
  SakmakTablebase *t = (SakmakTablebase *)calloc(1, sizeof *t);
  if (!t) return NULL;
  t->mark = MARK;
  t->shared = shared;
  take_lock(&shared->lock);
  shared->handles++;
  leave_lock(&shared->lock);
  return t;
}

/* The last handle takes the tables with it. */
static void free_handle(SakmakTablebase *t) {
  take_lock(&t->shared->lock);
  long left = --t->shared->handles;
  leave_lock(&t->shared->lock);
  if (!left) free_shared(t->shared);
  t->mark = 0;
  free(t);
}

/* Returns the entry of an ending, and makes it if necessary. NULL if memory is short. */
static Ending *enter(Shared *shared, uint32_t key) {
  Ending *ending = ending_of(shared, key);
  if (ending->key) return ending;
  if (2 * (shared->number_of_endings + 1) > shared->slots) {
    Ending *old = shared->endings;
    size_t before = shared->slots;
    shared->endings = (Ending *)calloc(2 * before, sizeof *old);
    if (!shared->endings) {
      shared->endings = old;
      return NULL;
    }
    shared->slots = 2 * before;
    for (size_t i = 0; i < before; i++)
      if (old[i].key) *ending_of(shared, old[i].key) = old[i];
    free(old);
    ending = ending_of(shared, key);
  }
  shared->number_of_endings++;
  *ending = (Ending){key, {NO_TABLE, NO_TABLE}};
  return ending;
}

static int name_file(Shared *shared, TableFile *file, const char *directory, const char *name) {
  size_t bytes = strlen(directory) + strlen(name) + 2;
  file->next = NO_TABLE;
  file->path = (char *)malloc(bytes);
  file->open = (FileState *)calloc(1, sizeof *file->open);
  if (!file->path || !file->open) {
    free(file->path);
    free(file->open);
    return 0;
  }
  snprintf(file->path, bytes, "%s/%s", directory, name);
  file->open->handle = NO_FILE;
  file->open->next = shared->files;
  shared->files = file->open;
  return 1;
}

static int add_table(Shared *shared, const Material *material, const char *directory, const char *name, ZSTD_DCtx *zstd) {
  Table *tables = (Table *)realloc(shared->tables, (shared->number_of_tables + 1) * sizeof *tables);
  if (!tables) return 0;
  shared->tables = tables;
  Table *table = &tables[shared->number_of_tables];
  memset(table, 0, sizeof *table);
  table->material = *material;
  table->is_even = army_key(material, WHITE) == army_key(material, BLACK);
  if (!name_file(shared, &table->file, directory, name)) return 0;
  shared->number_of_tables++;
  open_table(shared, table, zstd);
  return 1;
}

static int add_verdicts(Shared *shared, const Material *material, const char *directory, const char *name,
                        ZSTD_DCtx *zstd) {
  VerdictTable *tables = (VerdictTable *)realloc(shared->verdicts, (shared->number_of_verdicts + 1) * sizeof *tables);
  if (!tables) return 0;
  shared->verdicts = tables;
  VerdictTable *table = &tables[shared->number_of_verdicts];
  memset(table, 0, sizeof *table);
  table->material = *material;
  if (!name_file(shared, &table->file, directory, name)) return 0;
  shared->number_of_verdicts++;
  open_verdicts(shared, table, zstd);
  return 1;
}

/* Where to store the index of an ending's next table of a kind, after the tables of earlier directories. NULL if this
 * directory has such a table already. */
static uint16_t *after_the_last(Shared *shared, Ending *ending, int kind, const char *directory, const char *name) {
  uint16_t *place = &ending->tables[kind];
  size_t length = strlen(directory);
  while (*place != NO_TABLE) {
    TableFile *file = file_of(shared, kind, *place);
    if (!strncmp(file->path, directory, length) && file->path[length] == '/' && !strcmp(file->path + length + 1, name))
      return NULL;
    place = &file->next;
  }
  return place;
}

/* Adds the table in a file. It is read only if the tables of earlier directories are damaged or lack the rule set. */
static int add_file(Shared *shared, const char *directory, const char *name, ZSTD_DCtx *zstd, size_t *added) {
  size_t length = strlen(name), suffix = strlen(SUFFIX);
  Material material;
  if (length <= suffix || !read_name(name, length - suffix, &material)) return 1;
  int kind = !strcmp(name + length - suffix, VERDICT_SUFFIX) ? VERDICTS : DISTANCES;
  if (kind == DISTANCES && strcmp(name + length - suffix, SUFFIX)) return 1;
  size_t number = kind == VERDICTS ? shared->number_of_verdicts : shared->number_of_tables;
  Ending *ending = enter(shared, key_of(&material, WHITE));
  if (!ending) return 0;
  if (number == NO_TABLE || !after_the_last(shared, ending, kind, directory, name)) return 1;
  int men = 2 + men_beside(&material, WHITE) + men_beside(&material, BLACK);
  if (men > shared->most_men) shared->most_men = men;
  *added += ending->tables[DISTANCES] == NO_TABLE && ending->tables[VERDICTS] == NO_TABLE;
  if (!(kind == VERDICTS ? add_verdicts : add_table)(shared, &material, directory, name, zstd)) return 0;
  /* This comes last, since the tables may have moved in memory. */
  *after_the_last(shared, ending, kind, directory, name) = (uint16_t)number;
  shared->not_opened += is_lack_of_files(file_of(shared, kind, number)->error);
  return 1;
}

static SakmakStatus COLD bad_directory(const char *directory, SakmakError *error) {
  char words[MOST_WORDS_OF_SYSTEM];
  return fail(error, SAKMAK_STATUS_BAD_DIRECTORY, "%s cannot be read%s: check that the directory exists and that you may read it",
              directory, system_words(last_error(), words));
}

static SakmakStatus add_tables(Shared *shared, const char *directory, size_t *added, SakmakError *error) {
  Workspace *work = borrow(shared);
  int room = 1;
  if (!work) return no_memory(error);
  shared->not_opened = 0;
#ifdef _WIN32
  WIN32_FIND_DATAA found;
  size_t length = strlen(directory) + 8;
  char *pattern = (char *)malloc(length);
  HANDLE search = INVALID_HANDLE_VALUE;
  if (pattern) {
    snprintf(pattern, length, "%s/*.sk?", directory);
    search = FindFirstFileA(pattern, &found);
  }
  int is_there = !pattern || search != INVALID_HANDLE_VALUE || last_error() == ERROR_FILE_NOT_FOUND;
  room = pattern != NULL;
  SakmakStatus status = is_there ? SAKMAK_STATUS_OK : bad_directory(directory, error);
  free(pattern);
  if (search != INVALID_HANDLE_VALUE) {
    do room = add_file(shared, directory, found.cFileName, work->zstd, added);
    while (room && FindNextFileA(search, &found));
    FindClose(search);
  }
#else
  DIR *open = opendir(directory);
  SakmakStatus status = open ? SAKMAK_STATUS_OK : bad_directory(directory, error);
  if (open) {
    for (struct dirent *entry; room && (entry = readdir(open));)
      room = add_file(shared, directory, entry->d_name, work->zstd, added);
    closedir(open);
  }
#endif
  /* The memory of the first decoding is ready before it. */
  room &= make_room(shared, work);
  give_back(shared, work);
  if (!room) return no_memory(error);
  if (!status && shared->not_opened)
    status = unreadable(error, TOO_MANY_FILES, "%s: %lu of its tables cannot be opened", directory,
                        (unsigned long)shared->not_opened);
  return status;
}

const char *sakmak_version(void) { return VERSION; }

/* Passes a failure to the caller, joined to an earlier one. */
static void say(SakmakError *error, const SakmakError *failure, int after_another) {
  if (!error) return;
  size_t said = after_another ? strlen(error->message) : 0;
  error->status = failure->status;
  snprintf(error->message + said, sizeof error->message - said, "%s%s", said ? "; " : "", failure->message);
}

SakmakStatus sakmak_open(const char *directories, const SakmakOptions *options, SakmakTablebase **handle,
                         SakmakError *error) {
  if (!handle) return null_pointer("the pointer for the tablebase", error);
  for (size_t i = 0; options && i < sizeof options->reserved / sizeof *options->reserved; i++)
    if (options->reserved[i])
      return fail(error, SAKMAK_STATUS_BAD_OPTION, "the reserved options are not 0: start from `SakmakOptions options = {0};`");
  if (options && options->access > SAKMAK_ACCESS_WHOLE)
    return fail(error, SAKMAK_STATUS_BAD_OPTION, "%d is not an access mode: pass a value of SakmakAccess", options->access);
  size_t cache_bytes = options && options->cache_bytes ? options->cache_bytes : DEFAULT_CACHE_BYTES;
  Shared *shared = new_shared(cache_bytes, options ? options->most_open : 0);
  if (!shared) return no_memory(error);
  SakmakTablebase *t = new_handle(shared);
  if (!t) {
    free_shared(shared);
    return no_memory(error);
  }
  SakmakStatus status = SAKMAK_STATUS_OK;
  size_t added = 0;
  int opened = 0;
  char *list = directories ? (char *)malloc(strlen(directories) + 1) : NULL;
  if (directories && !list) status = no_memory(error);
  if (list) strcpy(list, directories);
  for (char *at = list; at && status != SAKMAK_STATUS_NO_MEMORY;) {
    char *end = strchr(at, DIRECTORY_SEPARATOR_OF_LISTS);
    if (end) *end++ = 0;
    if (*at) {
      SakmakError failure;
      SakmakStatus of_one = add_tables(shared, at, &added, &failure);
      opened |= of_one == SAKMAK_STATUS_OK || of_one == SAKMAK_STATUS_UNREADABLE_TABLE;
      if (of_one) {
        say(error, &failure, status != SAKMAK_STATUS_OK);
        status = of_one;
      }
    }
    at = end;
  }
  free(list);
  /* If only some directories or files failed, the other tables are still useful. */
  if (!status || (status != SAKMAK_STATUS_NO_MEMORY && opened)) *handle = t;
  else free_handle(t);
  return status;
}

SakmakStatus sakmak_add_directory(SakmakTablebase *handle, const char *directory, size_t *added,
                                  SakmakError *error) {
  size_t new_ones = 0;
  SakmakStatus status = check_handle(handle, error);
  if (status) return status;
  if (!directory) return null_pointer("the directory", error);
  status = add_tables(handle->shared, directory, &new_ones, error);
  if ((!status || status == SAKMAK_STATUS_UNREADABLE_TABLE) && added) *added = new_ones;
  return status;
}

SakmakStatus sakmak_thread(const SakmakTablebase *handle, size_t cache_bytes, SakmakTablebase **other,
                           SakmakError *error) {
  SakmakStatus status = check_handle(handle, error);
  (void)cache_bytes;
  if (status) return status;
  if (!other) return null_pointer("the pointer for the tablebase", error);
  SakmakTablebase *t = new_handle(handle->shared);
  if (!t) return no_memory(error);
  *other = t;
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_close(SakmakTablebase **handle, SakmakError *error) {
  if (!handle) return null_pointer("the pointer to the handle", error);
  if (!*handle) return SAKMAK_STATUS_OK;
  SakmakStatus status = check_handle(*handle, error);
  if (status) return status;
  free_handle(*handle);
  *handle = NULL;
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_tables(const SakmakTablebase *handle, size_t *tables, size_t *most_men, SakmakError *error) {
  SakmakStatus status = check_handle(handle, error);
  if (status) return status;
  if (tables) *tables = handle->shared->number_of_endings;
  if (most_men) *most_men = (size_t)handle->shared->most_men;
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_cache_statistics(const SakmakTablebase *handle, uint64_t *hits, uint64_t *misses, SakmakError *error) {
  SakmakStatus status = check_handle(handle, error);
  if (status) return status;
  uint64_t sums[2] = {0, 0};
  for (int i = 0; i < TALLIES; i++) {
    sums[0] += load(&handle->shared->cache.tallies[i].hits);
    sums[1] += load(&handle->shared->cache.tallies[i].misses);
  }
  if (hits) *hits = sums[0];
  if (misses) *misses = sums[1];
  return SAKMAK_STATUS_OK;
}

/* ---------------------------------------------------------------------------------------------
 * Probing.
 */

SakmakStatus sakmak_has_table(const SakmakTablebase *handle, const SakmakPosition *position, uint8_t *has,
                              SakmakError *error) {
  Position p;
  SakmakStatus status = check_handle(handle, error);
  if (status || (status = take_position(&handle->shared->constants, position, &p, error))) return status;
  if (!has) return null_pointer("the pointer for the answer", error);
  Material m = material_of(&p);
  int two_kings = occupied_of(&p) == p.role[KING];
  *has = two_kings || (count_of(occupied_of(&p)) <= MOST_MEN && first_table(handle->shared, DISTANCES, key_of(&m, is_swapped(&m) ? BLACK : WHITE)) != NO_TABLE);
  return SAKMAK_STATUS_OK;
}

/* True if the table stores this side to move. With the same men on both sides it stores both. */
static SakmakStatus is_stored(Query *t, const Position *p, int *stored, SakmakError *error) {
  const Table *table;
  int swapped;
  *stored = 1;
  if (occupied_of(p) == p->role[KING]) return SAKMAK_STATUS_OK;
  SakmakStatus status = find_table(t, p, &table, &swapped, error);
  if (!status) *stored = table->is_even || table->section_of[METRIC_DTM][swapped ? !p->turn : p->turn] >= 0;
  return status;
}

SakmakStatus sakmak_is_stored(const SakmakTablebase *handle, const SakmakPosition *position, uint8_t *stored,
                              SakmakError *error) {
  Position p;
  Query t;
  int yes;
  SakmakStatus status = begin(handle, &t, error);
  if (status || (status = take_position(&t.shared->constants, position, &p, error))) return status;
  if (!stored) return null_pointer("the pointer for the answer", error);
  if ((status = is_stored(&t, &p, &yes, error))) return status;
  *stored = (uint8_t)yes;
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_dtm(const SakmakTablebase *handle, const SakmakPosition *position, SakmakDistance *dtm,
                        SakmakError *error) {
  Position p;
  Query t;
  Distance distance;
  SakmakStatus status = begin(handle, &t, error);
  if (status || (status = take_position(&t.shared->constants, position, &p, error))) return status;
  if (!dtm) return null_pointer("the pointer for the distance", error);
  status = distance_of(&t, METRIC_DTM, &p, &distance, error);
  if (!status) *dtm = given_distance(distance);
  return finish(&t, status);
}

static SakmakStatus probe(Query *t, const Position *p, int rules, const SakmakCount *count,
                          SakmakValue *value, SakmakError *error);

/* The category of a bare king's capture in ASEAN chess, for the player who makes it. The capture restarts the
 * fifty-move rule, but not the count. */
static SakmakStatus after_bare_capture(Query *t, const Position *p, const Position *next,
                                       const SakmakCount *count, SakmakCategory *category, SakmakError *error) {
  Material m = material_of(p);
  uint32_t limit = (uint32_t)pieces_honor_limit(SAKMAK_RULES_ASEAN, &m, !p->turn);
  SakmakCount after = FRESH;
  SakmakValue value;
  if (runs(count)) after = (SakmakCount){SAKMAK_COUNT_KIND_BOTH, count->limit_plies, count->counted_plies, 0};
  else if (limit != NO_LIMIT)
    after = (SakmakCount){SAKMAK_COUNT_KIND_BOTH, 2 * limit,
                          count->kind == SAKMAK_COUNT_KIND_CLOCK ? count->counted_plies : 0, 0};
  if (runs(&after) && after.counted_plies < UINT32_MAX) after.counted_plies++;
  SakmakStatus status = probe(t, next, SAKMAK_RULES_ASEAN, &after, &value, error);
  if (!status) *category = opposite(value.category);
  return status;
}

/* The category of a position in which the fifty-move rule would save a bare king whose only moves are captures, under a
 * limit that no game reaches. For limits of real games the stored distances take this into account. */
static SakmakStatus forced_capture(Query *t, const Position *p, int rules, const SakmakCount *count,
                                   SakmakCategory *category, SakmakError *error) {
  Material m = material_of(p);
  SakmakAllowance allowance = allowance_of(rules, &m, !p->turn, p->turn, count);
  if (*category != SAKMAK_CATEGORY_BLESSED_LOSS || allowance.kind != SAKMAK_LIMIT_KIND_FIFTY_MOVES ||
      !plies_to_capture(count))
    return SAKMAK_STATUS_OK;
  Move moves[SAKMAK_MAX_MOVES];
  int n = legal_moves(&t->shared->constants, p, game_of(rules), moves);
  for (int i = 0; i < n; i++)
    if (!is_capture(p, moves[i])) return SAKMAK_STATUS_OK;
  SakmakCategory best = *category, found;
  for (int i = 0; i < n; i++) {
    Position next = after_move(p, moves[i]);
    SakmakStatus status = after_bare_capture(t, p, &next, count, &found, error);
    if (status) return status;
    if (!i || found > best) best = found;
  }
  *category = best;
  return SAKMAK_STATUS_OK;
}

/* Corrects the category of a position with a bare king whose captures gain time. */
static SakmakStatus late_captures(Query *t, const Position *p, int rules, const SakmakCount *count,
                                  SakmakCategory *category, SakmakError *error) {
  Distance plies;
  if (!may_be_won_by_a_capture(p, rules, count, *category)) return forced_capture(t, p, rules, count, category, error);
  SakmakStatus status = distance_of(t, METRIC_DTH_ASEAN, p, &plies, error);
  if (!status) *category = with_captures(plies, count, *category);
  return status;
}

/* True if a verdict table shows that neither side can win, with men on both sides. About half of all positions are
 * drawn, and a verdict table takes less decoding than a distance table. False if there are no distances. */
static int is_drawn(Query *t, const Position *p, int rules) {
  const Table *table;
  SakmakCategory category;
  int swapped, known;
  if (is_bare(p) || find_table(t, p, &table, &swapped, NULL)) return 0;
  return !verdict(t, p, rules, &known, &category, NULL) && known && category == SAKMAK_CATEGORY_DRAW;
}

static SakmakStatus probe(Query *t, const Position *p, int rules, const SakmakCount *count,
                          SakmakValue *value, SakmakError *error) {
  Distance dtm = 0, dth;
  SakmakStatus status = SAKMAK_STATUS_OK;
  if (!is_drawn(t, p, rules)) status = distance_of(t, METRIC_DTM, p, &dtm, error);
  if (status) return status;
  value->dtm = given_distance(dtm);
  value->dth = NO_DISTANCE;
  if (is_bare(p)) {
    value->category = against_bare_king(p, rules, count, dtm, &value->allowance);
    return late_captures(t, p, rules, count, &value->category, error);
  }
  dth = dtm; /* Without a forced mate there is none inside the count. */
  if (dtm && (status = distance_of(t, METRIC_DTH_MAKRUK + rules, p, &dth, error))) return status;
  value->dth = given_distance(in_moves(METRIC_DTH_MAKRUK + rules, dth));
  value->category = with_men_on_both_sides(p, rules, count, dtm, dth, &value->allowance);
  return SAKMAK_STATUS_OK;
}

static SakmakStatus answer(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                           const SakmakCount *count, int only_cached, SakmakValue *value, SakmakError *error) {
  Position p;
  SakmakCount c;
  SakmakValue found;
  Query t;
  memset(&found, 0, sizeof found);
  SakmakStatus status = take_question(handle, &t, position, rules, count, &p, &c, error);
  if (status) return status;
  if (!value) return null_pointer("the pointer for the value", error);
  t.only_cached = only_cached;
  status = probe(&t, &p, rules, &c, &found, error);
  if (!status) *value = found;
  return finish(&t, status);
}

SakmakStatus sakmak_probe(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                          const SakmakCount *count, SakmakValue *value, SakmakError *error) {
  return answer(handle, position, rules, count, 0, value, error);
}

SakmakStatus sakmak_probe_cached(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                                 const SakmakCount *count, SakmakValue *value, SakmakError *error) {
  return answer(handle, position, rules, count, 1, value, error);
}

/* The slowest win inside the moves left to the side to move. A faster win has the same category. */
static Distance inside(const Position *p, int rules, const SakmakCount *count) {
  Material m = material_of(p);
  SakmakAllowance allowance = allowance_of(rules, &m, p->turn, p->turn, count);
  uint32_t left = allowance.kind == SAKMAK_LIMIT_KIND_NONE ? UINT16_MAX : allowance.moves_available;
  if (rules == SAKMAK_RULES_ASEAN && !is_bare(p)) left = plies_to_capture(count);
  return left > UINT16_MAX ? win_in(UINT16_MAX) : win_in((int)left);
}

/* The least and the greatest category of a position, from its category with a count that begins now. */
static SakmakCategoryBounds bounds_of(const Position *p, const Material *m, int rules, const SakmakCount *count,
                                      SakmakCategory fresh) {
  SakmakCategoryBounds exact = {fresh, fresh};
  if (count->kind == SAKMAK_COUNT_KIND_FRESH || fresh == SAKMAK_CATEGORY_DRAW) return exact;
  int winner = fresh > SAKMAK_CATEGORY_DRAW ? p->turn : !p->turn;
  int in_time = fresh == SAKMAK_CATEGORY_WIN || fresh == SAKMAK_CATEGORY_LOSS;
  SakmakAllowance now = allowance_of(rules, m, winner, p->turn, count);
  SakmakAllowance then = allowance_of(rules, m, winner, p->turn, &FRESH);
  uint32_t left = now.kind == SAKMAK_LIMIT_KIND_NONE ? UINT32_MAX : now.moves_available;
  uint32_t left_then = then.kind == SAKMAK_LIMIT_KIND_NONE ? UINT32_MAX : then.moves_available;
  /* In ASEAN chess a capture may gain more time than the count leaves. */
  if (rules != SAKMAK_RULES_ASEAN && (in_time ? left >= left_then : left <= left_then)) return exact;
  SakmakCategoryBounds won = {SAKMAK_CATEGORY_CURSED_WIN, SAKMAK_CATEGORY_WIN};
  SakmakCategoryBounds lost = {SAKMAK_CATEGORY_LOSS, SAKMAK_CATEGORY_BLESSED_LOSS};
  return fresh > SAKMAK_CATEGORY_DRAW ? won : lost;
}

static SakmakStatus category_of(Query *t, const Position *p, int rules, const SakmakCount *count,
                                SakmakCategory *category, SakmakError *error) {
  SakmakAllowance allowance;
  Distance dtm = 0, dth;
  Material m = material_under(rules, p);
  SakmakCategory found;
  int known;
  SakmakStatus status = verdict(t, p, rules, &known, &found, error);
  if (!status && known) {
    SakmakCategoryBounds bounds = bounds_of(p, &m, rules, count, found);
    if (bounds.least == bounds.most) {
      *category = found;
      return SAKMAK_STATUS_OK;
    }
  }
  /* If there are distances, a verdict table that cannot be used counts as missing. */
  if (status && first_table(t->shared, DISTANCES, key_of(&m, is_swapped(&m) ? BLACK : WHITE)) == NO_TABLE) return status;
  Distance enough = inside(p, rules, count);
  if (is_bare(p)) {
    if ((status = distance_or_enough(t, METRIC_DTM, p, enough, &dtm, error))) return status;
    found = against_bare_king(p, rules, count, dtm, &allowance);
    if ((status = late_captures(t, p, rules, count, &found, error))) return status;
    *category = found;
    return SAKMAK_STATUS_OK;
  }
  if ((status = distance_or_enough(t, METRIC_DTH_MAKRUK + rules, p, enough, &dth, error))) return status;
  /* The distance matters only if the count takes every win away: it shows the side that could mate. */
  if (!dth && (status = distance_or_enough(t, METRIC_DTM, p, win_in(UINT16_MAX), &dtm, error))) return status;
  *category = with_men_on_both_sides(p, rules, count, dtm, dth, &allowance);
  return SAKMAK_STATUS_OK;
}

static SakmakStatus answer_category(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                                    const SakmakCount *given_count, int only_cached, SakmakCategory *category,
                                    SakmakError *error) {
  Position p;
  SakmakCount count;
  Query t;
  SakmakStatus status = take_question(handle, &t, position, rules, given_count, &p, &count, error);
  if (status) return status;
  if (!category) return null_pointer("the pointer for the category", error);
  t.only_cached = only_cached;
  return finish(&t, category_of(&t, &p, rules, &count, category, error));
}

SakmakStatus sakmak_category(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                             const SakmakCount *count, SakmakCategory *category, SakmakError *error) {
  return answer_category(handle, position, rules, count, 0, category, error);
}

SakmakStatus sakmak_category_cached(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                                    const SakmakCount *count, SakmakCategory *category, SakmakError *error) {
  return answer_category(handle, position, rules, count, 1, category, error);
}

SakmakStatus sakmak_category_bounds(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                                    const SakmakCount *given_count, SakmakCategoryBounds *bounds, SakmakError *error) {
  Position p;
  SakmakCount count;
  Query t;
  SakmakStatus status = take_question(handle, &t, position, rules, given_count, &p, &count, error);
  if (status) return status;
  if (!bounds) return null_pointer("the pointer for the bounds", error);
  Material m = material_of(&p);
  SakmakCategory found;
  int known;
  status = verdict(&t, &p, rules, &known, &found, NULL);
  if (!status && known) {
    *bounds = bounds_of(&p, &m, rules, &count, found);
  } else {
    status = category_of(&t, &p, rules, &count, &found, error);
    if (!status) bounds->least = bounds->most = found;
  }
  return finish(&t, status);
}

SakmakStatus sakmak_is_insufficient(const SakmakPosition *position, int32_t rules, uint8_t *insufficient,
                                    SakmakError *error) {
  Position p;
  SakmakStatus status = check_rules(rules, error);
  if (status || (status = take_position(NULL, position, &p, error))) return status;
  if (!insufficient) return null_pointer("the pointer for the answer", error);
  uint64_t men = occupied_of(&p) & ~p.role[KING];
  uint64_t weak = p.role[KNIGHT] | p.role[MET] | (rules == SAKMAK_RULES_ASEAN ? 0 : p.role[BIA]);
  *insufficient = !(men & (men - 1)) && !(men & ~weak);
  return SAKMAK_STATUS_OK;
}

/* ---------------------------------------------------------------------------------------------
 * Moves at the root.
 */

static const char LETTERS[2][ROLES + 1] = {"KRNSMP", "KRNBQP"};

static const char *letters_of(int rules) { return LETTERS[rules == SAKMAK_RULES_ASEAN]; }

/* Writes a move in SAN. */
static void write_san(const Constants *k, const Position *p, const Move *moves, int n, Move m, int rules, char *san) {
  char *out = san, from[3], to[3];
  int others = 0, same_file = 0, same_rank = 0;
  name_square(m.from, from);
  name_square(m.to, to);
  if (m.role != BIA) *out++ = letters_of(rules)[m.role];
  else if (is_capture(p, m)) *out++ = from[0];
  for (int i = 0; i < n && m.role != BIA; i++) {
    if (moves[i].role != m.role || moves[i].to != m.to || moves[i].from == m.from) continue;
    others = 1;
    same_file |= moves[i].from % 8 == m.from % 8;
    same_rank |= moves[i].from / 8 == m.from / 8;
  }
  if (others && (!same_file || same_rank)) *out++ = from[0];
  if (others && same_file) *out++ = from[1];
  if (is_capture(p, m)) *out++ = 'x';
  *out++ = to[0];
  *out++ = to[1];
  if (m.becomes != m.role) {
    *out++ = '=';
    *out++ = letters_of(rules)[m.becomes];
  }
  Position next = after_move(p, m);
  Move replies[SAKMAK_MAX_MOVES];
  if (is_check(k, &next)) *out++ = legal_moves(k, &next, game_of(rules), replies) ? '+' : '#';
  *out = 0;
}

typedef struct {
  SakmakMove move;
  int category, distance, dtm, only_reply;
} Ranked;

/* With bia in ASEAN chess, each step of a bia ends the distance to honor, so that to mate comes first (`by_mate`). */
static int is_better(const Ranked *a, const Ranked *b, int by_mate) {
  if (a->category != b->category) return a->category > b->category;
  if (!by_mate && a->distance != b->distance) return a->distance > b->distance;
  if (a->dtm != b->dtm) return a->dtm > b->dtm;
  if (a->distance != b->distance) return a->distance > b->distance;
  return a->only_reply > b->only_reply;
}

/* True if the side to move has several moves, and all but one lose. */
static SakmakStatus has_only_reply(Query *t, const Position *p, int *yes, SakmakError *error) {
  Move moves[SAKMAK_MAX_MOVES];
  int n = legal_moves(&t->shared->constants, p, game_of(t->rules), moves), holding = 0;
  for (int i = 0; i < n; i++) {
    Position next = after_move(p, moves[i]);
    Distance dtm;
    SakmakStatus status = distance_of(t, METRIC_DTM, &next, &dtm, error);
    if (status) return status;
    holding += before_move(dtm) >= 0;
  }
  *yes = n > 1 && holding == 1;
  return SAKMAK_STATUS_OK;
}

/* Computes the distances and the category of a move, for the player who makes it. */
static SakmakStatus rank(Query *t, const Position *p, Move m, int rules, const SakmakCount *count, Ranked *ranked,
                         SakmakError *error) {
  Position after_it = after_move(p, m);
  const Position *next = &after_it;
  int capture = is_capture(p, m);
  Distance after, dtm, dth;
  SakmakAllowance allowance;
  SakmakStatus status = distance_of(t, METRIC_DTM, next, &after, error);
  if (status) return status;
  dtm = before_move(after);
  ranked->dtm = dtm;
  ranked->move.dtm = given_distance(dtm);
  ranked->move.checkmate = dtm == win_in(1);
  ranked->move.dth = NO_DISTANCE;
  ranked->distance = dtm;
  if (is_bare(p)) {
    if (capture && rules == SAKMAK_RULES_ASEAN && plies_to_capture(count)) {
      SakmakCategory category;
      if ((status = after_bare_capture(t, p, next, count, &category, error))) return status;
      ranked->move.category = category;
      return SAKMAK_STATUS_OK;
    }
    ranked->move.category = against_bare_king(p, rules, count, dtm, &allowance);
    if (!may_be_won_by_a_capture(p, rules, count, ranked->move.category)) return SAKMAK_STATUS_OK;
    status = capture ? after_capture(t, METRIC_DTH_ASEAN, next, &dth, error)
                     : distance_of(t, METRIC_DTH_ASEAN, next, &dth, error);
    if (status) return status;
    ranked->move.category = with_captures(before_ply(dth), count, ranked->move.category);
    return SAKMAK_STATUS_OK;
  }
  if (begins_after_bia(rules, p, next)) {
    /* The last bia is gone, so the count begins. */
    SakmakValue value;
    memset(&value, 0, sizeof value);
    if ((status = probe(t, next, rules, &FRESH, &value, error))) return status;
    ranked->move.category = opposite(value.category);
    ranked->move.begins = value.allowance;
    dth = value.category == SAKMAK_CATEGORY_LOSS ? win_in(1) : value.category == SAKMAK_CATEGORY_WIN ? loss_in(0) : 0;
    /* The count or the fifty-move rule may have ended the game before. */
    if (dth > 0 && is_count_over(count, rules, 1)) ranked->move.category = SAKMAK_CATEGORY_CURSED_WIN;
    if (dth < 0 && rules == SAKMAK_RULES_ASEAN && !plies_to_capture(count))
      ranked->move.category = SAKMAK_CATEGORY_BLESSED_LOSS;
  } else if (!is_bare(next)) {
    if ((status = distance_of(t, METRIC_DTH_MAKRUK + rules, next, &dth, error))) return status;
    int metric = METRIC_DTH_MAKRUK + rules;
    dth = before(metric, (capture || m.role == BIA) && rules == SAKMAK_RULES_ASEAN ? after_restart(dth) : dth);
    ranked->move.category = with_men_on_both_sides(p, rules, count, dtm, dth, &allowance);
    dth = in_moves(metric, dth);
  } else {
    /* The last man is captured, so the count against the bare king begins. */
    ranked->move.category = opposite(against_bare_king(next, rules, &FRESH, after, &allowance));
    dth = ranked->move.category == SAKMAK_CATEGORY_WIN ? win_in(1) : 0;
    if (dth && is_count_over(count, rules, 1)) ranked->move.category = SAKMAK_CATEGORY_CURSED_WIN;
  }
  ranked->move.dth = given_distance(dth);
  ranked->distance = dth;
  return SAKMAK_STATUS_OK;
}

/* Ranks the legal moves, best first. */
static SakmakStatus rank_moves(Query *t, const Position *p, int rules, const SakmakCount *count, const Move *legal, int n,
                               Ranked *ranked, SakmakError *error) {
  const Constants *k = &t->shared->constants;
  SakmakStatus status;
  /* Only a side with men can win after the opponent's mistake. */
  int look_further = 0;
  if ((p->color[p->turn] & ~p->role[KING]) && (status = is_stored(t, p, &look_further, error))) return status;
  int by_mate = p->role[BIA] && game_of(rules) == ASEAN;
  for (int i = 0; i < n; i++) {
    Ranked r;
    memset(&r, 0, sizeof r);
    Position next = after_move(p, legal[i]);
    if ((status = rank(t, p, legal[i], rules, count, &r, error))) return status;
    if (!r.dtm && look_further && (status = has_only_reply(t, &next, &r.only_reply, error))) return status;
    r.category = r.move.category;
    r.move.from = legal[i].from;
    r.move.to = legal[i].to;
    r.move.capture = (uint8_t)is_capture(p, legal[i]);
    name_square(legal[i].from, r.move.uci);
    name_square(legal[i].to, r.move.uci + 2);
    if (legal[i].becomes != legal[i].role) r.move.uci[4] = (char)(letters_of(rules)[legal[i].becomes] - 'A' + 'a');
    write_san(k, p, legal, n, legal[i], rules, r.move.san);
    /* Equally good moves stay in the order of the legal moves. */
    int at = i;
    for (; at > 0 && is_better(&r, &ranked[at - 1], by_mate); at--) ranked[at] = ranked[at - 1];
    ranked[at] = r;
  }
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_best_moves(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                               const SakmakCount *count, SakmakMove *moves, size_t capacity, size_t *number,
                               SakmakError *error) {
  Position p;
  SakmakCount c;
  Query t;
  SakmakStatus status = take_question(handle, &t, position, rules, count, &p, &c, error);
  if (status) return status;
  if (!number) return null_pointer("the pointer for the number of moves", error);
  if (capacity && !moves) return null_pointer("the pointer for the moves", error);
  Move legal[SAKMAK_MAX_MOVES];
  Ranked ranked[SAKMAK_MAX_MOVES];
  int n = legal_moves(&t.shared->constants, &p, game_of(rules), legal);
  status = rank_moves(&t, &p, rules, &c, legal, n, ranked, error);
  if (status) return finish(&t, status);
  for (size_t i = 0; i < (size_t)n && i < capacity; i++) moves[i] = ranked[i].move;
  *number = (size_t)n;
  return finish(&t, SAKMAK_STATUS_OK);
}

/* ---------------------------------------------------------------------------------------------
 * Positions from men and FENs.
 */

SakmakStatus sakmak_position_from_men(const uint8_t *squares, const uint8_t *colors, const uint8_t *roles,
                                      size_t men, uint8_t turn, SakmakPosition *position, SakmakError *error) {
  Position p;
  memset(&p, 0, sizeof p);
  if (!position) return null_pointer("the pointer for the position", error);
  if (men > 2 * MOST_MEN_OF_A_GAME)
    return fail(error, SAKMAK_STATUS_BAD_POSITION, "there are %lu men, but a game has at most %d: remove some",
                (unsigned long)men, 2 * MOST_MEN_OF_A_GAME);
  if (!squares || !colors || !roles) return null_pointer("a list of men", error);
  for (size_t i = 0; i < men; i++) {
    if (squares[i] > 63 || colors[i] > 1 || roles[i] >= ROLES)
      return fail(error, SAKMAK_STATUS_BAD_POSITION, "man %u has a square, colour or role that there is not",
                  (unsigned)i);
    uint64_t square = (uint64_t)1 << squares[i];
    if (occupied_of(&p) & square)
      return fail(error, SAKMAK_STATUS_BAD_POSITION, "two men stand on one square: give each its own");
    p.color[colors[i]] |= square;
    p.role[roles[i]] |= square;
  }
  if (turn > 1) return fail(error, SAKMAK_STATUS_BAD_POSITION, "%d is not a side: pass a value of SakmakColor", turn);
  p.turn = turn;
  SakmakStatus status = check_position(NULL, &p, error);
  if (!status) status = check_number_of_men(&p, MOST_MEN, error);
  if (!status) give_position(&p, position);
  return status;
}

static int is_utf8(const char *text) {
  const uint8_t *at = (const uint8_t *)text;
  while (*at) {
    int more = *at < 0x80 ? 0 : *at >> 5 == 6 ? 1 : *at >> 4 == 14 ? 2 : *at >> 3 == 30 ? 3 : -1;
    uint32_t c = more > 0 ? *at & (0x3fu >> more) : *at;
    if (more < 0) return 0;
    at++;
    for (int i = 0; i < more; i++, at++) {
      if (*at >> 6 != 2) return 0;
      c = c << 6 | (*at & 0x3f);
    }
    if ((more == 1 && c < 0x80) || (more == 2 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) ||
        (more == 3 && (c < 0x10000 || c > 0x10ffff)))
      return 0;
  }
  return 1;
}

static SakmakStatus COLD bad_fen(SakmakError *error, const char *what) {
  return fail(error, SAKMAK_STATUS_BAD_FEN, "the text is no FEN of a legal position: %s", what);
}

/* The length of the next word of a text, after blanks (or `_`). */
static size_t next_word(const char **text) {
  static const char BLANKS[] = " \t\n\r\v\f_";
  *text += strspn(*text, BLANKS);
  return strcspn(*text, BLANKS);
}

/* Parses a whole number below a million, written with digits only. */
static int read_counter(const char *word, size_t length, uint32_t *number) {
  uint32_t sum = 0;
  for (size_t i = 0; i < length; i++) {
    if (word[i] < '0' || word[i] > '9' || sum >= 1000000) return 0;
    sum = 10 * sum + (uint32_t)(word[i] - '0');
  }
  *number = sum;
  return length > 0 && sum < 1000000;
}

static const char *read_board(const char *word, size_t length, int rules, Position *p) {
  const char *letters = letters_of(rules);
  int rank = 7, file = 0, promoted = 0;
  for (size_t i = 0; i < length; i++) {
    char c = word[i], upper = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    const char *letter = upper ? strchr(letters, upper) : NULL;
    if (c == '~' && promoted) {
      promoted = 0;
      continue;
    }
    promoted = 0;
    if (c == '/') {
      if (file != 8 || --rank < 0) return "a rank of the board has not 8 squares, or there are not 8 ranks";
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else if (!letter) {
      return "the board has a letter that is not a man of the rule set";
    } else {
      int role = (int)(letter - letters);
      if (file < 8) {
        p->color[c == upper ? WHITE : BLACK] |= (uint64_t)1 << (8 * rank + file);
        p->role[role] |= (uint64_t)1 << (8 * rank + file);
      }
      file++;
      /* In ASEAN chess a pawn may become any man but a king. */
      promoted = role == MET || (rules == SAKMAK_RULES_ASEAN && role != KING);
    }
    if (file > 8) return "a rank of the board has more than 8 squares";
  }
  return rank || file != 8 ? "a rank of the board has not 8 squares, or there are not 8 ranks" : NULL;
}

/* The kings and mets of ouk on the squares where they start, and their letters in a FEN. */
static const struct {
  char letter;
  int color, role, square;
} HOMES[] = {{'D', WHITE, KING, 3}, {'E', WHITE, MET, 4}, {'d', BLACK, MET, 59}, {'e', BLACK, KING, 60}};

static uint64_t leapers_at_home(const Position *p) {
  uint64_t found = 0;
  for (int i = 0; i < 4; i++) found |= men_of(p, HOMES[i].color, HOMES[i].role) & (uint64_t)1 << HOMES[i].square;
  return found;
}

/* Parses the third field: castling rights, which are ignored, except in ouk, where it lists the kings and mets that
 * have not moved, by their files. The squares of those still at home are written to `leapers`. */
static int read_leaps(const char *word, size_t length, int rules, const Position *p, uint64_t *leapers) {
  for (size_t i = 0; i < length; i++) {
    int home = 0;
    if (!strchr("KQkqABCDEFGHabcdefgh", word[i])) return 0;
    while (home < 4 && HOMES[home].letter != word[i]) home++;
    if (home < 4 && rules == SAKMAK_RULES_OUK) *leapers |= leapers_at_home(p) & (uint64_t)1 << HOMES[home].square;
  }
  return 1;
}

/* Parses the FEN of a position of a game, which may have more men than any table. */
static SakmakStatus read_fen(const char *fen, int rules, Position *p, SakmakCount *count, uint64_t *leapers,
                             uint32_t *fullmove, SakmakError *error) {
  memset(p, 0, sizeof *p);
  *count = FRESH;
  *leapers = 0;
  *fullmove = 1;
  if (!is_utf8(fen)) return fail(error, SAKMAK_STATUS_NOT_UTF8, "the FEN is not UTF-8: write it in UTF-8");

  const char *words[6], *at = fen;
  size_t lengths[6], n = 0;
  while ((lengths[n] = next_word(&at))) {
    words[n] = at;
    at += lengths[n];
    if (++n < 6) continue;
    if (next_word(&at)) return bad_fen(error, "it goes on after its sixth field");
    break;
  }
  if (!n) return bad_fen(error, "it is empty");
  const char *fault = read_board(words[0], lengths[0], rules, p);
  if (fault) return bad_fen(error, fault);
  if (n < 2 || lengths[1] != 1 || (*words[1] != 'w' && *words[1] != 'b'))
    return bad_fen(error, "the side to move is neither w nor b");
  p->turn = *words[1] == 'w' ? WHITE : BLACK;
  uint32_t limit = 0, counted = 0;
  if (n > 2 && read_counter(words[2], lengths[2], &counted)) {
    /* xboard and cutechess write the clock and the move number right after the side to move. */
    if (n > 4) return bad_fen(error, "it goes on after the number of the move in its fourth field");
    if (n > 3 && !read_counter(words[3], lengths[3], fullmove)) return bad_fen(error, "the number of the move is none");
  } else {
    if (n > 2 && (lengths[2] != 1 || *words[2] != '-') && !read_leaps(words[2], lengths[2], rules, p, leapers))
      return bad_fen(error, "its third field is neither castling rights nor a number");
    int has_limit = n > 3 && (lengths[3] != 1 || *words[3] != '-');
    counted = 0;
    if (has_limit && !read_counter(words[3], lengths[3], &limit)) return bad_fen(error, "the limit is not a number");
    if (n > 4 && !read_counter(words[4], lengths[4], &counted)) return bad_fen(error, "the count is not a number");
    if (n > 5 && !read_counter(words[5], lengths[5], fullmove)) return bad_fen(error, "the number of the move is none");
  }
  /* Many programs write 0 for the first move. */
  if (!*fullmove) *fullmove = 1;
  if (limit && n < 5) return bad_fen(error, "it has a limit and no count");
  if (limit) *count = (SakmakCount){SAKMAK_COUNT_KIND_RUNNING, limit, counted, 0};
  else if (counted) *count = (SakmakCount){SAKMAK_COUNT_KIND_CLOCK, 0, counted, 0};
  if (check_position(NULL, p, error)) {
    if (error) error->status = SAKMAK_STATUS_BAD_FEN;
    return SAKMAK_STATUS_BAD_FEN;
  }
  if (limit && p->role[BIA] && rules == SAKMAK_RULES_MAKRUK)
    return bad_fen(error, "it has a count, but makruk counts nothing while a bia (pawn) is on the board");
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_read_fen(const char *fen, int32_t rules, SakmakPosition *position, SakmakCount *count,
                             uint32_t *fullmove, SakmakError *error) {
  Position p;
  SakmakCount c;
  uint64_t leapers;
  uint32_t number;
  SakmakStatus status = check_rules(rules, error);
  if (status) return status;
  if (!fen) return null_pointer("the FEN", error);
  if (!position) return null_pointer("the pointer for the position", error);
  if (!count) return null_pointer("the pointer for the count", error);
  if ((status = read_fen(fen, rules, &p, &c, &leapers, &number, error)) || (status = check_in_tables(&p, rules, error)))
    return status;
  if (leapers)
    return fail(error, SAKMAK_STATUS_NOT_IN_TABLES, "a king or met may still leap, which the tables do not cover");
  give_position(&p, position);
  *count = c;
  if (fullmove) *fullmove = number;
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_write_fen(const SakmakPosition *position, const SakmakCount *given_count, uint32_t fullmove,
                              int32_t rules, char *buffer, size_t size, SakmakError *error) {
  Position p;
  SakmakStatus status = check_rules(rules, error);
  if (status || (status = take_position(NULL, position, &p, error))) return status;
  SakmakCount count = take_count(given_count);
  if ((status = check_count(&p, rules, &count, error))) return status;
  if (!buffer) return null_pointer("the buffer for the FEN", error);

  char fen[SAKMAK_FEN_SIZE + 64], *out = fen;
  for (int rank = 7; rank >= 0; rank--) {
    int empty = 0;
    for (int square = 8 * rank; square < 8 * rank + 8; square++) {
      int role = 0;
      while (role < ROLES && !(p.role[role] >> square & 1)) role++;
      if (role == ROLES) {
        empty++;
        continue;
      }
      if (empty) *out++ = (char)('0' + empty);
      empty = 0;
      char letter = letters_of(rules)[role];
      *out++ = p.color[WHITE] >> square & 1 ? letter : (char)(letter - 'A' + 'a');
    }
    if (empty) *out++ = (char)('0' + empty);
    if (rank) *out++ = '/';
  }
  size_t room = sizeof fen - (size_t)(out - fen);
  char turn = p.turn == WHITE ? 'w' : 'b';
  if (runs(&count))
    snprintf(out, room, " %c - %u %u %u", turn, (unsigned)count.limit_plies, (unsigned)count.counted_plies,
             (unsigned)fullmove);
  else
    snprintf(out, room, " %c - - %u %u", turn,
             count.kind == SAKMAK_COUNT_KIND_CLOCK ? (unsigned)count.counted_plies : 0u, (unsigned)fullmove);
  if (strlen(fen) >= size)
    return fail(error, SAKMAK_STATUS_BUFFER_TOO_SMALL,
                "the FEN takes %u bytes and the buffer has %u: pass a buffer of SAKMAK_FEN_SIZE bytes",
                (unsigned)strlen(fen) + 1, (unsigned)size);
  strcpy(buffer, fen);
  return SAKMAK_STATUS_OK;
}

/* ---------------------------------------------------------------------------------------------
 * Games: the count after each move.
 */

static int is_two_sided(const Position *p) { return count_of(p->color[WHITE]) > 1 && count_of(p->color[BLACK]) > 1; }

/* The limit, in moves, of the count that a side has the right to begin. */
static uint32_t limit_of(const Position *p, int rules, int side) {
  Material m = material_of(p);
  int men = count_of(p->color[side]);
  if (count_of(p->color[!side]) == 1) return NO_LIMIT;
  if (men == 1) return (uint32_t)pieces_honor_limit(rules, &m, !side);
  if (rules == SAKMAK_RULES_MAKRUK) return p->role[BIA] ? NO_LIMIT : 64;
  return rules == SAKMAK_RULES_OUK && men <= 3 ? 63 : NO_LIMIT;
}

/* The count after the move from `before` to `after`, with every count that a side has the right to begin. */
static SakmakGameCount after_ply(const SakmakGameCount *now, int rules, const Position *before, const Position *after) {
  int us = before->turn, them = !us, asean = rules == SAKMAK_RULES_ASEAN;
  uint64_t taken = before->color[them] & ~after->color[them];
  uint64_t bia = men_of(before, us, BIA), bia_after = men_of(after, us, BIA);
  uint32_t men = (uint32_t)count_of(occupied_of(after)), limit;
  SakmakGameCount next = *now;
  if (now->limit_plies) next.counted_plies = one_more(next.counted_plies);
  next.clock_plies = taken || bia != bia_after ? 0 : one_more(next.clock_plies);
  if (us == BLACK) next.fullmove = one_more(next.fullmove);
  if (!asean && (taken & before->role[BIA]) && count_of(after->color[us]) == 1 && !after->role[BIA] &&
      (limit = limit_of(after, rules, us)) != NO_LIMIT) {
    /* A bare king captured the last bia, and this capture is the first counted move. */
    next.limit_plies = 2 * limit;
    next.counted_plies = 2 * men - 1;
  }
  int bare = count_of(after->color[them]) == 1, bared = (taken || count_of(bia_after) < count_of(bia)) && bare;
  if ((!next.limit_plies || bared) && (limit = limit_of(after, rules, them)) != NO_LIMIT) {
    next.limit_plies = 2 * limit;
    next.counted_plies = asean || !bare ? 0 : 2 * men;
  }
  return next;
}

/* Begins to count board's honor with the next move of the side to move, if that side may count. */
static int begin_boards_honor(SakmakGameCount *game, int rules, const Position *p) {
  uint32_t limit = is_two_sided(p) ? limit_of(p, rules, p->turn) : NO_LIMIT;
  if (limit == NO_LIMIT) return 0;
  game->limit_plies = 2 * limit;
  game->counted_plies = 0;
  game->boards_honor = p->turn == WHITE ? SAKMAK_BOARDS_HONOR_BY_WHITE : SAKMAK_BOARDS_HONOR_BY_BLACK;
  return 1;
}

/* Leaves out a count of board's honor that is not chosen, unless board's honor was counted before. */
static void count_as_chosen(SakmakGameCount *game, int rules, const Position *p, int was_counted) {
  int by = p->turn == WHITE ? SAKMAK_BOARDS_HONOR_BY_WHITE : SAKMAK_BOARDS_HONOR_BY_BLACK;
  if (was_counted || !is_two_sided(p) || game->boards_honor == SAKMAK_BOARDS_HONOR_AUTOMATIC) return;
  if (game->boards_honor == by && begin_boards_honor(game, rules, p)) return;
  game->limit_plies = game->counted_plies = 0;
}

/* Adds the count against a bare king that begins with that king's next move. */
static void begin_against_bare_king(SakmakGameCount *game, int rules, const Position *p) {
  for (int bare = 0; bare < 2; bare++) {
    uint32_t limit = count_of(p->color[bare]) == 1 ? limit_of(p, rules, bare) : NO_LIMIT;
    if (limit == NO_LIMIT) continue;
    /* The stronger side moves before the first counted move. A count that starts at 0 begins after that move. */
    if (rules == SAKMAK_RULES_ASEAN && (p->turn != bare || game->clock_plies)) continue;
    game->limit_plies = 2 * limit;
    game->counted_plies =
        rules == SAKMAK_RULES_ASEAN ? 0 : 2 * (uint32_t)count_of(occupied_of(p)) - (p->turn != bare);
  }
}

static SakmakStatus check_boards_honor(int32_t choice, SakmakError *error) {
  if (choice >= SAKMAK_BOARDS_HONOR_AUTOMATIC && choice <= SAKMAK_BOARDS_HONOR_BY_BLACK) return SAKMAK_STATUS_OK;
  return fail(error, SAKMAK_STATUS_BAD_COUNT,
              "%d is not a choice of board's honor: pass a value of SakmakBoardsHonor", (int)choice);
}

static SakmakStatus take_game(const SakmakGameCount *game, SakmakError *error) {
  return game ? check_boards_honor(game->boards_honor, error) : null_pointer("the count of the game", error);
}

static SakmakGameCount start_count(const Position *p, int rules, const SakmakCount *count, int boards_honor) {
  SakmakGameCount game = {0, 0, 0, 1, boards_honor};
  if (runs(count)) {
    game.limit_plies = count->limit_plies;
    game.counted_plies = count->counted_plies;
    /* The capture that began the count also restarted the clock. */
    if (count->kind == SAKMAK_COUNT_KIND_BOTH) game.clock_plies = count->clock_plies;
    else if (rules == SAKMAK_RULES_ASEAN) game.clock_plies = count->counted_plies;
  } else if (count->kind == SAKMAK_COUNT_KIND_CLOCK) {
    game.clock_plies = count->counted_plies;
  }
  int is_counted = is_two_sided(p) && game.limit_plies;
  if (!is_two_sided(p) && !game.limit_plies) begin_against_bare_king(&game, rules, p);
  if (is_counted && boards_honor == SAKMAK_BOARDS_HONOR_NOT_COUNTED) game.boards_honor = SAKMAK_BOARDS_HONOR_AUTOMATIC;
  count_as_chosen(&game, rules, p, is_counted);
  return game;
}

SakmakStatus sakmak_count_start(const SakmakPosition *position, int32_t rules, const SakmakCount *given,
                                int32_t boards_honor, SakmakGameCount *game, SakmakError *error) {
  Position p;
  SakmakCount count;
  SakmakStatus status = check_rules(rules, error);
  if (status || (status = take_position(NULL, position, &p, error)) || (status = check_boards_honor(boards_honor, error)))
    return status;
  if (!game) return null_pointer("the pointer for the count of the game", error);
  count = take_count(given);
  if ((status = check_count(&p, rules, &count, error))) return status;
  *game = start_count(&p, rules, &count, boards_honor);
  return SAKMAK_STATUS_OK;
}

static SakmakGameCount next_count(const SakmakGameCount *game, int rules, const Position *before, const Position *after) {
  SakmakGameCount next = after_ply(game, rules, before, after);
  count_as_chosen(&next, rules, after, game->limit_plies != 0);
  return next;
}

SakmakStatus sakmak_count_after(const SakmakGameCount *game, int32_t rules, const SakmakPosition *before,
                                const SakmakPosition *after, SakmakGameCount *next, SakmakError *error) {
  Position p, q;
  SakmakStatus status = check_rules(rules, error);
  if (status || (status = take_game(game, error)) || (status = take_position(NULL, before, &p, error)) ||
      (status = take_position(NULL, after, &q, error)))
    return status;
  if (!next) return null_pointer("the pointer for the next count", error);
  if (p.turn == q.turn)
    return fail(error, SAKMAK_STATUS_BAD_POSITION,
                "the same side is to move before and after the move: pass two positions that a move connects");
  *next = next_count(game, rules, &p, &q);
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_count_begin(SakmakGameCount *game, int32_t rules, const SakmakPosition *position, SakmakError *error) {
  Position p;
  SakmakStatus status = check_rules(rules, error);
  if (status || (status = take_game(game, error)) || (status = take_position(NULL, position, &p, error))) return status;
  if (begin_boards_honor(game, rules, &p)) return SAKMAK_STATUS_OK;
  return fail(error, SAKMAK_STATUS_BAD_COUNT,
              "%s may not count board's honor in this position: wait until the rules have this count",
              p.turn == WHITE ? "white" : "black");
}

SakmakStatus sakmak_count_stop(SakmakGameCount *game, const SakmakPosition *position, SakmakError *error) {
  Position p;
  SakmakStatus status = take_game(game, error);
  if (status || (status = take_position(NULL, position, &p, error))) return status;
  game->boards_honor = SAKMAK_BOARDS_HONOR_NOT_COUNTED;
  if (is_two_sided(&p)) game->limit_plies = game->counted_plies = 0;
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_count_now(const SakmakGameCount *game, int32_t rules, SakmakCount *count, uint32_t *number,
                              uint8_t *over, SakmakError *error) {
  SakmakStatus status = check_rules(rules, error);
  if (status || (status = take_game(game, error))) return status;
  if (!count) return null_pointer("the pointer for the count", error);
  uint32_t limit = game->limit_plies, counted = game->counted_plies, clock = game->clock_plies;
  int asean = rules == SAKMAK_RULES_ASEAN;
  if (!limit) *count = clock ? (SakmakCount){SAKMAK_COUNT_KIND_CLOCK, 0, clock, 0} : FRESH;
  else if (asean && clock != counted) *count = (SakmakCount){SAKMAK_COUNT_KIND_BOTH, limit, counted, clock};
  else *count = (SakmakCount){SAKMAK_COUNT_KIND_RUNNING, limit, counted, 0};
  if (number) *number = limit ? counted / 2 + counted % 2 : 0;
  if (over) *over = (asean && clock >= FIFTY_MOVES_PLIES) || (limit && counted > limit);
  return SAKMAK_STATUS_OK;
}

SakmakStatus sakmak_game_start(const char *fen, int32_t rules, int32_t boards_honor, SakmakGame *game, SakmakError *error) {
  Position p;
  SakmakCount count;
  uint64_t unmoved;
  uint32_t fullmove;
  SakmakStatus status = check_rules(rules, error);
  if (status || (status = check_boards_honor(boards_honor, error))) return status;
  if (!game) return null_pointer("the pointer for the game", error);
  if (!fen)
    fen = rules == SAKMAK_RULES_ASEAN ? "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w"
                                      : "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde";
  if ((status = read_fen(fen, rules, &p, &count, &unmoved, &fullmove, error))) return status;
  memset(game, 0, sizeof *game);
  give_position(&p, &game->position);
  game->rules = rules;
  game->count = start_count(&p, rules, &count, boards_honor);
  game->count.fullmove = fullmove;
  game->unmoved = unmoved;
  return SAKMAK_STATUS_OK;
}

/* The squares that a man may leap to with the first leap of ouk. */
static uint64_t leaps(const Position *p, int role, int from) {
  int ahead = p->turn == WHITE ? 1 : -1, to;
  uint64_t reached = 0;
  if (role == MET && (to = stepped(from, 0, 2 * ahead)) >= 0) reached = (uint64_t)1 << to;
  if (role == KING && !is_attacked_slowly(p, from, !p->turn))
    for (int file = -2; file <= 2; file += 4)
      if ((to = stepped(from, file, ahead)) >= 0) reached |= (uint64_t)1 << to;
  return reached & ~occupied_of(p);
}

/* Finds the legal move that a UCI text means, in any position of a game. */
static int read_uci(const char *uci, const Position *p, int rules, uint64_t unmoved, Move *m) {
  char c[6] = {0};
  size_t length = strlen(uci);
  if (length < 4 || length > 5) return 0;
  for (size_t i = 0; i < length; i++) c[i] = uci[i] >= 'A' && uci[i] <= 'Z' ? (char)(uci[i] - 'A' + 'a') : uci[i];
  for (int i = 0; i < 4; i += 2)
    if (c[i] < 'a' || c[i] > 'h' || c[i + 1] < '1' || c[i + 1] > '8') return 0;
  int from = c[0] - 'a' + 8 * (c[1] - '1'), to = c[2] - 'a' + 8 * (c[3] - '1'), us = p->turn, role = 0;
  if (!(p->color[us] >> from & 1)) return 0;
  while (!(p->role[role] >> from & 1)) role++;
  uint64_t reached = attacks_slowly(role, us, from, occupied_of(p)) & ~p->color[us];
  if (role == BIA) reached = (reached & p->color[!us]) | (ahead_of(from, us) & ~occupied_of(p));
  if (unmoved >> from & 1) reached |= leaps(p, role, from);
  if (!(reached >> to & 1)) return 0;
  int rank = us == WHITE ? to / 8 : 7 - to / 8, becomes = role;
  if (role == BIA && rank >= (rules == SAKMAK_RULES_ASEAN ? 7 : 5)) {
    const char *letter = c[4] ? strchr(letters_of(rules), c[4] - 'a' + 'A') : NULL;
    becomes = letter ? (int)(letter - letters_of(rules)) : BIA;
    if (becomes == KING || becomes == BIA || (rules != SAKMAK_RULES_ASEAN && becomes != MET)) return 0;
  } else if (c[4]) {
    return 0;
  }
  *m = (Move){(uint8_t)from, (uint8_t)to, (uint8_t)role, (uint8_t)becomes};
  Position next = after_move(p, *m);
  return !is_attacked_slowly(&next, king_of(&next, us), !us);
}

SakmakStatus sakmak_game_play(SakmakGame *game, const char *uci, SakmakError *error) {
  Position p;
  Move m;
  if (!game) return null_pointer("the game", error);
  SakmakStatus status = check_rules(game->rules, error);
  if (status || (status = take_position(NULL, &game->position, &p, error)) || (status = take_game(&game->count, error)))
    return status;
  if (!uci) return null_pointer("the move", error);
  if (!is_utf8(uci)) return fail(error, SAKMAK_STATUS_NOT_UTF8, "the move is not UTF-8: write it in UTF-8");
  uint64_t unmoved = game->rules == SAKMAK_RULES_OUK ? game->unmoved & leapers_at_home(&p) : 0;
  if (!read_uci(uci, &p, game->rules, unmoved, &m))
    return fail(error, SAKMAK_STATUS_BAD_MOVE,
                "\"%.20s\" is not a legal move in the position: pass one such as \"e3e4\", or \"e5e6m\" for a promotion", uci);
  Position next = after_move(&p, m);
  unmoved &= ~((uint64_t)1 << m.from | (uint64_t)1 << m.to);
  /* A rook that arrives on the king's rank or file ends the king's right to leap, even with men between them. */
  int king = king_of(&next, next.turn);
  if (m.role == ROOK && (king % 8 == m.to % 8 || king / 8 == m.to / 8)) unmoved &= ~((uint64_t)1 << king);
  game->count = next_count(&game->count, game->rules, &p, &next);
  game->unmoved = unmoved;
  give_position(&next, &game->position);
  return SAKMAK_STATUS_OK;
}

/* ---------------------------------------------------------------------------------------------
 * Lines.
 */

static SakmakCount count_one_more(SakmakCount count) {
  if (count.kind == SAKMAK_COUNT_KIND_FRESH) return (SakmakCount){SAKMAK_COUNT_KIND_CLOCK, 0, 1, 0};
  count.counted_plies = one_more(count.counted_plies);
  if (count.kind == SAKMAK_COUNT_KIND_BOTH) count.clock_plies = one_more(count.clock_plies);
  return count;
}

/* The count one ply later or, without a count, the clock of the fifty-move rule. */
static SakmakCount go_on(SakmakCount count, int rules, int captured) {
  if (!runs(&count) && (captured || rules != SAKMAK_RULES_ASEAN)) return FRESH;
  return count_one_more(count);
}

static SakmakCount count_of_plies(uint32_t limit, uint32_t counted) {
  if (limit) return (SakmakCount){SAKMAK_COUNT_KIND_RUNNING, limit, counted, 0};
  return counted ? (SakmakCount){SAKMAK_COUNT_KIND_CLOCK, 0, counted, 0} : FRESH;
}

/* The count against a bare king, before its first counted move. */
static SakmakCount begun(int rules, const Position *p, int stronger) {
  Material m = material_of(p);
  uint32_t limit = (uint32_t)pieces_honor_limit(rules, &m, stronger);
  if (limit == NO_LIMIT) return FRESH;
  return count_of_plies(2 * limit, rules == SAKMAK_RULES_ASEAN ? 0 : 2 * (uint32_t)count_of(occupied_of(p)));
}

/* The side with a bare king, White if both are bare; -1 if there is none. */
static int bare_side(const Position *p) {
  return count_of(p->color[WHITE]) == 1 ? WHITE : count_of(p->color[BLACK]) == 1 ? BLACK : -1;
}

/* The count after a move with the king of `side` bare, as if the move captured nothing. */
static SakmakCount count_against_bare_king(SakmakCount count, int rules, const Position *before, int side) {
  Material m = material_of(before);
  uint32_t limit = (uint32_t)pieces_honor_limit(rules, &m, !side);
  if (runs(&count)) return go_on(count, rules, 0);
  if (rules == SAKMAK_RULES_ASEAN && count.kind == SAKMAK_COUNT_KIND_CLOCK)
    return limit == NO_LIMIT ? go_on(count, rules, 0) : count_of_plies(2 * limit, one_more(count.counted_plies));
  if (rules == SAKMAK_RULES_ASEAN && limit == NO_LIMIT) return go_on(count, rules, 0);
  SakmakCount first = begun(rules, before, !side);
  /* The stronger side moves before the first counted move. */
  return before->turn == side ? count_one_more(first) : first;
}

/* The count of makruk or ouk that begins when the last bia has been captured or promoted. */
static SakmakCount count_without_bia(int rules, const Position *before, const Position *after) {
  int side = bare_side(after);
  if (side < 0) {
    Material m = material_of(after);
    return count_of_plies(2 * (uint32_t)boards_honor_limit(rules, &m), 0);
  }
  SakmakCount count = begun(rules, after, !side);
  /* A bare king that captured the last bia has counted this move. */
  if (before->turn == side && runs(&count)) count.counted_plies--;
  return count;
}

/* The count after a move of a line. `winner` is the winning side or, in a draw, either side. */
static SakmakCount count_after(SakmakCount count, int rules, const Position *before, const Position *after, int winner) {
  int us = before->turn, side = bare_side(before), bared = bare_side(after);
  int captured = count_of(occupied_of(before)) != count_of(occupied_of(after));
  Material m = material_of(before);
  uint32_t limit = (uint32_t)boards_honor_limit(rules, &m);
  if (before->role[BIA] && rules == SAKMAK_RULES_ASEAN) {
    /* No count runs while there are bia. The clock is set back by captures and bia's moves. */
    if (!captured && men_of(before, us, BIA) == men_of(after, us, BIA)) return go_on(count, rules, 0);
    /* If the bare king has taken the last bia, the count begins after the next move. */
    return bared >= 0 && !after->role[BIA] && after->turn == bared ? begun(rules, after, !bared) : FRESH;
  }
  if (before->role[BIA]) {
    if (!after->role[BIA] && (bared >= 0 || rules == SAKMAK_RULES_MAKRUK)) return count_without_bia(rules, before, after);
    if (rules == SAKMAK_RULES_MAKRUK) return FRESH;
  } else if (side >= 0) {
    SakmakCount next = count_against_bare_king(count, rules, before, side);
    if (!captured || rules != SAKMAK_RULES_ASEAN) return next;
    return runs(&next) ? (SakmakCount){SAKMAK_COUNT_KIND_BOTH, next.limit_plies, next.counted_plies, 0} : FRESH;
  } else if (bared >= 0) {
    return begun(rules, after, !bared);
  }
  if (!runs(&count) && limit != NO_LIMIT) return count_of_plies(2 * limit, us != winner);
  return go_on(count, rules, captured);
}

SakmakStatus sakmak_line(const SakmakTablebase *handle, const SakmakPosition *position, int32_t rules,
                         const SakmakCount *given_count, const char *first, SakmakLineMove *moves, size_t capacity,
                         size_t *number, SakmakEnd *end, SakmakError *error) {
  Position p;
  SakmakCount count;
  Query t;
  Move legal[SAKMAK_MAX_MOVES];
  Ranked ranked[SAKMAK_MAX_MOVES];
  SakmakEnd reason = SAKMAK_END_DRAW;
  SakmakStatus status = take_question(handle, &t, position, rules, given_count, &p, &count, error);
  if (status) return status;
  if (!number) return null_pointer("the pointer for the number of moves", error);
  if (!end) return null_pointer("the pointer for the end of the line", error);
  if (capacity && !moves) return null_pointer("the pointer for the moves", error);
  if (first && !is_utf8(first)) return fail(error, SAKMAK_STATUS_NOT_UTF8, "the first move is not UTF-8: write it in UTF-8");
  size_t length = 0;
  for (;; first = NULL, length++) {
    int n = legal_moves(&t.shared->constants, &p, game_of(rules), legal), chosen = 0;
    if ((status = rank_moves(&t, &p, rules, &count, legal, n, ranked, error))) return finish(&t, status);
    while (first && chosen < n && strcmp(ranked[chosen].move.uci, first)) chosen++;
    if (first && chosen == n) {
      fail(error, SAKMAK_STATUS_BAD_MOVE, "\"%.20s\" is not a legal move in the position: pass a move of sakmak_best_moves", first);
      return finish(&t, SAKMAK_STATUS_BAD_MOVE);
    }
    if (!n) {
      reason = is_check(&t.shared->constants, &p) ? SAKMAK_END_CHECKMATE : SAKMAK_END_STALEMATE;
      break;
    }
    const SakmakMove *m = &ranked[chosen].move;
    int draw = m->dtm.outcome == SAKMAK_OUTCOME_DRAW;
    int winner = m->dtm.outcome == SAKMAK_OUTCOME_LOSS ? !p.turn : p.turn;
    if (!first && is_count_over(&count, rules, winner == p.turn)) {
      reason = SAKMAK_END_COUNTED;
      break;
    }
    if (!first && draw) break;
    Move played = {m->from, m->to, 0, 0};
    for (int i = 0; i < n; i++)
      if (legal[i].from == m->from && legal[i].to == m->to &&
          (!m->uci[4] || letters_of(rules)[legal[i].becomes] - 'A' + 'a' == m->uci[4]))
        played = legal[i];
    Position next = after_move(&p, played);
    count = count_after(count, rules, &p, &next, winner);
    if (length < capacity) {
      SakmakLineMove *out = &moves[length];
      memset(out, 0, sizeof *out);
      out->from = m->from;
      out->to = m->to;
      out->category = m->category;
      out->dtm = m->dtm;
      /* The winner does not count. */
      if (runs(&count) && p.turn != winner) out->number = count.counted_plies / 2 + count.counted_plies % 2;
      out->count = count;
      memcpy(out->uci, m->uci, sizeof out->uci);
      memcpy(out->san, m->san, sizeof out->san);
    }
    p = next;
  }
  *number = length;
  *end = reason;
  return finish(&t, SAKMAK_STATUS_OK);
}

/* ---------------------------------------------------------------------------------------------
 * Many positions at once.
 */

/* A position in the list of a caller, with the block that stores it. */
typedef struct {
  uint64_t block;
  size_t place;
} Ordered;

static int compare_blocks(const void *first, const void *second) {
  const Ordered *a = (const Ordered *)first, *b = (const Ordered *)second;
  if (a->block != b->block) return a->block < b->block ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

/* A sort key that puts positions into the order of the blocks that store them. */
static uint64_t block_of(Query *t, const SakmakPosition *given) {
  Position p;
  const Table *table;
  int swapped;
  if (take_position(&t->shared->constants, given, &p, NULL) || find_table(t, &p, &table, &swapped, NULL)) return UINT64_MAX;
  if (swapped) p = flipped(&p);
  int found = table->section_of[METRIC_DTM][p.turn];
  if (found < 0) found = table->section_of[METRIC_DTM][!p.turn];
  if (found < 0) return UINT64_MAX;
  const Section *section = &table->sections[found];
  Place place;
  place_of(t->shared, section, &p, &place);
  return key_of_block(section, place.number / section->block_cells);
}

/* Answers each position, with values or, if `values` is NULL, with categories. */
static SakmakStatus answer_many(const SakmakTablebase *handle, const SakmakPosition *positions, const SakmakCount *counts,
                                size_t number, int32_t rules, SakmakValue *values, SakmakCategory *categories,
                                SakmakStatus *statuses, SakmakError *error) {
  Query t;
  SakmakError failure;
  SakmakStatus status = begin(handle, &t, error), worst = SAKMAK_STATUS_OK;
  if (status || (status = check_rules(rules, error)) || !number) return status;
  if (!positions) return null_pointer("the list of positions", error);
  if (!values && !categories) return null_pointer("the list for the answers", error);
  t.rules = rules;
  Ordered *order = number < SIZE_MAX / sizeof *order ? (Ordered *)malloc(number * sizeof *order) : NULL;
  if (!order) return no_memory(error);
  for (size_t i = 0; i < number; i++) order[i] = (Ordered){block_of(&t, &positions[i]), i};
  qsort(order, number, sizeof *order, compare_blocks);
  size_t first = number;
  for (size_t i = 0; i < number; i++) {
    size_t at = order[i].place;
    const SakmakCount *count = counts ? &counts[at] : NULL;
    status = values ? answer(handle, &positions[at], rules, count, 0, &values[at], &failure)
                    : answer_category(handle, &positions[at], rules, count, 0, &categories[at], &failure);
    if (statuses) statuses[at] = status;
    if (!status || at > first) continue;
    first = at;
    worst = status;
    if (error) *error = failure;
  }
  free(order);
  return worst;
}

SakmakStatus sakmak_probe_many(const SakmakTablebase *handle, const SakmakPosition *positions, const SakmakCount *counts,
                               size_t number, int32_t rules, SakmakValue *values, SakmakStatus *statuses,
                               SakmakError *error) {
  return answer_many(handle, positions, counts, number, rules, values, NULL, statuses, error);
}

SakmakStatus sakmak_category_many(const SakmakTablebase *handle, const SakmakPosition *positions,
                                  const SakmakCount *counts, size_t number, int32_t rules, SakmakCategory *categories,
                                  SakmakStatus *statuses, SakmakError *error) {
  return answer_many(handle, positions, counts, number, rules, NULL, categories, statuses, error);
}
