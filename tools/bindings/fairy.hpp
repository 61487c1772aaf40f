// What docs/engines.md uses of an engine, declared only, so that its code can be compiled.
#include <cstddef>
#include <cstdint>

#include "sakmak.h"

enum Color { WHITE, BLACK };
enum PieceType { ALL_PIECES, PAWN, KNIGHT, ROOK, FERS, MET = FERS, SILVER, KHON = SILVER, KING };
enum Value : int { VALUE_DRAW = 0, VALUE_MATE_IN_MAX_PLY = 31754, VALUE_MATED_IN_MAX_PLY = -31754 };
typedef uint64_t Bitboard;
Value mate_in(int ply);
Value mated_in(int ply);
bool more_than_one(Bitboard set);
extern int Limit;

struct Position {
  Bitboard pieces(Color) const;
  Bitboard pieces(PieceType) const;
  Color side_to_move() const;
  template <PieceType> int count() const;
  int counting_limit(int countStarted) const;
  int counting_ply(int countStarted) const;
  int rule50_count() const;
};

void keep(int from, int to);
void tell(const char* message);
