/* sakmak: the endgame tablebase of makruk (Thai chess) and ASEAN chess, for C.
 *
 * Written by cbindgen from capi/src; do not edit. docs/engine/c.md shows how a program uses it.
 *
 * Every function that can fail returns a SakmakStatus and, unless `error` is NULL, writes a message
 * about the failure. There is no global state, nothing is printed, and no function ends the process.
 * A function that fails does not change its results; the exception is sakmak_open if only some of
 * several directories fail. The comment of each function states which of its pointers may be NULL,
 * and what must be readable or writable at the others.
 *
 * Squares are numbered from a1 = 0, b1 = 1 to h8 = 63. Bit n of a set is square n.
 *
 * Any number of threads may use a handle at once, except while a call opens it, adds a directory or
 * closes it: then only that call may use it. After a fork, the child must open its own handle.
 *
 * Files are read block by block. If a file is cut or damaged while it is open, probes of its table
 * return an error; with SAKMAK_ACCESS_MAP, a cut file can also end the process with SIGBUS.
 */

#ifndef SAKMAK_H
#define SAKMAK_H

#include <stddef.h>
#include <stdint.h>

/**
 * The version of this header. sakmak_version() returns the version of the linked library.
 * SAKMAK_VERSION_NUMBER orders versions: 10203 is 1.2.3.
 */
#define SAKMAK_VERSION "0.1.0"
#define SAKMAK_VERSION_MAJOR 0
#define SAKMAK_VERSION_MINOR 1
#define SAKMAK_VERSION_PATCH 0
#define SAKMAK_VERSION_NUMBER 100

/**
 * An upper bound on the number of legal moves in any position of the tables.
 */
#define SAKMAK_MAX_MOVES 96

/**
 * The size in bytes of the longest FEN, including the terminating zero.
 */
#define SAKMAK_FEN_SIZE 128

/**
 * The size in bytes of the longest message, including the terminating zero. A longer message is
 * truncated.
 */
#define SAKMAK_MESSAGE_SIZE 1024

/**
 * The result of a call. 1 to 19 are mistakes of the caller. 20 to 29 mean that the tables have no
 * answer, although nothing is wrong. 30 to 49 mean that files or directories cannot be used, or
 * that memory is short. 50 and above are faults of the library.
 */
typedef enum SakmakStatus {
  /**
   * Success.
   */
  SAKMAK_STATUS_OK = 0,
  /**
   * A required pointer is NULL.
   */
  SAKMAK_STATUS_NULL_POINTER = 1,
  /**
   * The handle is NULL: it was closed, or never opened.
   */
  SAKMAK_STATUS_CLOSED_HANDLE = 2,
  /**
   * The handle does not point to an open tablebase. Not every wrong pointer is recognised.
   */
  SAKMAK_STATUS_INVALID_HANDLE = 3,
  /**
   * A string is not UTF-8.
   */
  SAKMAK_STATUS_NOT_UTF8 = 4,
  /**
   * The rule set is not one of SakmakRules.
   */
  SAKMAK_STATUS_BAD_RULES = 5,
  /**
   * A string is not a FEN in the letters of the rule set.
   */
  SAKMAK_STATUS_BAD_FEN = 6,
  /**
   * The men do not form a legal position, or a square, colour or role is out of range.
   */
  SAKMAK_STATUS_BAD_POSITION = 7,
  /**
   * Nothing is counted in the position under the rules, or the kind of the count is not a value
   * of SakmakCountKind.
   */
  SAKMAK_STATUS_BAD_COUNT = 8,
  /**
   * The buffer is too small.
   */
  SAKMAK_STATUS_BUFFER_TOO_SMALL = 9,
  /**
   * An option is out of range.
   */
  SAKMAK_STATUS_BAD_OPTION = 10,
  /**
   * A text is not a legal move of the position in UCI notation.
   */
  SAKMAK_STATUS_BAD_MOVE = 11,
  /**
   * No directory contains the table, or the table lacks the rule set.
   */
  SAKMAK_STATUS_MISSING_TABLE = 20,
  /**
   * No table contains the position, which may be legal: it has too many men, a king or met of ouk
   * may still make its first leap, or a bia is on a square where tables have none.
   */
  SAKMAK_STATUS_NOT_IN_TABLES = 21,
  /**
   * A block that the answer needs has not been decoded. Only sakmak_probe_cached and
   * sakmak_category_cached return this.
   */
  SAKMAK_STATUS_NOT_DECODED = 22,
  /**
   * A directory does not exist or cannot be read.
   */
  SAKMAK_STATUS_BAD_DIRECTORY = 30,
  /**
   * A table's file cannot be opened or read. The message has the system's error, and names
   * most_open if too many files are open.
   */
  SAKMAK_STATUS_UNREADABLE_TABLE = 31,
  /**
   * The file is not a table.
   */
  SAKMAK_STATUS_NOT_A_TABLE = 32,
  /**
   * The table was written with another format version, or for another revision of the rules.
   */
  SAKMAK_STATUS_OTHER_VERSION = 33,
  /**
   * The length of the file differs from the length stated in its header.
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
   * The file is the table of another ending.
   */
  SAKMAK_STATUS_WRONG_TABLE = 38,
  /**
   * There is not enough memory: for the cache (sakmak_open) or for a table.
   */
  SAKMAK_STATUS_NO_MEMORY = 39,
  /**
   * The table cannot be used for another reason, which the message states.
   */
  SAKMAK_STATUS_OTHER_DAMAGE = 40,
  /**
   * A fault of the library: please report it.
   */
  SAKMAK_STATUS_INTERNAL = 50,
} SakmakStatus;

