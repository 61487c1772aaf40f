// The settings of a tool, from arguments such as --nodes=10000; each has the type of its default, text or number.
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
