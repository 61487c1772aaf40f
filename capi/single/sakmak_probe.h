/* sakmak_probe: reads the tables of sakmak, in C99 without the library in Rust.
 * Written by capi/single/header from capi/include/sakmak.h, whose functions it has; do not edit.
 * A handle is for one thread here: see sakmak_thread.
 */

#ifndef SAKMAK_PROBE_H
#define SAKMAK_PROBE_H

#include <stddef.h>
#include <stdint.h>

/**
 * More moves than any position here has.
 */
#define SAKMAK_MAX_MOVES 96

/**
 * The bytes that the longest FEN takes, with the zero at its end.
 */
#define SAKMAK_FEN_SIZE 128

/**
 * The bytes of a message, with the zero at its end. A longer one is cut.
 */
#define SAKMAK_MESSAGE_SIZE 1024

/**
 * What a call came to. Numbers from 1 to 19 are the caller's mistake; 20 to 29 say that the tables
 * cannot answer, with nothing wrong; 30 to 49 a file or directory that cannot be used, or no memory;
 * 50 and up a fault of the library.
 */
typedef enum SakmakStatus {
  /**
   * It is done.
   */
  SAKMAK_STATUS_OK = 0,
  /**
   * A pointer that must not be NULL is.
   */
  SAKMAK_STATUS_NULL_POINTER = 1,
  /**
   * The handle is NULL: it was closed, or never opened.
   */
  SAKMAK_STATUS_CLOSED_HANDLE = 2,
  /**
   * The handle points to something else. (Not every wrong pointer can be told.)
   */
  SAKMAK_STATUS_INVALID_HANDLE = 3,
  /**
   * A text is not UTF-8.
   */
  SAKMAK_STATUS_NOT_UTF8 = 4,
  /**
   * The rule set is none of SakmakRules.
   */
  SAKMAK_STATUS_BAD_RULES = 5,
  /**
   * A text is no FEN in the letters of the rule set.
   */
  SAKMAK_STATUS_BAD_FEN = 6,
  /**
   * The men are no legal position, or a square, colour or role is none.
   */
  SAKMAK_STATUS_BAD_POSITION = 7,
  /**
   * The rules count nothing in the position, or the kind of the count is none of
   * SakmakCountKind.
   */
  SAKMAK_STATUS_BAD_COUNT = 8,
  /**
   * The buffer is too small.
   */
  SAKMAK_STATUS_BUFFER_TOO_SMALL = 9,
  /**
   * An option is none of those there are.
   */
  SAKMAK_STATUS_BAD_OPTION = 10,
  /**
   * A table that is needed is in none of the directories, or has no results of the rule set.
   */
  SAKMAK_STATUS_MISSING_TABLE = 20,
  /**
   * A man of ouk may still leap, which no table knows.
   */
  SAKMAK_STATUS_NOT_IN_TABLES = 21,
  /**
   * A block that is needed has not been decoded. Only sakmak_probe_cached and sakmak_category_cached
   * say so.
   */
  SAKMAK_STATUS_NOT_DECODED = 22,
  /**
   * A directory is not there or cannot be read.
   */
  SAKMAK_STATUS_BAD_DIRECTORY = 30,
  /**
   * A table's file cannot be opened or read.
   */
  SAKMAK_STATUS_UNREADABLE_TABLE = 31,
  /**
   * The file is no table.
   */
  SAKMAK_STATUS_NOT_A_TABLE = 32,
  /**
   * The table has another format version or revision of the rules.
   */
  SAKMAK_STATUS_OTHER_VERSION = 33,
  /**
   * The file is shorter or longer than it was when written.
   */
  SAKMAK_STATUS_WRONG_LENGTH = 34,
  /**
   * The table's header is damaged.
   */
  SAKMAK_STATUS_DAMAGED_HEADER = 35,
  /**
   * The model of a section is damaged.
   */
  SAKMAK_STATUS_DAMAGED_MODEL = 36,
  /**
   * A block, or its entry in the index, is damaged.
   */
  SAKMAK_STATUS_DAMAGED_BLOCK = 37,
  /**
   * The file holds the table of another ending.
   */
  SAKMAK_STATUS_WRONG_TABLE = 38,
  /**
   * There is not the memory: for the cache (sakmak_open) or for a table.
   */
  SAKMAK_STATUS_NO_MEMORY = 39,
  /**
   * The table cannot be used for another reason, which the message tells.
   */
  SAKMAK_STATUS_OTHER_DAMAGE = 40,
  /**
   * A fault of the library: please report it.
   */
  SAKMAK_STATUS_INTERNAL = 50,
} SakmakStatus;