/**
 * The value of a position for the side to move, or of a move for the player who makes it.
 */
typedef enum SakmakCategory {
  /**
   * The opponent can force mate inside the count.
   */
  SAKMAK_CATEGORY_LOSS = -2,
  /**
   * The opponent can force mate, but not inside the count, so the game is drawn.
   */
  SAKMAK_CATEGORY_BLESSED_LOSS = -1,
  /**
   * Neither side can force mate.
   */
  SAKMAK_CATEGORY_DRAW = 0,
  /**
   * Mate can be forced, but not inside the count, so the game is drawn.
   */
  SAKMAK_CATEGORY_CURSED_WIN = 1,
  /**
   * Mate can be forced inside the count.
   */
  SAKMAK_CATEGORY_WIN = 2,
} SakmakCategory;

/**
 * The outcome to which a distance belongs: for the side to move, or for the player who makes a
 * move.
 */
typedef enum SakmakOutcome {
  /**
   * The opponent wins.
   */
  SAKMAK_OUTCOME_LOSS = -1,
  /**
   * Neither side wins.
   */
  SAKMAK_OUTCOME_DRAW = 0,
  /**
   * The player wins.
   */
  SAKMAK_OUTCOME_WIN = 1,
  /**
   * The position has no distance of this kind.
   */
  SAKMAK_OUTCOME_NONE = 2,
} SakmakOutcome;

/**
 * The end of a line.
 */
typedef enum SakmakEnd {
  /**
   * The side to move is mated.
   */
  SAKMAK_END_CHECKMATE = 0,
  /**
   * The side to move is stalemated.
   */
  SAKMAK_END_STALEMATE = 1,
  /**
   * The count has run out, which draws the game.
   */
  SAKMAK_END_COUNTED = 2,
  /**
   * Neither side can win.
   */
  SAKMAK_END_DRAW = 3,
} SakmakEnd;

/**
 * The rules that end a game.
 */
typedef enum SakmakLimitKind {
  /**
   * No rule.
   */
  SAKMAK_LIMIT_KIND_NONE = 0,
  /**
   * The count against a bare king (pieces' honor).
   */
  SAKMAK_LIMIT_KIND_PIECES_HONOR = 1,
  /**
   * The count while both sides have men (board's honor).
   */
  SAKMAK_LIMIT_KIND_BOARDS_HONOR = 2,
  /**
   * The fifty-move rule of ASEAN chess.
   */
  SAKMAK_LIMIT_KIND_FIFTY_MOVES = 3,
} SakmakLimitKind;

/**
 * The rule sets. Makruk and ouk use the letters K R N S M, ASEAN chess K R N B Q.
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
 * The roles of the men, with their Thai names.
 */
typedef enum SakmakRole {
  /**
   * The king, khun.
   */
  SAKMAK_ROLE_KING = 0,
  /**
   * The rook, ruea.
   */
  SAKMAK_ROLE_ROOK = 1,
  /**
   * The knight, ma.
   */
  SAKMAK_ROLE_KNIGHT = 2,
  /**
   * The khon, a silver general; ASEAN chess's bishop.
   */
  SAKMAK_ROLE_KHON = 3,
  /**
   * The met, a ferz; ASEAN chess's queen.
   */
  SAKMAK_ROLE_MET = 4,
  /**
   * The bia, or pawn. A promoted bia is a met.
   */
  SAKMAK_ROLE_BIA = 5,
} SakmakRole;

