// Bodies in YAML drawn from its grammar, with scalars that YAML 1.1 and 1.2 read differently, anchors, tags, block texts, and some
// characters changed: as objects of a kind that keeps everything, and as patches by apply. COUNT is the number of bodies, SEED which.

import { spoilt } from "../lib/grammar.mjs";
import { Random } from "../lib/random.mjs";
import { openSchema, sampleDefinition } from "../lib/sample-definition.mjs";

export const parallel = 4;
const namespace = "yaml";
const group = "yaml.example.com";
const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const yaml = { "content-type": "application/yaml" };
const apply = { "content-type": "application/apply-patch+yaml" };
/** Pieces that spoil a text. */
const pieces = ["", "", ...":-?,[]{}#&*!|>'\"%@` \n\t0a~\\\r", "\u0000", "\r\n", "\u0085", "\u2028"];

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "2000" } = process.env;
  const made = { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } }, quiet: true };
  yield { name: "namespace", steps: [made, { method: "POST", path: collection, body: definition, quiet: true }] };
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const path = `/apis/${group}/v1/namespaces/${namespace}/texts`;
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const body = spoilt(r, document(r), pieces, 0.8);
    const validation = r.pick(["", "&fieldValidation=Strict", "&fieldValidation=Ignore"]);
    const step = r.chance(0.7)
      ? { method: "POST", path: `${path}?dryRun=All${validation}`, headers: yaml, body, view }
      : { method: "PATCH", path: `${path}/x?dryRun=All&fieldManager=m${validation}`, headers: apply, body, view };
    yield { name: `${SEED}-${i} ${step.method}`, independent: true, steps: [step] };
  }
}

const definition = sampleDefinition(group, "texts", "Text", [{ schema: openSchema }]);

/** The part of an answer that the text decides. */
function view({ body, headers }) {
  const { metadata: _, ...answer } = JSON.parse(body.toString());
  return { ...answer, warning: headers.warning };
}

function document(r) {
  const head = r.pick([
    "",
    "",
    "",
    "---\n",
    "--- # comment\n",
    "%YAML 1.1\n---\n",
    "\ufeff",
    "# comment\n\n",
    "---\n---\n",
  ]);
  const tail = r.pick(["", "", "", "\n", "...\n", "---\n", "--- {}\n", "# end", "...\n# end\n"]);
  return `${head}apiVersion: ${group}/v1\nkind: Text\nmetadata: {name: x}\nspec:${block(r, 3, "  ")}${tail}`;
}

/** A value behind the colon of its key, or behind the dash of an item, to the end of its last line. */
function block(r, depth, indent) {
  const mark = r.chance(0.06)
    ? ` ${r.pick(marks)}${r.chance(0.25) ? `\n${indent}${r.pick(["", " ", "&c ", "!!str "])}` : ""}`
    : "";
  if (depth > 0 && r.chance(depth === 3 ? 0.95 : 0.45)) {
    const lines = [];
    const isList = r.chance(0.35);
    for (let i = 1 + r.int(4); i > 0; i--) {
      if (r.chance(0.05)) lines.push(`${indent}${r.pick(["# comment", "", "   "])}\n`);
      const value = block(r, depth - 1, `${indent}${r.pick(["  ", "  ", " ", "    "])}`);
      const lead = r.chance(0.04) ? "? " : "";
      lines.push(
        isList
          ? `${indent}-${value}`
          : `${indent}${lead}${key(r)}${r.chance(0.95) ? ":" : r.pick([" :", ": ", ""])}${value}`,
      );
    }
    return `${mark}\n${lines.join("")}`;
  }
  if (r.chance(0.12)) {
    const header = `${r.pick(["|", ">"])}${r.pick(["", "", "-", "+", "2", "1-", "+2", "9"])}`;
    const lines = Array.from(
      { length: r.int(4) },
      () => `${indent}${r.pick(["a", "  b", "", "c: d", "# no comment", "\tt", "e  "])}\n`,
    );
    return `${mark} ${header}${r.pick(["", "", " # comment"])}\n${lines.join("")}`;
  }
  const comment = r.chance(0.08) ? r.pick([" # comment", "#none", " #"]) : "";
  return `${mark} ${r.chance(0.25) ? flow(r, 2) : scalar(r)}${comment}\n`;
}