/**
 * What a position is worth to the side to move, or a move to the player who makes it.
 */
typedef enum SakmakCategory {
  /**
   * The opponent forces mate inside the count.
   */
  SAKMAK_CATEGORY_LOSS = -2,
  /**
   * The opponent could force mate, but not inside the count: drawn.
   */
  SAKMAK_CATEGORY_BLESSED_LOSS = -1,
  /**
   * Neither side can force mate.
   */
  SAKMAK_CATEGORY_DRAW = 0,
  /**
   * Mate could be forced, but not inside the count: drawn.
   */
  SAKMAK_CATEGORY_CURSED_WIN = 1,
  /**
   * Mate is forced inside the count.
   */
  SAKMAK_CATEGORY_WIN = 2,
} SakmakCategory;

/**
 * Who wins, for the player the distance is told to.
 */
typedef enum SakmakOutcome {
  /**
   * The opponent.
   */
  SAKMAK_OUTCOME_LOSS = -1,
  /**
   * Neither.
   */
  SAKMAK_OUTCOME_DRAW = 0,
  /**
   * The player.
   */
  SAKMAK_OUTCOME_WIN = 1,
  /**
   * There is no such distance.
   */
  SAKMAK_OUTCOME_NONE = 2,
} SakmakOutcome;

/**
 * The rules that end a game.
 */
typedef enum SakmakLimitKind {
  /**
   * None does.
   */
  SAKMAK_LIMIT_KIND_NONE = 0,
  /**
   * The count against a bare king.
   */
  SAKMAK_LIMIT_KIND_PIECES_HONOR = 1,
  /**
   * The count while both sides have men.
   */
  SAKMAK_LIMIT_KIND_BOARDS_HONOR = 2,
  /**
   * The fifty-move rule of ASEAN chess.
   */
  SAKMAK_LIMIT_KIND_FIFTY_MOVES = 3,
} SakmakLimitKind;

/**
 * The rule sets. Makruk and ouk are written with the letters K R N S M, ASEAN chess with K R N B Q.
 */
typedef enum SakmakRules {
  /**
   * Makruk, the chess of Thailand.
   */
  SAKMAK_RULES_MAKRUK = 0,
  /**
   * ASEAN chess.
   */
  SAKMAK_RULES_ASEAN = 1,
  /**
   * Ouk, the chess of Cambodia.
   */
  SAKMAK_RULES_OUK = 2,
} SakmakRules;

/**
 * The sides.
 */
typedef enum SakmakColor {
  /**
   * White, whose khon steps up the board.
   */
  SAKMAK_COLOR_WHITE = 0,
  /**
   * Black.
   */
  SAKMAK_COLOR_BLACK = 1,
} SakmakColor;

/**
 * The men.
 */
typedef enum SakmakRole {
  /**
   * Khun.
   */
  SAKMAK_ROLE_KING = 0,
  /**
   * Ruea.
   */
  SAKMAK_ROLE_ROOK = 1,
  /**
   * Ma.
   */
  SAKMAK_ROLE_KNIGHT = 2,
  /**
   * Khon, the silver general: ASEAN chess's bishop.
   */
  SAKMAK_ROLE_KHON = 3,
  /**
   * Met, the ferz: ASEAN chess's queen.
   */
  SAKMAK_ROLE_MET = 4,
  /**
   * Bia, the pawn. A promoted one is a met.
   */
  SAKMAK_ROLE_BIA = 5,
} SakmakRole;

/**
 * What is known of the count.
 */
