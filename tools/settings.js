// The settings of a tool, from words such as --nodes=10000: as its defaults are, texts or numbers.
"use strict";

exports.parse = function parse(words, defaults) {
  const settings = { ...defaults };
  for (const word of words) {
    const [, name, value] = /^--([a-z]+)=(.*)$/.exec(word) ?? [];
    if (!(name in defaults)) throw new Error(`${word} is no setting: give --NAME=VALUE of ${Object.keys(defaults).join(", ")}`);
    settings[name] = typeof defaults[name] === "number" ? Number(value) : value;
  }
  return settings;
};
