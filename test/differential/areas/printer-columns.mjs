// Columns of custom kinds by JSONPath: expressions drawn from its grammar, some of them with characters changed, one for each
// version of a kind, and tables of objects with values of all types. COUNT is the number of kinds, SEED which.

import { Random } from "../lib/random.mjs";
import { openSchema, sampleDefinition } from "../lib/sample-definition.mjs";

export const parallel = 4;
const namespace = "printer-columns";
const group = "columns.example.com";
const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
/** The column in the place of one that is refused. */
const accepted = { name: "C", type: "string", jsonPath: ".metadata.name" };
/** Number of versions of a kind: one for each expression. */
const expressions = 20;
const batch = 20;
/** Time in milliseconds until both servers have seen changes of definitions. */
const settleMs = 5_000;

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "40" } = process.env;
  const made = { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } }, quiet: true };
  yield { name: "namespace", steps: [made] };
  for (let from = 0; from < Number(COUNT); from += batch) {
    const subjects = Array.from({ length: Math.min(batch, Number(COUNT) - from) }, (_, i) =>
      subjectOf(new Random(Number(SEED) * 100_003 + from + i), `c${SEED}x${from + i}s`),
    );
    for (const { plural, columns } of subjects)
      yield {
        name: plural,
        steps: [
          ...columns.map((column, i) => ({
            label: `is ${column.jsonPath} accepted`,
            method: "POST",
            path: `${collection}?dryRun=All`,
            body: definition(plural, [column]),
            view: ({ body }) => JSON.parse(body.toString()).message,
            save: { [`group${i}`]: "spec.group" },
          })),
          {
            method: "POST",
            path: collection,
            body: (saved) =>
              definition(
                plural,
                columns.map((column, i) => (saved[`group${i}`] === group ? column : accepted)),
              ),
            quiet: true,
          },
        ],
      };
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    for (const subject of subjects)
      yield {
        name: subject.plural,
        independent: true,
        steps: [...creations(subject), ...reads(subject), removal(subject)],
      };
  }
}

const pathOf = (plural, version) => `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;

function creations({ plural, objects }) {
  return objects.map((object, i) => ({
    method: "POST",
    path: pathOf(plural, "v1"),
    body: {
      ...object,
      apiVersion: `${group}/v1`,
      kind: kindOf(plural),
      metadata: { ...object.metadata, name: `o${i}` },
    },
    quiet: true,
  }));
}

function reads({ plural, columns }) {
  return columns.map(({ type, jsonPath }, i) => ({
    label: `${type} ${jsonPath}`,
    method: "GET",
    path: pathOf(plural, `v${i + 1}`),
    headers: table,
    view,
  }));
}

function removal({ plural }) {
  return { method: "DELETE", path: `${collection}/${plural}.${group}`, quiet: true };
}

/** The columns and cells of a table. The name is described in each server's own words. */
function view({ body }) {
  const answer = JSON.parse(body.toString());
  return answer.kind === "Table"
    ? { columns: answer.columnDefinitions.slice(1), cells: answer.rows?.map(({ cells }) => cells) }
    : answer;
}

const kindOf = (plural) => plural.replace(/s$/, "").replace("c", "C");

function subjectOf(r, plural) {
  const columns = Array.from({ length: expressions }, () => ({
    name: "C",
    type: r.pick(["string", "string", "string", "integer", "number", "boolean", "date"]),
    jsonPath: expression(r),
  }));
  return { plural, columns, objects: Array.from({ length: 3 }, () => objectOf(r)) };
}

function definition(plural, columns) {
  const versions = columns.map((column) => ({ schema: openSchema, additionalPrinterColumns: [column] }));
  return sampleDefinition(group, plural, kindOf(plural), versions);
}

const often = ["a", "b", "name", "list"];
const names = [...often, "x-y", "one", "dotted.name", "type", "0", "_u", "ü", "with space", "it's"];

function objectOf(r) {
  const labels = r.chance(0.5) ? { one: "1", "dotted.name": "2" } : undefined;
  return { metadata: { ...(labels && { labels }) }, spec: randomValue(r, 3, true), status: randomValue(r, 2, true) };
}

function randomValue(r, depth, isObject = false) {
  if (depth > 0 && (isObject || r.chance(0.35)))
    return Object.fromEntries(
      names
        .filter((name) => r.chance(often.includes(name) ? 0.8 : 0.3))
        .map((name) => [name, randomValue(r, depth - 1)]),
    );
  if (depth > 0 && r.chance(0.4)) {
    const isOfOneSort = r.chance(0.6);
    const sort = r.int(3);
    return Array.from({ length: r.int(4) }, () =>
      isOfOneSort && sort === 0
        ? randomValue(r, depth - 1, true)
        : isOfOneSort && sort === 1
          ? r.int(5)
          : randomValue(r, depth - 1),
    );
  }
  return r.pick([
    ...["a", "b", "", "true", "5", "null", "it's", 'a"b', "<&>", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+01:00", "2120-01-01T00:00:00Z"],
    ...[0, 1, 2, -3, 1.5, 1e21, 0.1, 1e-7, 12345678901234567000, 9007199254740991, 100000000, true, false, null],
  ]); // biome-ignore format: a list of values
}

function expression(r) {
  const text = r.chance(0.9) ? path(r, r.chance(0.95) ? "" : r.pick(["$", "@", "."])) : path(r, "") + path(r, " ");
  if (r.chance(0.8)) return text;
  const at = r.int(text.length + 1);
  return text.slice(0, at) + r.pick(["", "", ...`.[]()'"*?@$,:-+\\{} \n0a=!<>&|~ü`]) + text.slice(at + r.int(2));
}