typedef enum SakmakCountKind {
  /**
   * No count runs: it begins with the next move of the side that counts.
   */
  SAKMAK_COUNT_KIND_FRESH = 0,
  /**
   * No count runs, but counted_plies have been made since the last capture, which the fifty-move
   * rule of ASEAN chess counts. To the other rule sets this is a fresh count.
   */
  SAKMAK_COUNT_KIND_CLOCK = 1,
  /**
   * A count runs: limit_plies and counted_plies are fields 4 and 5 of a Fairy-Stockfish FEN.
   */
  SAKMAK_COUNT_KIND_RUNNING = 2,
  /**
   * The same, and clock_plies have been made since the last capture, fewer than are counted: a bare
   * king's capture starts the fifty-move rule of ASEAN chess again and not the count. A FEN cannot
   * say so. To the other rule sets this is a running count.
   */
  SAKMAK_COUNT_KIND_BOTH = 3,
} SakmakCountKind;

/**
 * How the files of tables are read.
 */
typedef enum SakmakAccess {
  /**
   * Each block is read when a probe needs it. A file that is cut or overwritten meanwhile is an
   * error for its table.
   */
  SAKMAK_ACCESS_BLOCKS = 0,
  /**
   * Each file is mapped into memory, which saves a microsecond a block. A file that is cut in the
   * moment a block is copied ends the process with SIGBUS, as does a disk that fails.
   */
  SAKMAK_ACCESS_MAP = 1,
  /**
   * Each file is read whole into memory when it is opened.
   */
  SAKMAK_ACCESS_WHOLE = 2,
} SakmakAccess;

/**
 * The tables of some directories.
 */
typedef struct SakmakTablebase SakmakTablebase;

/**
 * How a tablebase uses the machine. None of it changes an answer, and 0 is the default of each.
 */
typedef struct SakmakOptions {
  /**
   * The bytes for decoded blocks, shared by all threads; 64 MiB by default. The system gives the
   * memory as it is used. More than the machine has is SAKMAK_STATUS_NO_MEMORY.
   */
  size_t cache_bytes;
  /**
   * The most files open, or mapped, at once; any number by default.
   */
  size_t most_open;
  /**
   * How files are read: a SakmakAccess.
   */
  uint8_t access;
} SakmakOptions;

/**
 * What went wrong, for people. A call that succeeds leaves it as it was.
 */
typedef struct SakmakError {
  /**
   * What the call returned.
   */
  enum SakmakStatus status;
  /**
   * One sentence in UTF-8, with a zero at its end: what, where, what to do.
   */
  char message[SAKMAK_MESSAGE_SIZE];
} SakmakError;

/**
 * A position: each man is in the set of its colour and in the set of its kind.
 */
typedef struct SakmakPosition {
  /**
   * The squares of White's men.
   */
  uint64_t white;
  /**
   * The squares of Black's men.
   */
  uint64_t black;
  /**
   * The squares of both kings.
   */
  uint64_t kings;
  /**
   * The squares of all rooks.
   */
  uint64_t rooks;
  /**
   * The squares of all knights.
   */
  uint64_t knights;
  /**
   * The squares of all khons.
   */
  uint64_t khons;
  /**
   * The squares of all mets.
   */
  uint64_t mets;
  /**
   * The side to move: a SakmakColor.
   */
  uint8_t turn;
  /**
   * The squares of all bia, which only the tables of makruk have.
   */
  uint64_t bia;
} SakmakPosition;

/**
 * A count, in plies.
 */
typedef struct SakmakCount {
  /**
   * A SakmakCountKind.
   */
  int32_t kind;
  /**
   * The limit: two plies for each move. Used if the count runs; 0 stands for no count, and
   * counted_plies then for those since the last capture.
   */
  uint32_t limit_plies;
  /**
   * Counted so far.
   */
  uint32_t counted_plies;
  /**
   * The plies since the last capture. Used if the kind is SAKMAK_COUNT_KIND_BOTH.
   */
  uint32_t clock_plies;
} SakmakCount;

/**
 * A distance in moves of the winning side: 1 is mate in one, 0 is mated on the board.
 */
typedef struct SakmakDistance {
  /**
   * Who wins.
   */
  enum SakmakOutcome outcome;
  /**
   * The moves; 0 unless a side wins.
   */
  uint32_t moves;
} SakmakDistance;

/**
 * What the count leaves to the side that wins or, in a draw, to the side that has men (the side to
 * move, if both have). All numbers are in moves.
 */