/**
 * The kinds of counts.
 */
typedef enum SakmakCountKind {
  /**
   * No count is running; one begins with the next move of the side that counts.
   */
  SAKMAK_COUNT_KIND_FRESH = 0,
  /**
   * No count is running, but counted_plies plies have been made since the last capture. ASEAN
   * chess's fifty-move rule counts them. Under the other rule sets this means the same as Fresh.
   */
  SAKMAK_COUNT_KIND_CLOCK = 1,
  /**
   * A count is running: limit_plies and counted_plies are fields 4 and 5 of a Fairy-Stockfish
   * FEN.
   */
  SAKMAK_COUNT_KIND_RUNNING = 2,
  /**
   * A count is running, and clock_plies plies, a number other than counted_plies, have been made
   * since the last capture. This occurs in ASEAN chess, where a bare king's capture restarts the
   * fifty-move rule, but not the count. A FEN cannot express it. Under the other rule sets this
   * means the same as Running.
   */
  SAKMAK_COUNT_KIND_BOTH = 3,
} SakmakCountKind;

/**
 * The ways to read the files of tables.
 */
typedef enum SakmakAccess {
  /**
   * Reads each block only when a probe needs it. If a file is truncated or overwritten while the
   * tablebase is open, probes of its table return an error.
   */
  SAKMAK_ACCESS_BLOCKS = 0,
  /**
   * Maps each file into memory, which saves a microsecond per block. If a file is truncated
   * while a block is copied from it, or if the disk fails, SIGBUS ends the process.
   */
  SAKMAK_ACCESS_MAP = 1,
  /**
   * Reads each file into memory when it is opened.
   */
  SAKMAK_ACCESS_WHOLE = 2,
} SakmakAccess;

/**
 * The choice whether board's honor, which nobody has to count, is counted. The count against a bare
 * king always runs.
 */
typedef enum SakmakBoardsHonor {
  /**
   * The count runs from the first moment at which a side may count, as in Fairy-Stockfish and
   * cutechess.
   */
  SAKMAK_BOARDS_HONOR_AUTOMATIC = 0,
  /**
   * Nobody counts.
   */
  SAKMAK_BOARDS_HONOR_NOT_COUNTED = 1,
  /**
   * White counts from the first of its moves with which it may begin.
   */
  SAKMAK_BOARDS_HONOR_BY_WHITE = 2,
  /**
   * Black counts from the first of its moves with which it may begin.
   */
  SAKMAK_BOARDS_HONOR_BY_BLACK = 3,
} SakmakBoardsHonor;

/**
 * The tables of some directories.
 */
typedef struct SakmakTablebase SakmakTablebase;

/**
 * A position. Each man's square is in two sets: one for its colour and one for its role. Bit 0 of
 * a set is a1, bit 1 is b1, bit 8 is a2, bit 63 is h8.
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
   * The squares of all bia.
   */
  uint64_t bia;
} SakmakPosition;

/**
 * A count, with all numbers in plies.
 */
typedef struct SakmakCount {
  /**
   * The kind of the count: a SakmakCountKind.
   */
  int32_t kind;
  /**
   * The limit in plies, two for each move. It is used if the count is running. If it is 0, no
   * count is running, and counted_plies are the plies since the last capture.
   */
  uint32_t limit_plies;
  /**
   * The number of plies counted so far.
   */
  uint32_t counted_plies;
  /**
   * The plies since the last capture. Used only if the kind is SAKMAK_COUNT_KIND_BOTH.
   */
  uint32_t clock_plies;
} SakmakCount;

/**
 * The count of a game. sakmak_count_start makes it and sakmak_count_after moves it on;
 * sakmak_count_now converts it to the count of a probe.
 */
typedef struct SakmakGameCount {
  /**
   * The limit in plies, two for each move; 0 if nothing is counted. This is field 4 of a
   * Fairy-Stockfish FEN.
   */
  uint32_t limit_plies;
  /**
   * The number of plies counted. This is field 5 of a Fairy-Stockfish FEN.
   */
  uint32_t counted_plies;
  /**
   * The plies since the last capture or move of a bia, for ASEAN chess's fifty-move rule.
   */
  uint32_t clock_plies;
  /**
   * The number of the move, 1 before the first move. This is field 6 of a FEN.
   */
  uint32_t fullmove;
  /**
   * The choice whether board's honor is counted: a SakmakBoardsHonor.
   */
  int32_t boards_honor;
} SakmakGameCount;