function path(r, start) {
  let text = `${start}${r.pick([".spec", ".spec", ".spec", ".status", ".metadata.labels", ".metadata.labels", "."])}`;
  for (let i = r.int(4); i > 0; i--) text += step(r);
  return text;
}

function step(r) {
  const name = r.pick(r.chance(0.6) ? often : names);
  switch (r.int(11)) {
    case 0:
      return `['${name}']`;
    case 1:
      return `[${index(r)}]`;
    case 2:
      return `[${r.pick([`${index(r)}:${index(r)}`, `${index(r)}:`, `:${index(r)}`, `::${index(r)}`, `${index(r)}:${index(r)}:${index(r)}`, ":"])}]`;
    case 3:
    case 4:
      // Go visits members in any order, so that only objects with few tell the same twice.
      return r.chance(0.8) ? "[*]" : r.pick([".*", `..${name}`]);
    case 5:
      return `[${r.pick(["0,1", "'a','b'", `'${name}',0`, "1,0:2", "*,0", "a,b", "0, 1"])}]`;
    case 6:
    case 7:
      return `[?(${condition(r)})]`;
    case 8:
      return `.${name.replace(/[.]/g, "\\.")}`;
    default:
      return `.${name}`;
  }
}

const index = (r) => r.pick([0, 1, 2, -1, -2, 3, 10]);

function condition(r) {
  const left = r.pick(["@", "@.a", "@.name", "@.a", "@['name']", "$.spec.a", "@.list[0]", "@.a.b", ".a", "a", "1"]);
  if (r.chance(0.2)) return left;
  const right = r.pick([
    ...["'a'", '"b"', "1", "1.5", "true", "false", "null", "@.b", "$.spec.a", "-3", "1e3", "''", "'it\\'s'"],
    ...['"a\\"b"', ".5", "'a'=='a'", "a"],
  ]);
  const blank = r.chance(0.2) ? " " : "";
  return `${left}${blank}${r.pick(["==", "==", "!=", "<", "<=", ">", ">=", "=", "=~", "&&", "!"])}${blank}${right}`;
}
