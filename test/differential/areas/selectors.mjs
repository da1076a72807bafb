// Selectors by labels and fields drawn from their grammar, some of them with characters changed, in lists, watches and deletions of
// several objects. COUNT is the number of selectors, SEED which.

import { spoilt } from "../lib/grammar.mjs";
import { Random } from "../lib/random.mjs";

export const parallel = 4;
const namespace = "selectors";
const path = `/api/v1/namespaces/${namespace}`;
/** Pieces that spoil a text. */
const pieces = ["", ..."=!<>(), \\/.-_é&+%", "\u0000", "\n", ",,", "in"];

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "2000" } = process.env;
  const post = (where, body) => ({ method: "POST", path: where, body, quiet: true });
  yield {
    name: "set up",
    steps: [
      post("/api/v1/namespaces", { metadata: { name: namespace } }),
      ...labelled.map((labels, i) => post(`${path}/configmaps`, { metadata: { name: `c${i}`, labels } })),
      ...labelled.map((labels, i) =>
        post(`${path}/pods`, {
          metadata: { name: `p${i}`, labels },
          spec: {
            containers: [{ name: "c", image: "i" }],
            ...(i % 2 === 0 && { nodeName: `n${i}` }),
            ...(i % 3 === 0 && { restartPolicy: "Never" }),
          },
        }),
      ),
    ],
  };
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const queries = [];
    if (r.chance(0.7)) queries.push(["labelSelector", spoilt(r, labelSelector(r), pieces)]);
    if (queries.length === 0 || r.chance(0.2)) queries.push(["fieldSelector", spoilt(r, fieldSelector(r), pieces)]);
    const query = queries.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join("&");
    const resource = r.pick(["configmaps", "pods", "pods", "events", "secrets"]);
    const all = r.pick([path, path, "/api/v1"]);
    const isDeletion = r.chance(0.1);
    const step = isDeletion
      ? { method: "DELETE", path: `${path}/secrets?dryRun=All&${query}`, view }
      : { method: "GET", path: `${all}/${resource}?${query}`, view };
    yield {
      name: `${SEED}-${i} ${step.method} ${resource} ${decodeURIComponent(query)}`,
      independent: true,
      steps: [step],
    };
  }
}

/** The names of what is selected, or what is wrong with the selector. */
function view({ body }) {
  const { kind, items = [], message, reason, code, details } = JSON.parse(body.toString());
  return { kind, message, reason, code, details, names: items.map(({ metadata }) => metadata.name) };
}

const labelled = [
  {},
  { a: "1" },
  { a: "2", b: "" },
  { a: "x", "example.com/b": "y" },
  { b: "1", c: "10" },
  { c: "-5", "a.b": "1" },
  { c: "007", a: "1" },
  { c: "9223372036854775807", in: "in", notin: "notin" },
];

const keys = [
  "a",
  "a",
  "b",
  "c",
  "example.com/b",
  "a.b",
  "in",
  "notin",
  "A",
  "missing",
  "a_b",
  "x-y",
  "",
  "-a",
  "a/b/c",
  "/a",
  "a/",
  "é",
  "exists",
];
const values = [
  "1",
  "1",
  "2",
  "x",
  "y",
  "",
  "10",
  "-5",
  "007",
  "9223372036854775807",
  "in",
  "a b",
  "a_b",
  "-",
  "x.",
  "é",
  "9223372036854775808",
  "1.5",
  "0x1",
  "true",
];

const blank = (r) => (r.chance(0.85) ? "" : r.pick([" ", "  ", "\t", "\n"]));

function labelSelector(r) {
  return Array.from({ length: r.chance(0.6) ? 1 : r.int(4) }, () => requirement(r)).join(`${blank(r)},${blank(r)}`);
}

function requirement(r) {
  const key = r.pick(keys);
  const set = () => `(${Array.from({ length: r.int(4) }, () => `${blank(r)}${r.pick(values)}${blank(r)}`).join(",")})`;
  switch (r.int(8)) {
    case 0:
      return key;
    case 1:
      return `!${blank(r)}${key}`;
    case 2:
      return `${key}${r.pick([" in ", " in", "in ", " notin ", " In ", " notin"])}${set()}`;
    case 3:
      return `${key} in ${set()}`;
    case 4:
      return `${key}${blank(r)}${r.pick([">", "<", ">=", "=>"])}${blank(r)}${r.pick(values)}`;
    default:
      return `${key}${blank(r)}${r.pick(["=", "=", "==", "!=", "===", "=!", "!", "=="])}${blank(r)}${r.pick(values)}`;
  }
}

const fields = [
  "metadata.name",
  "metadata.name",
  "metadata.namespace",
  "spec.nodeName",
  "spec.restartPolicy",
  "status.phase",
  "status.podIP",
  "spec.schedulerName",
  "spec.serviceAccountName",
  "spec.hostNetwork",
  "type",
  "involvedObject.name",
  "reason",
  "metadata.labels.a",
  "spec.missing",
  "",
  "Metadata.name",
  "metadata.name.x",
  "status.nominatedNodeName",
  "source",
  "reportingComponent",
];
const fieldValues = [
  "c1",
  "p0",
  "p1",
  "",
  namespace,
  "n0",
  "Never",
  "Always",
  "Pending",
  "default-scheduler",
  "true",
  "false",
  "a\\,b",
  "a\\=b",
  "a\\\\b",
  "a\\b",
  "\\",
  "a b",
  "x,y",
  "=",
  "é",
  "10.0.0.1",
  "Opaque",
];

function fieldSelector(r) {
  return Array.from({ length: r.chance(0.6) ? 1 : r.int(4) }, () => {
    const field = r.pick(fields);
    return `${blank(r)}${field}${r.pick(["=", "=", "==", "!=", "=!", "", "~", ">"])}${r.pick(fieldValues)}${blank(r)}`;
  }).join(",");
}