/**
 * An error, with a message. A successful call does not change it.
 */
typedef struct SakmakError {
  /**
   * The result of the call.
   */
  enum SakmakStatus status;
  /**
   * One sentence in UTF-8, zero-terminated. It says what is wrong, where, and what to do.
   */
  char message[SAKMAK_MESSAGE_SIZE];
} SakmakError;

/**
 * A game at one moment, for programs without a board of their own. sakmak_game_start makes it, and
 * sakmak_game_play moves it on.
 */
typedef struct SakmakGame {
  /**
   * The position, which may have more men than any table.
   */
  struct SakmakPosition position;
  /**
   * The rule set: a SakmakRules.
   */
  int32_t rules;
  /**
   * The count of the game.
   */
  struct SakmakGameCount count;
  /**
   * The squares of ouk's kings and mets that may still leap. The tables have the position only if
   * there are none.
   */
  uint64_t unmoved;
} SakmakGame;

/**
 * Options for the resources that a tablebase uses. No option changes an answer. 0 selects the
 * default of an option: start from `SakmakOptions options = {0};`.
 */
typedef struct SakmakOptions {
  /**
   * The memory for decoded blocks, in bytes, shared by all threads; 64 MiB by default. The
   * system provides the memory as the cache fills. If the machine has less memory than this,
   * sakmak_open returns SAKMAK_STATUS_NO_MEMORY.
   */
  size_t cache_bytes;
  /**
   * The largest number of files that may be open or mapped at once; by default there is no
   * limit.
   */
  size_t most_open;
  /**
   * The way to read files: a SakmakAccess.
   */
  uint8_t access;
  /**
   * Room for the options of later versions, so that the structure keeps its size; must be 0.
   */
  size_t reserved[5];
} SakmakOptions;

/**
 * A distance in moves of the winning side: 1 is mate in one, 0 means that the loser is mated
 * already.
 */
typedef struct SakmakDistance {
  /**
   * The result for the player.
   */
  enum SakmakOutcome outcome;
  /**
   * The number of moves; 0 unless a side wins.
   */
  uint32_t moves;
} SakmakDistance;

/**
 * A move of a line.
 */
typedef struct SakmakLineMove {
  /**
   * The square that the man leaves.
   */
  uint8_t from;
  /**
   * The square that the man reaches.
   */
  uint8_t to;
  /**
   * The category of the move, for the player who makes it.
   */
  enum SakmakCategory category;
  /**
   * The distance to mate for the player who makes the move, counted from the position before it.
   */
  struct SakmakDistance dtm;
  /**
   * The number that the player says with the move; 0 if the move is not counted.
   */
  uint32_t number;
  /**
   * The count after the move.
   */
  struct SakmakCount count;
  /**
   * The move in UCI notation, as in SakmakMove.
   */
  char uci[8];
  /**
   * The move in SAN, as in SakmakMove.
   */
  char san[12];
} SakmakLineMove;

/**
 * The number of moves that the count leaves the winning side. In a draw, it is the number of the
 * side with more than a king or, if neither king is bare, of the side to move. All numbers are in
 * moves.
 */
typedef struct SakmakAllowance {
  /**
   * The counting rule that would end the game first. If no rule applies, this is
   * SAKMAK_LIMIT_KIND_NONE and the other fields are 0.
   */
  enum SakmakLimitKind kind;
  /**
   * The limit of this rule.
   */
  uint32_t limit;
  /**
   * The number that the count has reached. Before the count begins, the number from which it
   * will start.
   */
  uint32_t counted;
  /**
   * The number of moves that the winning side (in a draw, the side named above) has left,
   * including its next move if it is to move.
   */
  uint32_t moves_available;
  /**
   * 1 if the count is running, else 0.
   */
  uint8_t started;
} SakmakAllowance;

/**
 * The value of a position for the side to move.
 */
