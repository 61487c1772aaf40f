// Example games: a short one with a mistake, one about promotion, and a whole real one.

/** The example games, each with its last ending. */
const REAL = [
  { ending: "KNMMvK", pgn: `[Event "SchemingMind 737440"]
[Site "schemingmind.com, game 737440"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1-0"]
[Variant "Makruk"]

1. d4 c5 2. c4 Ne7 3. Bf2 Nbc6 4. dxc5 dxc5 5. Bc2 Bf7 6. Nc3 Qc7 7. f4 Bb7 8.
Ke2 Rd8 9. Nf3 Nf5 10. Bd3 Ke7 11. Rd1 Rhe8 12. Be4 Na5 13. Bxf5 gxf5 14. g4
Rxd1 15. Nxd1 fxg4 16. hxg4 Rh8 17. g5 fxg5 18. fxg5 Nxb3 19. Rxh6 Rxh6 20.
gxh6 Na5 21. Kd3 Bc6 22. e4 Bg8 23. Qg5 Nb7 24. Bg3 Nd6 25. Bf4 Bg7 26. e5 Nb7
27. Qd2 b5 28. cxb5 axb5 29. Nb2 Bd5 30. Be3 c4+ 31. Kc3 Nc5 32. Kb4 Nd7 33.
Kxb5 Bg6 34. Qf4 Kd8 35. Qc3 Kc8 36. Bd4 Bf5 37. Bxd5 exd5 38. a4 Bxf4 39. Nd4
Bxe5 40. Nc6 Bd6 41. a5 Kb7 42. Nd1 Qb8 43. Ne3 Bc7 44. a6+ Ka8 45. Ne7 Bb6+
46. Kc6 Ne5+ 47. Kxd5 Nf7 48. Kxc4 Ne5+ 49. Kd5 Nf7 50. Nc6 Bc7 51. Nb4 Bd6+
52. Kc6 Bc7+ 53. Kc5 Nd8= 54. Qb5 Ne6+ 55. Kc4 Qa7 56. Qd4 Kb7 57. Qa6+ Ka8
58. Qc5 Kb8 59. Kd5 Nf8 60. Qd6 Bd8 61. Qb5 Nd7 62. Nc4 Nf6+ 63. Ke5 Nd7+ 64.
Ke6 Nb6 65. Nxb6 Qxb6 66. Nc6+ Kc8 67. Ne5 Kb7 68. Qc6+ Kc8 69. Nc4 Qc5 70.
Qxc5 Bc7 71. Qd5 Kb7 72. Kd7 Bb8 73. Qc6+ Ka6 74. Kc8 Ba7 75. Nd6 Ka5 76. Kb7
Ba6+ 77. Ka7 Bb7 78. Kxb7 Ka4 79. Qd4 Kb4 80. Kb6 Kb3 81. Kc5 Kc2 82. Ne4 Kb3
83. Qe3 Kc2 84. Kd4 Kb3 85. Nc3 Kb4 86. Nd5+ Kb3 87. Qb5 Kc2 88. Qa4 Kb2 89.
Nc3 Kc2 90. Kc4 Kb2 91. Nd5 Kc2 92. Nb4+ Kb2 93. Qd2 Ka3 94. Qb3 Kb2 95. Qa4
Ka3 96. Qb3 Kb2 97. Nd3+ Ka3 98. Nc1 Kb2 99. Kb4 Kb1 100. Kc3 Ka1 101. Ne2 Kb1
102. Qc1 Ka1 103. Nd4 Kb1 104. Qc2+ Ka1 105. Nb3+ Ka2 106. Nc5 Ka1 107. Qb3
Kb1 108. Kd2 Ka1 109. Kc3 Kb1 110. Nd3 Ka1 111. Qb2+ Kb1 112. Qc2+ Ka2 113.
Nc1# 1-0
` },
];

/** Example games in which a rook wanders for too long. */
const WITH_A_MISTAKE = [
  { ending: "KRvK", pgn: `[Event "?"]
[White "?"]
[Black "?"]
[Result "1/2-1/2"]
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/3K4/3R4/8 w - - 0 40"]

40. Ra2 Kc5 41. Ra1 Kd5 42. Ra4 Ke5 43. Re4+ Kd5 44. Re5+ Kxe5 1/2-1/2
` },
];

/** Example games in which a bia promotes too early. */
const WITH_A_BIA = [
  { ending: "KSPvK", pgn: `[Event "?"]
[White "?"]
[Black "?"]
[Result "1/2-1/2"]
[Variant "Makruk"]
[FEN "8/8/8/7P/8/1S6/8/1K1k4 w - - 0 8"]

8. h6=M Ke2 9. Kc2 Ke3 10. Sc4 Ke4 1/2-1/2
` },
];

/** The first game that ends in one of these endings; null if none does. */
const first = (examples, endings) => examples.find(({ ending }) => endings.includes(ending))?.pgn ?? null;

export const example = (endings) => first(WITH_A_MISTAKE, endings);
export const exampleBia = (endings) => first(WITH_A_BIA, endings);
export const exampleReal = (endings) => first(REAL, endings);
