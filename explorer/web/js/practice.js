// The panel of practice: the task, its progress, and the mistakes.

import { $, Button, el, fill, mark, offer, write } from "./dom.js";
import { endingName } from "./names.js";
import { spoken } from "./notation.js";
import { isHopeless, LEVELS, ProgressMap } from "./progress.js";
import { Search } from "./search.js";
import { sideWord, t } from "./words.js";

const TASKS = ["board", "win", "hold", "drill"];

export class PracticePanel {
  /**
   * `on` has `start({ task, ending, side })`, `hint()`, `back()`, `giveUp()`, `again()`, `next()`, `set()`, which
   * returns to the choice of a task, `retry(place)`, `cancel()`, which ends the search for a position, `save(text)`, which
   * saves the progress as a file, and `restored()`, called when the progress of a file has been taken.
   */
  constructor(on) {
    this.on = on;
    this.heading = el("h2");
    this.intro = el("p", { class: "quiet" });
    this.tasks = TASKS.map((task) => {
      const radio = el("input", { type: "radio", name: "task", value: task, onchange: () => this.chooseTask(task) });
      const name = el("span");
      return { task, radio, name, label: el("label", {}, radio, " ", name) };
    });
    this.task = "board";
    this.ending = el("select", { onchange: () => { this.chosen = this.ending.value; } });
    this.endingName = el("span");
    this.side = el("select", {}, ["w", "b"].map((side) => el("option", { value: side })));
    this.sideName = el("span");
    this.start = new Button(() => on.start({ task: this.task, ending: this.ending.value, side: this.side.value }), { "data-do": "start", class: "main" });
    this.endingLabel = el("label", {}, this.endingName, " ", this.ending);
    this.sideLabel = el("label", {}, this.sideName, " ", this.side);
    this.search = new Search(on.cancel);
    this.map = new ProgressMap({ drill: (ending) => this.drill(ending), save: on.save, restored: on.restored });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.choice = el("div", {}, this.intro, el("div", { class: "tasks" }, this.tasks.map(({ label }) => label)),
      el("p", { class: "bar" }, this.endingLabel, this.sideLabel, this.start.element), this.search.element, this.problem, this.map.element);
    this.searchNext = new Search(on.cancel);
    this.goal = el("p", { class: "sentence" });
    this.said = el("p", { class: "said", role: "status" });
    this.streak = el("p", { class: "quiet streak" });
    this.account = el("ol", { class: "account" });
    const button = (name, act) => new Button(act, { "data-do": name });
    this.buttons = {
      hint: button("hint", () => on.hint()), takeBack: button("takeBack", () => on.back()), giveUp: button("giveUp", () => on.giveUp()),
      again: button("again", () => on.again()), next: button("next", () => on.next()), other: button("other", () => on.set()),
    };
    this.game = el("div", {}, this.goal, this.said, this.account, this.streak, el("p", { class: "bar" }, Object.values(this.buttons).map((one) => one.element)), this.searchNext.element);
    $("practice").replaceChildren(this.heading, this.choice, this.game);
  }

  chooseTask(task) {
    this.task = task;
    this.show(this.shown);
  }

  /** Chooses the drill of an ending. */
  drill(ending) {
    this.chosen = ending;
    this.chooseTask("drill");
    this.start.element.focus();
  }

  show(shown) {
    this.shown = shown;
    const { mode, task } = shown;
    $("practice").hidden = mode !== "practice";
    if (mode !== "practice") return;
    const playing = task !== null && task.kind !== "puzzle";
    write(this.heading, t("mode-practice"));
    this.choice.hidden = playing;
    this.game.hidden = !playing;
    for (const search of [this.search, this.searchNext]) search.show(shown.searching === "practice");
    if (playing) this.showGame(shown);
    else this.showChoice(shown);
  }