typedef struct SakmakValue {
  /**
   * The category of the position under the rule set and the count of the call.
   */
  enum SakmakCategory category;
  /**
   * The distance to mate, with nothing counted.
   */
  struct SakmakDistance dtm;
  /**
   * The distance to honor: to mate, or to a capture of the last enemy man after which mate can
   * be forced inside the new count. In ASEAN chess it is to mate, or to any capture after which
   * the winner still wins in time. While there is a bia, it is to mate, or to the capture or
   * promotion of the last bia. Against a bare king there is no distance to honor, unless there
   * is a bia.
   */
  struct SakmakDistance dth;
  /**
   * The number of moves that the count leaves the winning side.
   */
  struct SakmakAllowance allowance;
} SakmakValue;

/**
 * A legal move, with its value for the player who makes it.
 */
typedef struct SakmakMove {
  /**
   * The square that the man leaves: a1 is 0, b1 is 1, h8 is 63.
   */
  uint8_t from;
  /**
   * The square that the man reaches.
   */
  uint8_t to;
  /**
   * 1 if the move captures a man, else 0.
   */
  uint8_t capture;
  /**
   * 1 if the move mates, else 0.
   */
  uint8_t checkmate;
  /**
   * The category of the move under the rule set and the count of the call.
   */
  enum SakmakCategory category;
  /**
   * The distance to mate, counted from the position before the move.
   */
  struct SakmakDistance dtm;
  /**
   * The distance to honor, counted from the position before the move. It is 1 for a winning
   * capture of the last man inside the count, and for a winning capture or promotion of the last
   * bia. Against a bare king there is no distance to honor, unless there is a bia.
   */
  struct SakmakDistance dth;
  /**
   * The move in UCI notation, such as "c2b3", or "a5a6m" for a promotion.
   */
  char uci[8];
  /**
   * The move in SAN, such as "Nbd2+".
   */
  char san[12];
  /**
   * The count that begins if the move captures or promotes the last bia. Its `moves_available`
   * are the moves of the side that could force mate if nothing were counted. Its kind is
   * SAKMAK_LIMIT_KIND_NONE if no count begins.
   */
  struct SakmakAllowance begins;
} SakmakMove;

/**
 * The least and the greatest possible category of a position for the side to move.
 */
typedef struct SakmakCategoryBounds {
  /**
   * The least possible category.
   */
  enum SakmakCategory least;
  /**
   * The greatest possible category.
   */
  enum SakmakCategory most;
} SakmakCategoryBounds;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The library's version, such as "0.1.0". The string is never freed.
 */
const char *sakmak_version(void);

/**
 * Starts the count of a game in its first position, which may have more men than any table.
 * `count` is the count in this position, for instance that of sakmak_read_fen or fields 4 and 5 of a
 * FEN; NULL if there is none. A count of board's honor goes on, and SAKMAK_BOARDS_HONOR_NOT_COUNTED
 * then becomes SAKMAK_BOARDS_HONOR_AUTOMATIC. If one king is bare and there is no count, the count
 * begins with the bare king's next move.
 *
 * Pointers: `position` and `count` are NULL or can be read; the other pointers are NULL or can be
 * written to.
 */
enum SakmakStatus sakmak_count_start(const struct SakmakPosition *position,
                                     int32_t rules,
                                     const struct SakmakCount *count,
                                     int32_t boards_honor,
                                     struct SakmakGameCount *game,
                                     struct SakmakError *error);

/**
 * Moves the count on by the move that leads from the position `before` to the position `after`.
 * `next` may be `game`.
 *
 * Pointers: `game`, `before` and `after` are NULL or can be read; the other pointers are NULL or can be
 * written to.
 */
enum SakmakStatus sakmak_count_after(const struct SakmakGameCount *game,
                                     int32_t rules,
                                     const struct SakmakPosition *before,
                                     const struct SakmakPosition *after,
                                     struct SakmakGameCount *next,
                                     struct SakmakError *error);

/**
 * Begins to count board's honor: the side to move says 1 with its next move. A count that runs
 * already begins again. The status is SAKMAK_STATUS_BAD_COUNT if the side to move may not count
 * board's honor in this position.
 *
 * Pointers: `position` is NULL or can be read; `game` is NULL or can be read and written to; `error` is NULL or
 * can be written to.
 */
enum SakmakStatus sakmak_count_begin(struct SakmakGameCount *game,
                                     int32_t rules,
                                     const struct SakmakPosition *position,
                                     struct SakmakError *error);

/**
 * Stops the count of board's honor. The count against a bare king goes on. After this call nobody
 * counts until sakmak_count_begin.
 *
 * Pointers: `position` is NULL or can be read; `game` is NULL or can be read and written to; `error` is NULL or
 * can be written to.
 */
