// The words of the page: every language has every key with the same values, every key that the page uses exists, and
// none is unused. Argument: a directory for copies.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const [work] = process.argv.slice(2);
const js = path.join(__dirname, "../../explorer/web/js");

/** The beginnings of keys that the page composes. */
const BEGINNINGS = ["task-", "goal-", "end-", "ended-", "puzzle-", "mode-", "explain-", "thai-", "letter-", "ways-", "limit-", "theme-", "lesson", "honor", "capture", "longest", "bia", "whyPromotes", "whyLastBia", "follows-", "chapter-", "teach-", "ask-", "because-", "option-"];

async function main() {
  const languages = {};
  for (const name of fs.readdirSync(path.join(js, "words"))) {
    const language = path.basename(name, ".js");
    // Node recognises a module by its file name.
    const copy = path.join(work, `words-${language}.mjs`);
    fs.copyFileSync(path.join(js, "words", name), copy);
    languages[language] = (await import(pathToFileURL(copy)))[language];
  }
  const { en, ...others } = languages;
  const values = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
  // Keys that Thai does not need, since the name is Thai already.
  const left = { th: { manNamed: ["thai"] } };
  for (const [language, words] of Object.entries(others)) {
    assert.deepEqual(Object.keys(words).sort(), Object.keys(en).sort(), language);
    for (const [key, text] of Object.entries(words)) {
      assert.ok(text.trim(), `${language}: ${key} is empty`);
      const expected = values(en[key]).filter((value) => !(left[language]?.[key] ?? []).includes(value));
      assert.deepEqual([...new Set(values(text))], [...new Set(expected)], `${language}: ${key}`);
    }
  }
  const source = fs.readdirSync(js).filter((name) => name.endsWith(".js")).map((name) => fs.readFileSync(path.join(js, name), "utf8")).join("\n");
  const pages = path.join(__dirname, "../../explorer/src/serve/ending_pages");
  const rust = fs.readdirSync(pages).map((name) => fs.readFileSync(path.join(pages, name), "utf8")).join("\n");
  const asked = [...`${source}\n${rust}`.matchAll(/\b(?:t|with)\(\s*"([^"]+)"/g)].map(([, key]) => key);
  assert.deepEqual([...new Set(asked.filter((key) => !(key in en)))], [], "words that are asked for");
  const idle = Object.keys(en).filter((key) => !source.includes(`"${key}"`) && !rust.includes(`"${key}"`) && !new RegExp(`[{,\\s]${key}[:,\\s]`).test(source) && !BEGINNINGS.some((start) => key.startsWith(start)));
  assert.deepEqual(idle, [], "words that nothing asks for");
  console.log(`${Object.keys(en).length} words in ${Object.keys(languages).length} languages`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