  showChoice({ endings, ending, unlucky, turn, searching }) {
    write(this.intro, t("practiceIntro"));
    for (const { task, radio, name } of this.tasks) {
      write(name, t(`task-${task}`));
      radio.checked = task === this.task;
    }
    write(this.endingName, t("ofEnding"));
    // Wins are practised in endings that can be won.
    const offered = ["win", "drill"].includes(this.task) ? endings.filter((name) => !isHopeless(name)) : endings;
    const known = [this.chosen, ending, offered[0]].find((name) => offered.includes(name));
    offer(this.ending, offered.map((name) => [name, endingName(name)]), null);
    if (known) this.ending.value = known;
    const fromBoard = this.task === "board";
    this.endingLabel.hidden = fromBoard;
    this.sideLabel.hidden = !fromBoard;
    write(this.sideName, t("yourSide"));
    for (const option of this.side.options) write(option, sideWord(option.value));
    // The user plays the side to move, unless the user chooses the other side.
    if (turn && turn !== this.turn) this.side.value = turn;
    this.turn = turn;
    this.start.show({ text: t("start"), off: searching !== null });
    write(this.problem, unlucky);
    this.problem.hidden = !unlucky;
    this.map.show({ endings });
  }

  showGame({ task, doc, turn, game }) {
    const over = task.phase === "over";
    const side = sideWord(task.side);
    write(this.goal, task.aim ? t(`goal-${task.aim}`, { side }) : t("loading"));
    const last = game.last ? t("tablesPlayed", { move: spoken(game.last.san) }) : "";
    write(this.said, over ? t(endKey(task), { n: task.spare })
      : turn === task.side ? t("yourMove", { last: last ? `${last} ` : "" }) : t("tablesThink"));
    mark(this.said, "data-worth", over && task.result !== "stopped" ? (task.reached ? "win" : "loss") : null);
    const changes = over ? task.mistakes : [];
    this.account.hidden = !over;
    fill(this.account, over && changes.length === 0 ? [null] : changes, () => this.change(), (item, change) => {
      const [words, button] = item.children;
      item.dataset.place = change?.place ?? "";
      write(words, change ? t("changed", { move: `${number(game, change.place)} ${spoken(change.move.san)}`, was: t(change.move.was), is: t(change.move.is), better: spoken(change.move.better ?? "") }) : t("noneChanged"));
      write(button, t("tryAgain"));
      button.hidden = !change;
    });
    write(this.streak, task.kind === "drill" ? t("streak", { n: task.streak ?? 0, level: task.level, of: LEVELS }) : "");
    const { hint, takeBack, giveUp, again, next, other } = this.buttons;
    hint.show({ text: t("hint"), off: !doc, pressed: String(task.revealed) });
    takeBack.show({ text: t("takeBack"), off: game.place < 1 });
    giveUp.show({ text: t("giveUp") });
    again.show({ text: t("again") });
    next.show({ text: t(task.kind === "drill" ? "nextDrill" : "nextPosition") });
    other.show({ text: t("otherTask") });
    for (const one of [hint, takeBack, giveUp]) one.element.hidden = over;
    for (const one of [again, next]) one.element.hidden = !over;
    next.element.hidden = !over || !task.ending;
  }

  change() {
    const item = el("li", {}, el("span"), el("button", { type: "button", class: "small", onclick: () => this.on.retry(Number(item.dataset.place) - 1) }));
    return item;
  }
}

/** The sentence about the end of a game. */
function endKey({ result, by, spare }) {
  if (result === "lost") return "end-lost";
  if (result !== "won") return `end-${by}`;
  return spare === null ? "end-wonFree" : spare < 2 ? `end-won${spare}` : "end-won";
}

/** The number of a move with its dots. */
function number(game, place) {
  const [, turn, , , , full] = game.start.split(" ");
  const ply = (turn === "w" ? 0 : 1) + place - 1;
  return `${(Number(full) || 1) + Math.floor(ply / 2)}${ply % 2 ? "…" : "."}`;
}