typedef struct SakmakAllowance {
  /**
   * The rule that ends the game first. If it is none, the rest is 0.
   */
  enum SakmakLimitKind kind;
  /**
   * Its limit.
   */
  uint32_t limit;
  /**
   * The number it has come to or, if it has not begun, the one that it begins after.
   */
  uint32_t counted;
  /**
   * The moves that are left, the next one included if it is that side's.
   */
  uint32_t moves_available;
  /**
   * 1 if the count runs already, else 0.
   */
  uint8_t started;
} SakmakAllowance;

/**
 * A legal move and what it is worth to the player who makes it.
 */
typedef struct SakmakMove {
  /**
   * The square left.
   */
  uint8_t from;
  /**
   * The square reached.
   */
  uint8_t to;
  /**
   * 1 if it takes a man, else 0.
   */
  uint8_t capture;
  /**
   * 1 if it mates, else 0.
   */
  uint8_t checkmate;
  /**
   * What it is worth under the rules, with the count.
   */
  enum SakmakCategory category;
  /**
   * The distance to mate, counted from before the move.
   */
  struct SakmakDistance dtm;
  /**
   * The distance to honor, counted from before the move; 1 for a capture of the last man inside
   * the count, or for the end of the last bia. None against a bare king, unless a bia stands.
   */
  struct SakmakDistance dth;
  /**
   * The move as UCI writes it, such as "c2b3".
   */
  char uci[8];
  /**
   * The move as people write it, such as "Nbd2+".
   */
  char san[12];
  /**
   * The allowance of the count that the move begins by taking or promoting the last bia, for the side
   * that mates if nothing is counted; of kind none if the move begins no count.
   */
  struct SakmakAllowance begins;
} SakmakMove;

/**
 * What a position is worth to the side to move.
 */
typedef struct SakmakValue {
  /**
   * Under the rules, with the count.
   */
  enum SakmakCategory category;
  /**
   * The distance to mate, as if nothing were counted.
   */
  struct SakmakDistance dtm;
  /**
   * The distance to honor: to mate, or to the capture of the last man into an ending that the
   * count lets one win; in ASEAN chess to any capture after which the win stands; while a bia stands
   * to the end of the last one. None against a bare king, unless a bia stands.
   */
  struct SakmakDistance dth;
  /**
   * What the count leaves.
   */
  struct SakmakAllowance allowance;
} SakmakValue;

/**
 * What a position is worth at least and at most to the side to move.
 */
typedef struct SakmakCategoryBounds {
  /**
   * At least.
   */
  enum SakmakCategory least;
  /**
   * At most.
   */
  enum SakmakCategory most;
} SakmakCategoryBounds;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The library's version, such as "0.1.0". It is never freed.
 */
const char *sakmak_version(void);

/**
 * Opens the tables of some directories, which are separated as in PATH: by `:`, on Windows by `;`.
 * NULL or an empty text is no directory; more may be added. `options` may be NULL.
 *
 * Only the names of the files are read: a table is opened when a position first needs it.
 *
 * If some of several directories cannot be read, the tables of the others are opened all the same:
 * `handle` is written to and the status is SAKMAK_STATUS_BAD_DIRECTORY, whose message names those
 * that failed. If none can be read, `handle` stays as it was.
 *
 * Pointers: `directories` is NULL or a text; `options` is NULL or can be read; `handle` and `error` are NULL or can be written to.
 */
enum SakmakStatus sakmak_open(const char *directories,
                              const struct SakmakOptions *options,
                              struct SakmakTablebase **handle,
                              struct SakmakError *error);

/**
 * Adds the tables of one directory, and writes how many are new to `added` unless that is NULL.
 * Where several directories have a table of the same ending, the one added first is taken, or a later one
 * if that is damaged or lacks the rule set asked about.
 *
 * No other call may use the handle meanwhile.
 *
 * Pointers: `handle` is NULL or open; `directory` is NULL or a text; the others are NULL or can be written to.
 */
enum SakmakStatus sakmak_add_directory(struct SakmakTablebase *handle,
                                       const char *directory,
                                       size_t *added,
                                       struct SakmakError *error);