function flow(r, depth) {
  if (depth === 0 || r.chance(0.3)) return scalar(r);
  const items = Array.from({ length: r.int(4) }, () => flow(r, depth - 1));
  const between = r.pick([", ", ",", ",\n      "]);
  const end = r.chance(0.1) ? "," : "";
  return r.chance(0.5)
    ? `[${items.join(between)}${items.length > 0 ? end : ""}]`
    : `{${items.map((item) => `${key(r)}${r.pick([": ", ": ", ": ", ":"])}${item}`).join(between)}${items.length > 0 ? end : ""}}`;
}

const marks = [
  "&a",
  "&b",
  "!!str",
  "!!int",
  "!!float",
  "!!bool",
  "!!null",
  "!!map",
  "!!seq",
  "!!binary",
  "!!timestamp",
  "!!set",
  "!odd",
  "!<tag:yaml.org,2002:str>",
  "!",
];

const key = (r) =>
  r.chance(0.75)
    ? r.pick(["a", "b", "c", "d", "e", "long_key", "x-y", "a.b/c"])
    : r.pick([
        "1",
        "-1",
        "0x10",
        "1.5",
        "true",
        "yes",
        "null",
        "~",
        '"q"',
        "'s'",
        "2020-01-01",
        "<<",
        "=",
        '""',
        "a b",
        "é",
        "1e3",
        "012",
        "[a]",
        "{a: 1}",
        ".inf",
        "18446744073709551616",
        "*a",
        "&b k",
        "!!str 5",
      ]);

const plain = [
  ...[
    "a",
    "word",
    "two words",
    "true",
    "True",
    "TRUE",
    "tRUE",
    "yes",
    "Yes",
    "no",
    "NO",
    "on",
    "off",
    "y",
    "n",
    "Y",
    "null",
    "Null",
    "NULL",
    "~",
    "",
  ],
  ...[
    "0",
    "1",
    "-1",
    "+1",
    "00",
    "012",
    "08",
    "0o12",
    "0x1F",
    "0X1F",
    "-0x1",
    "0b101",
    "-0b1",
    "1_000",
    "1__0",
    "_1",
    "0x_1",
    "1:30",
    "1:30:15",
    "190:20:30.15",
    "-1:30",
  ],
  ...[
    "1.5",
    ".5",
    "5.",
    "1e3",
    "1E3",
    "1e+3",
    "1.5e-3",
    "1e400",
    "-1e400",
    "1_0.5",
    "+.5",
    "-.5",
    "1.",
    "1.0",
    "-0",
    "-0.0",
    "0.1e-400",
    "1e21",
    "1e20",
    "123456789012345678901234567890",
  ],
  ...[
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "9007199254740993",
    "0x7fffffffffffffff",
    "0xffffffffffffffff",
    "0x10000000000000000",
  ],
  ...[".inf", "-.inf", "+.inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN", "inf", "NaN", "Infinity"],
  ...[
    "2020-01-01",
    "2020-1-1",
    "2020-01-01T00:00:00Z",
    "2020-01-01 00:00:00",
    "2020-01-01t00:00:00.5+01:00",
    "2020-13-01",
    "2020-01-01 1:2:3 +1",
  ],
  ...[
    "=",
    "<<",
    "-",
    "?",
    ":",
    "a:b",
    "a: b",
    "-a",
    "?a",
    ":a",
    "a#b",
    "a #b",
    "@a",
    "`a",
    "%a",
    "!a",
    "&a",
    "*a",
    "*b",
    "|",
    ">",
    "{",
    "}",
    "[",
    "]",
    ",",
    "a,b",
    "{a",
    "a}",
    "'",
    '"',
  ],
  ...["é", "日本", "\u0085", "a\u00a0b", "\u2028", "😀", "a\tb", "\u0007", "\ufeffa", "a\\b", "a\\nb"],
];

const quoted = [
  ...[
    "''",
    '""',
    "'it''s'",
    "'a\\nb'",
    '"a\\nb"',
    '"\\x41"',
    '"\\u00e9"',
    '"\\U0001F600"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\0"',
    '"\\e\\a\\b\\v\\f\\r\\t"',
    '"\\N\\_\\L\\P"',
    '"\\/"',
    '"\\q"',
    '"\\x4"',
  ],
  ...[
    '"two\n      lines"',
    "'two\n      lines'",
    '"two\n\n      lines"',
    '"esc\\\n      aped"',
    "'a: b'",
    '"true"',
    "'1'",
    '"# no"',
    '"\\"q\\""',
    "'tab\there'",
    '"tab\there"',
    '"\u0007"',
  ],
];

function scalar(r) {
  const text = r.chance(0.75) ? r.pick(plain) : r.pick(quoted);
  if (r.chance(0.92)) return text;
  return `${r.pick(marks)} ${text}`;
}