enum SakmakStatus sakmak_count_stop(struct SakmakGameCount *game,
                                    const struct SakmakPosition *position,
                                    struct SakmakError *error);

/**
 * Converts the count of a game to the count to pass to sakmak_probe and the other functions. Unless
 * `number` is NULL, writes to it the number that the counting side said last or, before it has said
 * one, the number from which it counts on; 0 if nothing is counted. Unless `over` is NULL, writes 1 to it if the count or the fifty-move rule has ended,
 * so that the game is drawn unless the side to move is mated, else 0.
 *
 * Pointers: `game` is NULL or can be read; the other pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_count_now(const struct SakmakGameCount *game,
                                   int32_t rules,
                                   struct SakmakCount *count,
                                   uint32_t *number,
                                   uint8_t *over,
                                   struct SakmakError *error);

/**
 * Starts a game from a FEN in the letters of the rule set, or from the start position if `fen` is
 * NULL. `boards_honor` is a SakmakBoardsHonor. The count starts as in sakmak_count_start.
 *
 * Pointers: `fen` is NULL or a string; the other pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_game_start(const char *fen,
                                    int32_t rules,
                                    int32_t boards_honor,
                                    struct SakmakGame *game,
                                    struct SakmakError *error);

/**
 * Makes a legal move in UCI notation, such as "e3e4", or "e5e6m" for a promotion, and moves the count
 * on. Also makes the first leaps of ouk.
 *
 * Pointers: `game` is NULL or can be read and written to; `uci` is NULL or a string; `error` is NULL or can be
 * written to.
 */
enum SakmakStatus sakmak_game_play(struct SakmakGame *game,
                                   const char *uci,
                                   struct SakmakError *error);

/**
 * Opens the tables of some directories, which are separated as in PATH: by `:`, on Windows by `;`.
 * NULL or an empty text means no directory; sakmak_add_directory adds others. `options` may be
 * NULL.
 *
 * Only the names of the files are read: a table is opened when a position first needs it.
 *
 * If only some of the directories cannot be read, the tables of the others are opened all the
 * same. Then `handle` is set, and the status is SAKMAK_STATUS_BAD_DIRECTORY, with a message that
 * names the directories that failed. If no directory can be read, `handle` does not change.
 *
 * Pointers: `directories` is NULL or a string; `options` is NULL or can be read; `handle` and
 * `error` are NULL or can be written to.
 */
enum SakmakStatus sakmak_open(const char *directories,
                              const struct SakmakOptions *options,
                              struct SakmakTablebase **handle,
                              struct SakmakError *error);

/**
 * Adds the tables of one directory. Unless `added` is NULL, writes to it the number of endings
 * that had no table before. If several directories have a table of the same ending, the one added
 * first is used. A later one is used only if the first is damaged or lacks the rule set of a
 * probe.
 *
 * During this call no other call may use the handle.
 *
 * Pointers: `handle` is NULL or open; `directory` is NULL or a string; the other pointers are NULL
 * or can be written to.
 */
enum SakmakStatus sakmak_add_directory(struct SakmakTablebase *handle,
                                       const char *directory,
                                       size_t *added,
                                       struct SakmakError *error);

/**
 * Closes a tablebase and sets the caller's variable to NULL, so that using the variable again is
 * an error instead of a crash. Closing NULL does nothing.
 *
 * During this call no other call may use the handle, and afterwards none may use a copy of the
 * handle.
 *
 * Pointers: `handle` is NULL, or points to a variable that holds NULL or an open handle.
 */
enum SakmakStatus sakmak_close(struct SakmakTablebase **handle, struct SakmakError *error);

/**
 * Writes the number of endings with a distance table or a verdict table, and the largest number of
 * men in a table, kings included. Either pointer may be NULL.
 *
 * Pointers: `handle` is NULL or open; the other pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_tables(const struct SakmakTablebase *handle,
                                size_t *tables,
                                size_t *most_men,
                                struct SakmakError *error);

/**
 * Writes the number of lookups whose block was already decoded, and the number of all other
 * lookups. Either pointer may be NULL.
 *
 * Pointers: `handle` is NULL or open; the other pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_cache_statistics(const struct SakmakTablebase *handle,
                                          uint64_t *hits,
                                          uint64_t *misses,
                                          struct SakmakError *error);

/**
 * Writes 1 to `has` if there is a distance table of the position's ending, or if the ending needs
 * none, else 0. This call is cheap, because it opens no file and does not check the table. If there
 * are bia, they are those of makruk and ouk.
 *
 * Pointers: `handle` is NULL or open; `position` is NULL or can be read; the other pointers are
 * NULL or can be written to.
 */