/**
 * Closes a tablebase and sets the variable that held it to NULL, so that its next use is an error
 * and no crash. Closing NULL does nothing.
 *
 * No other call may use the handle meanwhile, nor a copy of it after.
 *
 * Pointers: `handle` is NULL, or the address of NULL or of an open handle.
 */
enum SakmakStatus sakmak_close(struct SakmakTablebase **handle, struct SakmakError *error);

/**
 * Tells how many endings have a table, of distances or of verdicts, and the most men of one, kings
 * included. Either may be NULL.
 *
 * Pointers: `handle` is NULL or open; the others are NULL or can be written to.
 */
enum SakmakStatus sakmak_tables(const struct SakmakTablebase *handle,
                                size_t *tables,
                                size_t *most_men,
                                struct SakmakError *error);

/**
 * Tells how often what was asked for was in a block decoded before, and how often not. Either may be
 * NULL.
 *
 * Pointers: `handle` is NULL or open; the others are NULL or can be written to.
 */
enum SakmakStatus sakmak_cache_statistics(const struct SakmakTablebase *handle,
                                          uint64_t *hits,
                                          uint64_t *misses,
                                          struct SakmakError *error);

/**
 * Writes 1 to `has` if there is a table of the position's ending, or if it needs none, else 0. It
 * is cheap, opens nothing, and does not say whether the file is sound.
 *
 * Pointers: `handle` is NULL or open; `position` is NULL or can be read, the others NULL or written
 * to.
 */
enum SakmakStatus sakmak_has_table(const struct SakmakTablebase *handle,
                                   const struct SakmakPosition *position,
                                   uint8_t *has,
                                   struct SakmakError *error);

/**
 * Writes 1 to `stored` if the table has this side to move, which makes a probe cheap, else 0: then
 * a probe looks at each move, and reads and decodes up to a block for each. A search may ask only
 * where it is cheap.
 *
 * Pointers: `handle` is NULL or open; `position` is NULL or can be read, the others NULL or written
 * to.
 */
enum SakmakStatus sakmak_is_stored(const struct SakmakTablebase *handle,
                                   const struct SakmakPosition *position,
                                   uint8_t *stored,
                                   struct SakmakError *error);

/**
 * Ranks the legal moves of a position, the best first, under a rule set and with a count (NULL: a
 * fresh one). Up to `capacity` of them are written to `moves`; `number` gets how many there are. It
 * is meant for the root of a search, not for its leaves.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read; `capacity` moves can be
 * written to `moves` unless it is NULL; the others are NULL or can be written to.
 */
enum SakmakStatus sakmak_best_moves(const struct SakmakTablebase *handle,
                                    const struct SakmakPosition *position,
                                    int32_t rules,
                                    const struct SakmakCount *count,
                                    struct SakmakMove *moves,
                                    size_t capacity,
                                    size_t *number,
                                    struct SakmakError *error);

/**
 * Sets up a position from its men: man i stands on `squares[i]`, is of colour `colors[i]` and of
 * role `roles[i]` (a SakmakColor and a SakmakRole).
 *
 * Pointers: The lists are NULL or have `men` numbers; the others are NULL or can be written to.
 */
enum SakmakStatus sakmak_position_from_men(const uint8_t *squares,
                                           const uint8_t *colors,
                                           const uint8_t *roles,
                                           size_t men,
                                           uint8_t turn,
                                           struct SakmakPosition *position,
                                           struct SakmakError *error);

/**
 * Reads a FEN in the letters of a rule set: the position, its count and, unless `fullmove` is NULL,
 * the number of the move. Fields may be missing from the right, down to board and side to move.
 *
 * Pointers: `fen` is NULL or a text; the others are NULL or can be written to.
 */
enum SakmakStatus sakmak_read_fen(const char *fen,
                                  int32_t rules,
                                  struct SakmakPosition *position,
                                  struct SakmakCount *count,
                                  uint32_t *fullmove,
                                  struct SakmakError *error);

/**
 * Writes the FEN of a position, in the letters of a rule set and with all six fields. `count` may
 * be NULL, for a fresh one.
 *
 * Pointers: `position` and `count` are NULL or can be read; `size` bytes can be written to `buffer` unless
 * that is NULL.
 */
