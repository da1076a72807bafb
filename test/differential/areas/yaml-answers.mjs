// Answers in YAML: objects of a kind that keeps everything, with drawn keys, texts and numbers, as they are written. COUNT is the
// number of objects, SEED which. Control characters are left out: v1.29 answers with 500, since it reads its JSON as YAML, which
// also makes a space of a NEL.

import { spoilt } from "../lib/grammar.mjs";
import { Random } from "../lib/random.mjs";
import { openSchema, sampleDefinition } from "../lib/sample-definition.mjs";

export const parallel = 4;
const namespace = "yaml-answers";
const group = "yaml-answers.example.com";
const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "2000" } = process.env;
  const made = { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } }, quiet: true };
  yield { name: "namespace", steps: [made, { method: "POST", path: collection, body: definition, quiet: true }] };
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const path = `/apis/${group}/v1/namespaces/${namespace}/texts?dryRun=All`;
  const headers = { accept: "application/yaml", "content-type": "application/json" };
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const object = `{"apiVersion":"${group}/v1","kind":"Text","metadata":{"name":"x"},"spec":${value(r, 3)}}`;
    yield {
      name: `${SEED}-${i}`,
      independent: true,
      steps: [{ method: "POST", path, headers, body: Buffer.from(object), view }],
    };
  }
}

const definition = sampleDefinition(group, "texts", "Text", [{ schema: openSchema }]);

/** The text of the answer from the members that were sent. */
function view({ status, body }) {
  const text = body.toString();
  return status === 201 ? text.slice(text.indexOf("\nspec:")) : text;
}

/** A value in JSON. */
function value(r, depth) {
  if (depth > 0 && r.chance(depth === 3 ? 0.97 : 0.4)) {
    const items = Array.from({ length: r.int(5) }, () => value(r, depth - 1));
    return r.chance(0.3)
      ? `[${items.join(",")}]`
      : `{${items.map((item, i) => `${JSON.stringify(`${text(r)}${r.chance(0.5) ? i : ""}`)}:${item}`).join(",")}}`;
  }
  return r.chance(0.15) ? r.pick(others) : JSON.stringify(text(r));
}

const others = [
  ..."0 -0 1 -1 1.0 1.5 1e3 1e21 1e20 123456789.5 0.000001 1e-7 9007199254740993 9223372036854775807".split(" "),
  ..."9223372036854775808 18446744073709551615 1e300 -1.25e-10 100000000000000000000 3.0e5 true false null".split(" "),
  ...["{}", "[]", '""'],
];

function text(r) {
  return spoilt(r, Array.from({ length: r.chance(0.6) ? 1 : 1 + r.int(4) }, () => r.pick(parts)).join(""), pieces, 0.7);
}

const parts = [
  ..."a b ab word true no y N null ~ Null .inf .NaN +.INF << = - ? : | > ! % @ & * # , [ ] { } ' \" ` --- ... -- ..".split(
    " ",
  ),
  ..."-a ?a :a a: a:b a#b #a 0 -1 +1 1_000 0x1f 0o7 0b1 017 08 1.5 1. .5 -.5 1e3 1E+3 1e 0x 1:30 1:60 -1:2:3.5 10:5_".split(
    " ",
  ),
  ..."2024-01-02 2024-1-2 2024-13-45 2024-02-30 2024-01-02T03:04:05Z 2024-01-01t1:2:3 2024-01-01T25:00:00Z".split(" "),
  ..."12345-01-01 !!str !a %YAML &a *a %a @a `a 'a' \"a\" [a] {a} a, a] a} é ä\u00a0 \u2028 \u2029 \ufeff 😀".split(
    " ",
  ),
  ..."\ud7ff \ue000 \ufffd \u200b \\ \\n \\x / a\\ <&> </script>".split(" "),
  ...[
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    " \n",
    "\n ",
    "a b",
    "a\nb",
    "a\n",
    "\na",
    " a",
    "a ",
    "a: b",
    "a #b",
    "- a",
  ],
  ...[
    "2024-01-01 00:00:00",
    "2024-01-01 00:00:00 +02:00",
    "2024-01-01 1:2:3.5",
    "x".repeat(130),
    "long words ".repeat(12),
  ],
];
/** Pieces that spoil a text. */
const pieces = ["", ...":-?,[]{}#&*!|>'\"%@` \n\t\\\r", "\u2028", "\u00a0", "é"];