enum SakmakStatus sakmak_has_table(const struct SakmakTablebase *handle,
                                   const struct SakmakPosition *position,
                                   uint8_t *has,
                                   struct SakmakError *error);

/**
 * Writes 1 to `stored` if the table stores the position with this side to move, else 0. A probe of
 * a stored position is cheap. For any other position, a probe looks up the position after each
 * move, and may read and decode a block for each; a search may want to skip these positions.
 *
 * Pointers: `handle` is NULL or open; `position` is NULL or can be read; the other pointers are
 * NULL or can be written to.
 */
enum SakmakStatus sakmak_is_stored(const struct SakmakTablebase *handle,
                                   const struct SakmakPosition *position,
                                   uint8_t *stored,
                                   struct SakmakError *error);

/**
 * Computes best play by both sides to mate, to the end of the count or, in a draw, to the position
 * from which neither side can win. Up to `capacity` moves are written to `moves`, the number of all
 * moves to `number`, and the reason why the line ends to `end`. `first` is NULL or the first move in
 * UCI notation, so that a program can show a line for each move of sakmak_best_moves.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read; `first` is NULL or
 * a string; `capacity` moves can be written to `moves` unless it is NULL; the other pointers are NULL
 * or can be written to.
 */
enum SakmakStatus sakmak_line(const struct SakmakTablebase *handle,
                              const struct SakmakPosition *position,
                              int32_t rules,
                              const struct SakmakCount *count,
                              const char *first,
                              struct SakmakLineMove *moves,
                              size_t capacity,
                              size_t *number,
                              enum SakmakEnd *end,
                              struct SakmakError *error);

/**
 * Probes `number` positions as sakmak_probe does. `counts` is NULL, for fresh counts, or has a count
 * for each position. Positions are looked up in the order of their blocks, so that each block is
 * decoded once. A position that fails does not affect the others: its value does not change, and its
 * status is written to `statuses` unless this is NULL. The call returns the status, and writes the
 * error, of the first position in the list that fails.
 *
 * Pointers: `handle` is NULL or open; `positions` is NULL or has `number` elements, and so have `counts`,
 * `values` and `statuses`; `error` is NULL or can be written to.
 */
enum SakmakStatus sakmak_probe_many(const struct SakmakTablebase *handle,
                                    const struct SakmakPosition *positions,
                                    const struct SakmakCount *counts,
                                    size_t number,
                                    int32_t rules,
                                    struct SakmakValue *values,
                                    enum SakmakStatus *statuses,
                                    struct SakmakError *error);

/**
 * Computes the categories of `number` positions as sakmak_category does, and otherwise like
 * sakmak_probe_many.
 *
 * Pointers: `handle` is NULL or open; `positions` is NULL or has `number` elements, and so have `counts`,
 * `categories` and `statuses`; `error` is NULL or can be written to.
 */
enum SakmakStatus sakmak_category_many(const struct SakmakTablebase *handle,
                                       const struct SakmakPosition *positions,
                                       const struct SakmakCount *counts,
                                       size_t number,
                                       int32_t rules,
                                       enum SakmakCategory *categories,
                                       enum SakmakStatus *statuses,
                                       struct SakmakError *error);

/**
 * Ranks the legal moves of a position, best first, under a rule set and with a count (a fresh
 * count if `count` is NULL). Up to `capacity` moves are written to `moves`, and the number of all
 * moves to `number`. This function is meant for the root of a search, not for its leaves.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read; `capacity`
 * moves can be written to `moves` unless it is NULL; the other pointers are NULL or can be written
 * to.
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
 * Makes a position from its men. Man i is on `squares[i]` (a1 is 0, h8 is 63), and has the colour
 * `colors[i]` and the role `roles[i]` (a SakmakColor and a SakmakRole).
 *
 * Pointers: The lists are NULL or have `men` elements; the other pointers are NULL or can be
 * written to.
 */
enum SakmakStatus sakmak_position_from_men(const uint8_t *squares,
                                           const uint8_t *colors,
                                           const uint8_t *roles,
                                           size_t men,
                                           uint8_t turn,
                                           struct SakmakPosition *position,
                                           struct SakmakError *error);

