// The panel of puzzles: the task, and whether it is solved.

import { copyButton } from "./copy.js";
import { streak } from "./daily.js";
import { $, Button, el, mark, offer, write } from "./dom.js";
import { endingName } from "./names.js";
import { spoken } from "./notation.js";
import { Search } from "./search.js";
import { sideWord, t } from "./words.js";

const GRADES = ["", "1", "2", "3", "4", "5"];
/** The themes of puzzles with bia, as the tables name them. */
const THEMES = ["", "promote-or-wait", "stop-promotion"];

export class PuzzlePanel {
  /**
   * `on` has `next({ ending, side, grade, theme })`, `daily()`, which begins the puzzle of the day, `hint()`, `solution()`, `retry()`, `set()`, which leaves the puzzle, and
   * `cancel()`, which ends the search for one.
   */
  constructor(on) {
    this.on = on;
    this.heading = el("h2");
    this.intro = el("p", { class: "quiet" });
    const select = () => el("select", {
      onchange: () => {
        this.touched = true;
        this.theme.hidden = !this.ending.value.includes("P");
      },
    });
    [this.ending, this.side, this.grade, this.theme] = [select(), select(), select(), select()];
    this.theme.id = "puzzle-theme";
    this.next = new Button(() => on.next({ ending: this.ending.value, side: this.side.value, grade: this.grade.value, theme: this.theme.hidden ? "" : this.theme.value }), { "data-do": "next-puzzle", class: "main" });
    this.daily = new Button(() => on.daily(), { "data-do": "daily" });
    this.streak = el("span", { class: "quiet" });
    this.share = copyButton(() => this.result);
    this.progress = el("p", { class: "quiet progress" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.task = el("p", { class: "sentence" });
    this.about = el("p", { class: "quiet about" });
    this.said = el("p", { class: "said", role: "status" });
    const button = (name, act) => new Button(act, { "data-do": name });
    this.retry = button("retry", () => on.retry());
    this.hint = button("puzzle-hint", () => on.hint());
    this.solution = button("solution", () => on.solution());
    this.leave = button("other", () => on.set());
    this.search = new Search(on.cancel);
    this.puzzle = el("div", {}, this.task, this.about, this.said, el("p", { class: "bar" }, this.retry.element, this.hint.element, this.solution.element, this.leave.element));
    this.day = el("p", { class: "bar day" }, this.daily.element, this.streak, this.share.element);
    $("puzzles").replaceChildren(this.heading, this.intro, this.day, this.puzzle, el("p", { class: "bar" }, this.ending, this.theme, this.side, this.grade, this.next.element), this.search.element, this.problem, this.progress);
  }

  show(shown) {
    const { mode, task, endings, ending, unlucky, solved, searching } = shown;
    $("puzzles").hidden = mode !== "puzzles";
    if (mode !== "puzzles") return;
    write(this.heading, t("mode-puzzles"));
    write(this.intro, `${t("puzzlesIntro")} ${t("solvedSoFar", { n: solved })}`);
    const had = this.ending.value;
    offer(this.ending, endings.map((name) => [name, endingName(name)]), t("ofEnding"));
    const puzzle = task?.kind === "puzzle" ? task.puzzle : null;
    // A capture in a puzzle leads to another ending, but the next puzzle is of the same ending as this one.
    const about = puzzle ? puzzle.ending : ending;
    if (!this.touched && endings.includes(about)) this.ending.value = about;
    else if (had) this.ending.value = had;
    offer(this.side, [["any", t("anyTurn")], ["white", t("toMove", { side: sideWord("w") })], ["black", t("toMove", { side: sideWord("b") })]], t("yourSide"));
    offer(this.grade, GRADES.map((grade) => [grade, grade ? t("grade", { n: grade }) : t("anyGrade")]), t("gradeName"));
    offer(this.theme, THEMES.map((theme) => [theme, theme ? t(`theme-${theme}`) : t("anyTheme")]), t("themeName"));
    // The value that was set just now, or chosen.
    this.theme.hidden = !this.ending.value.includes("P");
    this.next.show({ text: t(puzzle ? "nextPuzzle" : "firstPuzzle"), off: searching !== null });
    this.search.show(searching === "puzzles");
    this.showDay(shown);
    write(this.problem, unlucky);
    this.problem.hidden = !unlucky;
    this.puzzle.hidden = !puzzle;
    if (puzzle) this.showPuzzle(shown, puzzle);
  }

  /** The puzzle of the day, the days in a row on which it was solved, and the puzzles solved by ending. */
  showDay({ endings, task, searching, progress }) {
    const { done, days } = streak.get();
    this.daily.show({ text: t("daily"), off: searching !== null || endings.length === 0 });
    write(this.streak, days ? t("dailyStreak", { n: days }) : "");
    const { daily, phase, failed, by } = task ?? {};
    // During a puzzle nothing stands above it.
    this.day.hidden = this.progress.hidden = task !== null && phase !== "over";
    this.result = daily && phase === "over" ? t("dailyResult", { date: daily, mark: by === "solved" ? (failed ? "○" : "●") : "–", n: days, address: location.origin + location.pathname }) : "";
    this.share.element.hidden = !this.result;
    this.share.show(t("copyResult"));
    mark(this.daily.element, "data-done", done ? "true" : null);
    write(this.progress, progress.length ? t("progress", { list: progress.map(([material, n]) => `${material} ${n}`).join(" · ") }) : "");
  }

  showPuzzle({ task, turn, game }, puzzle) {
    const side = sideWord(task.side);
    mark($("puzzles"), "data-goal", puzzle.goal);
    write(this.task, t(puzzle.goal === "win" ? "puzzleWin" : "puzzleDraw", { side }));
    const left = puzzle.moves_available;
    write(this.about, [
      puzzle.ending,
      puzzle.theme ? t(`theme-${puzzle.theme}`) : null,
      t("grade", { n: puzzle.grade }),
      left === null || puzzle.moves_needed === null ? null : t("allowedNeeded", { left, needed: puzzle.moves_needed }),
    ].filter(Boolean).join(" · "));
    const { phase } = task;
    const key = phase === "over" ? (task.by === "solved" || task.reached ? "solved" : "shownSolution") : phase === "refuted" ? (turn === task.side ? "refuted" : "wrong") : phase === "refuting" ? "refuting" : task.found ? "goOn" : "findMove";
    const why = phase === "refuted" && task.needed && task.left !== null ? ` ${t("countNeeds", { side: sideWord(task.winner), needed: task.needed, left: task.left })}` : "";
    write(this.said, `${t(`puzzle-${key}`, { side, move: spoken(task.wrong ?? ""), thrown: t(puzzle.goal === "win" ? "thrown" : "thrownDraw"), reply: spoken(game.last?.san ?? "") })}${why}`);
    mark(this.said, "data-worth", key === "solved" ? "win" : ["wrong", "refuting", "refuted"].includes(key) ? "loss" : null);
    this.retry.show({ text: t("tryAgain") });
    this.retry.element.hidden = phase !== "refuted";
    this.hint.show({ text: t("puzzleHint"), off: phase !== "play" });
    this.solution.show({ text: t("solution"), off: phase === "over" });
    this.leave.show({ text: t("leavePuzzle") });
  }
}
