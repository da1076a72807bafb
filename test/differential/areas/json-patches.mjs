// JSON patches (RFC 6902) drawn at random, with pointers to what is there and what is not, and JSON merge patches (RFC 7386): of
// an object of a kind that keeps everything, and of a Deployment. COUNT is the number of patches, SEED which.

import { spoilt } from "../lib/grammar.mjs";
import { Random } from "../lib/random.mjs";
import { openSchema, sampleDefinition } from "../lib/sample-definition.mjs";

export const parallel = 4;
const namespace = "json-patches";
const group = "json-patches.example.com";
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const trees = `/apis/${group}/v1/namespaces/${namespace}/trees`;
/** Pieces that spoil a pointer. */
const pieces = ["", ..."/~0-1a", "~0", "~1", "~2", "é", " "];

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "4000" } = process.env;
  const post = (path, body) => ({ method: "POST", path, body, quiet: true });
  yield {
    name: "objects",
    steps: [
      post("/api/v1/namespaces", { metadata: { name: namespace } }),
      post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition),
      post(deployments, deployment),
    ],
  };
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  yield { name: "tree", steps: [post(trees, tree)] };
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const [path, object] = r.chance(0.85) ? [`${trees}/t`, tree] : [`${deployments}/patched`, deployment];
    const isMerge = r.chance(0.25);
    const body = JSON.stringify(isMerge ? mergePatch(r, object) : jsonPatch(r, object));
    const headers = { "content-type": `application/${isMerge ? "merge" : "json"}-patch+json` };
    const validation = r.pick(["", "&fieldValidation=Strict", "&fieldValidation=Ignore"]);
    yield {
      name: `${SEED}-${i} ${isMerge ? "merge" : "json"} ${body}`,
      independent: true,
      steps: [{ method: "PATCH", path: `${path}?dryRun=All${validation}`, headers, body, view }],
    };
  }
}

/** The object without times and versions, or what is wrong, with the object as the message shows it. */
function view({ body, headers }) {
  const text = body.toString().replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9-]{10}T[0-9:]{8}Z/g, "...");
  const { metadata = {}, status, ...answer } = JSON.parse(text.replaceAll(/(resourceVersion\\*":\\*")\d+/g, "$1..."));
  const { uid, creationTimestamp, resourceVersion, managedFields, generation, ...kept } = metadata;
  return { ...answer, metadata: kept, status: answer.kind === "Status" ? status : undefined, warning: headers.warning };
}

const definition = sampleDefinition(group, "trees", "Tree", [{ schema: openSchema }]);
const tree = {
  apiVersion: `${group}/v1`,
  kind: "Tree",
  metadata: { name: "t", labels: { a: "1", "b/c": "2" }, annotations: { "a-b": "x" }, finalizers: ["example.com/a"] },
  a: { b: { c: [1, 2, { d: null }], "": { "": 0 } }, "a/b": 1, "m~n": 2, "~1": 3, 0: "zero", "-": "dash", é: [] },
  list: [[], [[1], 2], { x: 1 }, "text", 1.5, true, null],
  empty: {},
  nothing: null,
  text: "t",
};
const deployment = {
  metadata: { name: "patched", labels: { a: "1" } },
  spec: {
    selector: { matchLabels: { app: "a" } },
    replicas: 1,
    template: {
      metadata: { labels: { app: "a" } },
      spec: {
        containers: [
          { name: "a", image: "i", args: ["1", "2"], env: [{ name: "A", value: "1" }] },
          { name: "b", image: "i", ports: [{ containerPort: 80 }] },
        ],
      },
    },
  },
};

function jsonPatch(r, object) {
  if (r.chance(0.02)) return r.pick([{}, null, "x", 1, [null], [1], [[]], ["a"], [{}]]);
  return Array.from({ length: r.chance(0.5) ? 1 : r.int(5) }, () => operation(r, object));
}

function operation(r, object) {
  const op = r.chance(0.97) ? r.pick(["add", "add", "remove", "replace", "move", "copy", "test", "test"]) : r.pick(odd);
  const needsFrom = op === "move" || op === "copy";
  const needsValue = op === "add" || op === "replace" || op === "test";
  const found = pointerInto(r, object);
  return {
    ...(r.chance(0.98) && { op }),
    ...(r.chance(0.98) && { path: r.chance(0.98) ? found.pointer : r.pick(odd) }),
    ...((needsFrom ? r.chance(0.97) : r.chance(0.03)) && {
      from: r.chance(0.98) ? pointerInto(r, object).pointer : r.pick(odd),
    }),
    ...((needsValue ? r.chance(0.95) : r.chance(0.05)) && {
      value: op === "test" && r.chance(0.9) ? reordered(found.value) : value(r),
    }),
    ...(r.chance(0.03) && { extra: 1 }),
  };
}

const odd = ["", "Add", "merge", " add", null, 1, true, {}, []];

/** A pointer to a part of an object, or to one that is not there, and the part. */
function pointerInto(r, object) {
  let at = object;
  const tokens = [];
  while (typeof at === "object" && at !== null && r.chance(tokens.length === 0 ? 0.98 : 0.7)) {
    const token = r.chance(0.95) ? r.pick(Object.keys(at).concat(Array.isArray(at) ? ["-"] : [])) : r.pick(strangers);
    tokens.push(token ?? "");
    at = Object.hasOwn(at, token) ? at[token] : undefined;
  }
  if (r.chance(0.05)) tokens.push(r.pick(strangers));
  const pointer = tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { pointer: spoilt(r, pointer, pieces, 0.97), value: at };
}

const strangers = [
  ..."new 0 1 2 3 7 -1 -2 -3 -10 - 00 01 +1 1.0 1e0 0x1 a metadata labels name status spec kind apiVersion __proto__ constructor".split(
    " ",
  ),
  ...["", " ", "1 ", "18446744073709551616", "999999999", "a/b", "a~b", "~", "b/c", "é", "items", "length"],
];

/** Returns the value with the members of an object the other way round. */
function reordered(part) {
  return typeof part === "object" && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).reverse())
    : part;
}

const values = [
  null,
  0,
  1,
  1.0,
  1.5,
  -1,
  "",
  "a",
  "1",
  true,
  false,
  {},
  [],
  [1],
  { a: 1 },
  { a: null },
  [null],
  "<&>\u2028",
];

const value = (r) =>
  r.chance(0.85) ? r.pick(values) : { x: r.pick(values), y: [r.pick(values), { z: r.pick(values) }] };

function mergePatch(r, object, depth = 0) {
  if (depth === 0 && r.chance(0.03)) return r.pick([[], null, 1, "x", [{}]]);
  const names = r.some(Object.keys(object), 0.4);
  const known = names.map((name) => {
    const part = object[name];
    const goesDeeper = typeof part === "object" && part !== null && r.chance(0.7);
    return [name, goesDeeper ? mergePatch(r, part, depth + 1) : value(r)];
  });
  const more = r.chance(0.4) ? [[r.pick(strangers), value(r)]] : [];
  return Object.fromEntries([...known, ...more]);
}
