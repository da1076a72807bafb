// Bodies in JSON drawn from its grammar, with numbers and texts of all spellings, members given twice or in other letters, and
// some characters changed: objects of a kind that keeps everything and of built-in kinds, and patches of all sorts. COUNT is the
// number of bodies, SEED which.

import { Random } from "../lib/random.mjs";
import { openSchema, sampleDefinition } from "../lib/sample-definition.mjs";

export const parallel = 4;
const namespace = "json-texts";
const group = "json-texts.example.com";
const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "2000" } = process.env;
  const post = (path, body) => ({ method: "POST", path, body, quiet: true });
  const configMap = { metadata: { name: "x" }, data: { a: "1", b: "2" } };
  yield {
    name: "set up",
    steps: [post("/api/v1/namespaces", { metadata: { name: namespace } }), post(collection, definition)],
  };
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  yield {
    name: "objects",
    steps: [
      post(`/api/v1/namespaces/${namespace}/configmaps`, configMap),
      post(customPath, {
        apiVersion: `${group}/v1`,
        kind: "Text",
        metadata: { name: "x" },
        spec: { a: [1, "b"], b: {} },
      }),
    ],
  };
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const step = r.chance(0.6) ? creation(r) : patch(r);
    yield { name: `${SEED}-${i} ${step.method}`, independent: true, steps: [{ ...step, view }] };
  }
}

const customPath = `/apis/${group}/v1/namespaces/${namespace}/texts`;

const definition = sampleDefinition(group, "texts", "Text", [{ schema: openSchema }]);

/** The part of an answer that the text decides: all but times, versions and names. */
function view({ body, headers }) {
  const { metadata = {}, ...answer } = JSON.parse(body.toString());
  const { labels, annotations, finalizers } = metadata;
  return { ...answer, labels, annotations, finalizers, warning: headers.warning };
}

function creation(r) {
  const validation = r.pick(["", "", "&fieldValidation=Strict", "&fieldValidation=Ignore"]);
  const [path, head, members] = r.pick(kinds);
  const object = `{${head}"metadata":{"name":"x"${r.chance(0.3) ? `,${member(r, r.pick(metadataMembers), 1)}` : ""}}${Array.from(
    { length: r.int(4) },
    () => `,${member(r, r.pick(members), 3)}`,
  ).join("")}}`;
  return {
    method: "POST",
    path: `${path}?dryRun=All${validation}`,
    headers: { "content-type": "application/json" },
    body: spoilt(r, object),
  };
}

const metadataMembers = [
  "labels",
  "annotations",
  "finalizers",
  "generateName",
  "Labels",
  "ANNOTATIONS",
  "generation",
  "unknown",
];

