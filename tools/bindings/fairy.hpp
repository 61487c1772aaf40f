// What docs/engine/fairy-stockfish.md uses of an engine, declared only, so that its code can be compiled.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

enum Color { WHITE, BLACK };
enum PieceType { ALL_PIECES, PAWN, KNIGHT, ROOK, FERS, MET = FERS, SILVER, KHON = SILVER, KING };
enum Value : int {
  VALUE_DRAW = 0,
  PawnValueEg = 208,
  VALUE_MATE_IN_MAX_PLY = 31754,
  VALUE_MATED_IN_MAX_PLY = -31754
};
inline Value operator-(Value value) { return Value(-int(value)); }
enum Move : int {};
typedef uint64_t Bitboard;
Value mate_in(int ply);
Value mated_in(int ply);
bool more_than_one(Bitboard set);
int from_sq(Move);
int to_sq(Move);

struct StateInfo {};
struct Position {
  Bitboard pieces(Color) const;
  Bitboard pieces(PieceType) const;
  Bitboard gates(Color) const;
  Color side_to_move() const;
  template <PieceType> int count() const;
  int running_limit() const;
  int counting_ply(int countStarted) const;
  int rule50_count() const;
  void do_move(Move, StateInfo&);
  void undo_move(Move);
};

struct Option {
  operator double() const;
  bool operator==(const char*) const;
};
struct OptionsMap {
  Option operator[](const char*) const;
};
extern OptionsMap Options;

namespace Search {
struct RootMove {
  std::vector<Move> pv;
  int tbRank;
  Value tbScore;
};
typedef std::vector<RootMove> RootMoves;
struct LimitsType {
  std::vector<Move> searchmoves;
};
extern LimitsType Limits;
}  // namespace Search

#define sync_cout std::cout
#define sync_endl std::endl