enum SakmakStatus sakmak_write_fen(const struct SakmakPosition *position,
                                   const struct SakmakCount *count,
                                   uint32_t fullmove,
                                   int32_t rules,
                                   char *buffer,
                                   size_t size,
                                   struct SakmakError *error);

/**
 * Tells what a position is worth to the side to move, under a rule set and with a count (NULL: a
 * fresh one). It allocates nothing once the table is open and its block decoded.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read, the others
 * NULL or written to.
 */
enum SakmakStatus sakmak_probe(const struct SakmakTablebase *handle,
                               const struct SakmakPosition *position,
                               int32_t rules,
                               const struct SakmakCount *count,
                               struct SakmakValue *value,
                               struct SakmakError *error);

/**
 * As sakmak_probe, but only from blocks that have been decoded: it opens, reads and allocates
 * nothing and waits for no other thread, so a search may ask it at any node. Where a block is not
 * there it returns SAKMAK_STATUS_NOT_DECODED.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read, the others
 * NULL or written to.
 */
enum SakmakStatus sakmak_probe_cached(const struct SakmakTablebase *handle,
                                      const struct SakmakPosition *position,
                                      int32_t rules,
                                      const struct SakmakCount *count,
                                      struct SakmakValue *value,
                                      struct SakmakError *error);

/**
 * Tells the category of sakmak_probe and nothing else, which takes fewer lookups: it stops at the
 * first thing that settles it, such as a move that wins inside the count.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read, the others
 * NULL or written to.
 */
enum SakmakStatus sakmak_category(const struct SakmakTablebase *handle,
                                  const struct SakmakPosition *position,
                                  int32_t rules,
                                  const struct SakmakCount *count,
                                  enum SakmakCategory *category,
                                  struct SakmakError *error);

/**
 * As sakmak_category, but only from blocks that have been decoded: see sakmak_probe_cached.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read, the others
 * NULL or written to.
 */
enum SakmakStatus sakmak_category_cached(const struct SakmakTablebase *handle,
                                         const struct SakmakPosition *position,
                                         int32_t rules,
                                         const struct SakmakCount *count,
                                         enum SakmakCategory *category,
                                         struct SakmakError *error);

/**
 * Tells the least and the most that a position can be worth, by the verdict table of its men alone: one
 * question to a small table. They differ only where a count runs that leaves a winner fewer moves than
 * a fresh one would: then they are a win and a cursed win, or a loss and a blessed loss. Without a
 * verdict table both are the answer of sakmak_category.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read, the others
 * NULL or written to.
 */
enum SakmakStatus sakmak_category_bounds(const struct SakmakTablebase *handle,
                                         const struct SakmakPosition *position,
                                         int32_t rules,
                                         const struct SakmakCount *count,
                                         struct SakmakCategoryBounds *bounds,
                                         struct SakmakError *error);

/**
 * Tells the distance to mate for the side to move, as if nothing were counted: the cheapest probe.
 *
 * Pointers: `handle` is NULL or open; `position` is NULL or can be read, the others NULL or written
 * to.
 */
enum SakmakStatus sakmak_dtm(const struct SakmakTablebase *handle,
                             const struct SakmakPosition *position,
                             struct SakmakDistance *dtm,
                             struct SakmakError *error);

/**
 * Writes 1 to `insufficient` if neither side could mate even with the other's help, else 0.
 *
 * Pointers: `handle` is NULL or open; `position` is NULL or can be read, the others NULL or written
 * to.
 */
enum SakmakStatus sakmak_is_insufficient(const struct SakmakTablebase *handle,
                                         const struct SakmakPosition *position,
                                         uint8_t *insufficient,
                                         struct SakmakError *error);

/**
 * Makes a handle for another thread: it shares the tables and has a cache of `cache_bytes` (0: 64 MiB)
 * of its own. The last handle that is closed closes the tables. Make and close handles in one thread
 * at a time, and add directories before.
 */
enum SakmakStatus sakmak_thread(const struct SakmakTablebase *handle,
                                size_t cache_bytes,
                                struct SakmakTablebase **other,
                                struct SakmakError *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SAKMAK_PROBE_H */