/**
 * Parses a FEN in the letters of a rule set. Writes the position, its count and, unless `fullmove`
 * is NULL, the move number. Trailing fields may be omitted; only the board and the side to move
 * are required.
 *
 * Pointers: `fen` is NULL or a string; the other pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_read_fen(const char *fen,
                                  int32_t rules,
                                  struct SakmakPosition *position,
                                  struct SakmakCount *count,
                                  uint32_t *fullmove,
                                  struct SakmakError *error);

/**
 * Writes the FEN of a position, in the letters of a rule set and with all six fields. If `count`
 * is NULL, the FEN has a fresh count.
 *
 * Pointers: `position` and `count` are NULL or can be read; `size` bytes can be written to
 * `buffer` unless `buffer` is NULL.
 */
enum SakmakStatus sakmak_write_fen(const struct SakmakPosition *position,
                                   const struct SakmakCount *count,
                                   uint32_t fullmove,
                                   int32_t rules,
                                   char *buffer,
                                   size_t size,
                                   struct SakmakError *error);

/**
 * Computes the value of a position for the side to move, under a rule set and with a count (a
 * fresh count if `count` is NULL). This call allocates no memory once the table is open and the
 * block decoded.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
 * pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_probe(const struct SakmakTablebase *handle,
                               const struct SakmakPosition *position,
                               int32_t rules,
                               const struct SakmakCount *count,
                               struct SakmakValue *value,
                               struct SakmakError *error);

/**
 * Like sakmak_probe, but uses only decoded blocks. It opens, reads and allocates nothing and waits
 * for no other thread, so a search may call it at any node. If it needs a block that is not
 * decoded, it returns SAKMAK_STATUS_NOT_DECODED.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
 * pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_probe_cached(const struct SakmakTablebase *handle,
                                      const struct SakmakPosition *position,
                                      int32_t rules,
                                      const struct SakmakCount *count,
                                      struct SakmakValue *value,
                                      struct SakmakError *error);

/**
 * Computes only the category that sakmak_probe would give, with fewer lookups. It stops at the
 * first result that decides the category, such as a move that wins inside the count.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
 * pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_category(const struct SakmakTablebase *handle,
                                  const struct SakmakPosition *position,
                                  int32_t rules,
                                  const struct SakmakCount *count,
                                  enum SakmakCategory *category,
                                  struct SakmakError *error);

/**
 * Like sakmak_category, but uses only decoded blocks, as sakmak_probe_cached does.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
 * pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_category_cached(const struct SakmakTablebase *handle,
                                         const struct SakmakPosition *position,
                                         int32_t rules,
                                         const struct SakmakCount *count,
                                         enum SakmakCategory *category,
                                         struct SakmakError *error);

/**
 * Computes the least and the greatest category that a position can have. This takes one lookup in
 * a small table, the verdict table of the position's ending. The two categories differ only if a
 * running count leaves the winner fewer moves than a fresh one would. Then they are a win and a
 * cursed win, or a loss and a blessed loss. Without a verdict table both are the result of
 * sakmak_category.
 *
 * Pointers: `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
 * pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_category_bounds(const struct SakmakTablebase *handle,
                                         const struct SakmakPosition *position,
                                         int32_t rules,
                                         const struct SakmakCount *count,
                                         struct SakmakCategoryBounds *bounds,
                                         struct SakmakError *error);

/**
 * Computes the distance to mate for the side to move, with nothing counted. No other probe is
 * cheaper. If there are bia, they are those of makruk and ouk; for ASEAN chess use sakmak_probe.
 *
 * Pointers: `handle` is NULL or open; `position` is NULL or can be read; the other pointers are
 * NULL or can be written to.
 */
enum SakmakStatus sakmak_dtm(const struct SakmakTablebase *handle,
                             const struct SakmakPosition *position,
                             struct SakmakDistance *dtm,
                             struct SakmakError *error);

/**
 * Writes 1 to `insufficient` if neither side could mate under this rule set, even with the
 * opponent's help and after promotions, else 0. Needs no table.
 *
 * Pointers: `position` is NULL or can be read; the other pointers are NULL or can be written to.
 */
enum SakmakStatus sakmak_is_insufficient(const struct SakmakPosition *position,
                                         int32_t rules,
                                         uint8_t *insufficient,
                                         struct SakmakError *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SAKMAK_H */