const kinds = [
  [customPath, `"apiVersion":"${group}/v1","kind":"Text",`, ["spec", "spec", "status", "a", "Spec", "x-y"]],
  [customPath, `"apiVersion":"${group}/v1","kind":"Text",`, ["spec", "spec", "spec"]],
  [
    `/api/v1/namespaces/${namespace}/configmaps`,
    "",
    ["data", "data", "binaryData", "immutable", "Data", "unknown", "kind"],
  ],
  [`/api/v1/namespaces/${namespace}/services`, "", ["spec", "spec", "Spec"]],
  [`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, "", ["spec", "spec"]],
];

function patch(r) {
  const [path, types] = r.chance(0.5)
    ? [`/api/v1/namespaces/${namespace}/configmaps/x`, ["merge-patch", "strategic-merge-patch", "json-patch"]]
    : [`${customPath}/x`, ["merge-patch", "json-patch"]];
  const type = r.pick(types);
  const validation = r.pick(["", "&fieldValidation=Strict", "&fieldValidation=Ignore"]);
  const members = ["data", "spec", "binaryData", "immutable", "metadata", "kind", "a"];
  const text =
    type === "json-patch"
      ? `[${Array.from({ length: 1 + r.int(3) }, () => operation(r)).join(",")}]`
      : `{${Array.from({ length: r.int(3) }, () => member(r, r.pick(members), 3)).join(",")}}`;
  return {
    method: "PATCH",
    path: `${path}?dryRun=All${validation}`,
    headers: { "content-type": `application/${type}+json` },
    body: spoilt(r, text),
  };
}

const pointers = [
  ...[
    "/data/a",
    "/data/c",
    "/data",
    "/data/a/b",
    "/data/-",
    "",
    "/",
    "/spec/a/0",
    "/spec/a/1",
    "/spec/a/2",
    "/spec/a/-",
    "/spec/a/-1",
  ],
  ...[
    "/spec/a/01",
    "/spec/a/1e0",
    "/spec/a/+1",
    "/spec/b/c",
    "/spec/b/~0~1",
    "/spec/b/~",
    "/spec/b/~2",
    "data/a",
    "/metadata/labels/a",
    "/metadata/name",
    "/kind",
    "/spec//",
    "/spec/b/%63",
    "/spec/a/18446744073709551616",
  ],
];

function operation(r) {
  const op = r.pick(["add", "add", "replace", "remove", "test", "copy", "move", "Add", "", "other"]);
  const members = [`"op":"${op}"`, `"path":${JSON.stringify(r.pick(pointers))}`];
  if (r.chance(op === "remove" ? 0.1 : 0.85)) members.push(`"value":${value(r, 2)}`);
  if (r.chance(op === "copy" || op === "move" ? 0.9 : 0.05)) members.push(`"from":${JSON.stringify(r.pick(pointers))}`);
  if (r.chance(0.05)) members.push(member(r, r.pick(["op", "path", "Op", "more"]), 0));
  return `{${r.some(members, 0.97).join(",")}}`;
}

const keys = [
  "a",
  "b",
  "c",
  "a",
  "A",
  "spec",
  "type",
  "x.y",
  "",
  "\\u0061",
  "é",
  "\\ud83d\\ude00",
  "__proto__",
  "constructor",
  "a\\/b",
  "$patch",
  "$setElementOrder/a",
  "ports",
  "port",
  "clusterIP",
  "holderIdentity",
  "leaseDurationSeconds",
  "renewTime",
  "selector",
  "Selector",
  "sessionAffinityConfig",
];

function member(r, key, depth) {
  return `"${key}"${blank(r)}:${blank(r)}${value(r, depth)}`;
}

function value(r, depth) {
  if (depth > 0 && r.chance(0.5)) {
    const count = r.int(4);
    return r.chance(0.7)
      ? `{${Array.from({ length: count }, () => member(r, r.pick(keys), depth - 1)).join(",")}}`
      : `[${blank(r)}${Array.from({ length: count }, () => value(r, depth - 1)).join(`${blank(r)},`)}]`;
  }
  return r.pick(r.chance(0.4) ? numbers : r.chance(0.6) ? texts : ["true", "false", "null", "null", "{}", "[]"]);
}

const blank = (r) => (r.chance(0.9) ? "" : r.pick([" ", "\n", "\t", "\r", "  "]));

const numbers = [
  ...[
    "0",
    "1",
    "-1",
    "-0",
    "0.0",
    "1.0",
    "-0.0",
    "1.5",
    "1e0",
    "1e2",
    "1E+2",
    "1.5e1",
    "1e-2",
    "1e21",
    "1e20",
    "1e400",
    "-1e400",
    "1e-400",
    "5e-324",
  ],
  ...[
    "9007199254740991",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "123456789012345678901234567890",
    "0.1",
    "0.30000000000000004",
    "100000000000000000000",
    "1.7976931348623157e308",
    "2147483647",
    "2147483648",
    "80",
    "65536",
  ],
  ...["01", "+1", ".5", "1.", "1e", "0x10", "NaN", "Infinity", "-", "--1", "1_000"],
];

const texts = [
  ...[
    '""',
    '"a"',
    '"b"',
    '"1"',
    '"true"',
    '"null"',
    '"\\u0000"',
    '"\\u001f"',
    '"\\n\\t\\b\\f\\r"',
    '"\\/"',
    '"\\\\\\""',
    '"\\u00e9"',
    '"é"',
    '"\\ud83d\\ude00"',
    '"😀"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\ud800\\ud800"',
    '"\\ud800\\u0061"',
  ],
  ...[
    '"\\uD83D"',
    '"<>&"',
    '"\\u003c\\u2028"',
    '"\u2028"',
    '"\\x41"',
    '"\\u12"',
    '"\\a"',
    "'a'",
    '"tab\there"',
    '"line\nbreak"',
    '"\u007f"',
    '"\ufeff"',
    '"YQ=="',
    '"YQ"',
    '"Y Q=="',
    '"2020-01-01T00:00:00.000000Z"',
    '"2020-01-01T00:00:00Z"',
    '"x y"',
    "a",
    '"a',
    "undefined",
  ],
];

function spoilt(r, text) {
  if (r.chance(0.85)) return text;
  const at = r.chance(0.2) ? text.length : r.int(text.length + 1);
  return (
    text.slice(0, at) +
    r.pick(["", "", ...`{}[],:"'\\ \n/#0a-.+`, "\u0000", "//c", "/**/", "\ufeff", "null", "{}"]) +
    text.slice(at + r.int(2))
  );
}
