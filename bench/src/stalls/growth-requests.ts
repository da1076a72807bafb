import { definitionsPath } from "../custom-definitions.js";
import { tableType } from "./list-requests.js";
import { type StallDefinition, stallDefinition, stallObject, stallPath } from "./stall-definitions.js";
import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";
import type { StallHttpRequest } from "./stall-target.js";

const json = { "content-type": "application/json" };
const yaml = { "content-type": "application/yaml" };
const keep = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const kilobyte = "x".repeat(1000);
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `m${index}`);
const columns = Array.from({ length: 1000 }, (_, index) => ({
  name: `c${index}`,
  type: "string",
  jsonPath: ".spec.text",
}));

/** The kinds of the objects that grow. */
export const growthDefinitions: readonly StallDefinition[] = [
  stallDefinition("Growing", objectOf(listOf(objectOf(each(100, { type: "string", default: kilobyte }))))),
  stallDefinition("Counted", objectOf(listOf(objectOf(each(100, { type: "integer", default: 1 }))))),
  stallDefinition(
    "Sparse",
    objectOf(listOf(objectOf(each(10_000, objectOf({ a: { type: "string", default: "x" } }))))),
  ),
  stallDefinition("Demanding", objectOf(listOf({ ...objectOf({}), required: names(10_000) }))),
  stallDefinition(
    "Keyed",
    objectOf({
      items: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": names(10_000),
        items: { ...objectOf(each(10_000, { type: "string" })), required: names(10_000) },
      },
    }),
  ),
  stallDefinition("Free", keep),
  stallDefinition("Mapped", { type: "object", additionalProperties: objectOf({}) }),
  stallDefinition("Mismatched", objectOf(listOf({ type: "string", pattern: `^${"ab".repeat(2400)}$` }))),
  stallDefinition("Tabular", { ...keep }, { additionalPrinterColumns: columns }),
];

/** Requests that are small and lead to much work, or to large objects or answers. */
export const growthRequests: readonly StallRequest[] = [
  create("5,000 empty items that get 100 defaults of 1 KB each", "Growing", () => items(5000, "{}")),
  create("30,000 empty items that get 100 defaults of 1 KB each", "Growing", () => items(30_000, "{}")),
  create("990 empty items that get 100 numbers each", "Counted", () => items(990, "{}")),
  create("30,000 empty items whose 10,000 members lead to defaults", "Sparse", () => items(30_000, "{}")),
  create("30,000 empty items that lack 10,000 members", "Demanding", () => items(30_000, "{}")),
  create("5,000 empty items of a list with 10,000 keys", "Keyed", () => items(5000, "{}")),
  create("2,000 texts that do not match 4.8 KB of pattern", "Mismatched", () => items(2000, '"b#"')),
  create("1,000 unknown members below a name of 2 MB", "Mapped", () => `"${long(2)}":{${list(1000, '"u#":0')}}`),
  post(
    "growth: strict, 1,000 unknown members below a name of 2 MB",
    `${definitionsPath}?fieldValidation=Strict`,
    () => {
      const properties = `{"${long(2)}":{${list(1000, '"u#":0')}}}`;
      return definition(`{"type":"object","properties":{"spec":{"type":"object","properties":${properties}}}}`);
    },
  ),
  post("growth: members given twice below a name of 2 MB", `/api/v1/namespaces/${stallNamespace}/configmaps`, () => {
    return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"${long(2)}":{${list(1000, '"d#":0,"d#":0')}}}`;
  }),
  post("growth: a definition with 20,000 errors at paths of 500 KB", definitionsPath, () => {
    const deep = '{"type":"object","properties":{'.length;
    const levels = 250;
    const open = repeated(levels, `"${"n".repeat(2000 - deep)}":{"type":"object","properties":{`);
    return definition(`{"type":"object","properties":{${open}${list(20_000, '"p#":{}')}${"}}".repeat(levels)}}}`);
  }),
  create("a text of 1 MB that 1,000 aliases repeat", "Free", () => "", {
    headers: yaml,
    body: () => `${head("Free")}  a: &a ${long(1)}\n  b:\n${repeated(1000, "  - *a\n")}`,
  }),
  create("90,000 aliases of a text of 30 bytes", "Free", () => "", {
    headers: yaml,
    body: () => `${head("Free")}  a: &a ${"x".repeat(30)}\n  b:\n${repeated(90_000, "  - *a\n")}`,
  }),
  stored(
    "a Table of a text of 1 MB in 1,000 columns",
    "Tabular",
    () => `"text":"${long(1)}"`,
    (object) => ({
      path: object,
      headers: { accept: tableType },
    }),
  ),
  post(
    "growth: a Pod of 43,000 empty containers",
    `/api/v1/namespaces/${stallNamespace}/pods?dryRun=All`,
    () => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[${list(43_000, "{}")}]}}`,
  ),
  post(
    "growth: a Pod of 59,000 empty containers",
    `/api/v1/namespaces/${stallNamespace}/pods?dryRun=All`,
    () => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[${list(59_000, "{}")}]}}`,
  ),
  stored(
    "a JSON patch of copies while a list of 90,000 changes",
    "Free",
    () => `"big":[${list(90_000, "0")}],"s":1`,
    (object) => ({
      method: "PATCH",
      path: `${object}?dryRun=All`,
      headers: { "content-type": "application/json-patch+json" },
      body: Buffer.from(
        `[${list(4900, '{"op":"replace","path":"/spec/big/0","value":#},{"op":"copy","from":"/spec/s","path":"/spec/c#"}')}]`,
      ),
    }),
  ),
  stored(
    "an apply that 9,000 deep fields are in conflict with",
    "Free",
    () => deepFields("a"),
    (object) => ({
      method: "PATCH",
      path: `${object}?fieldManager=other`,
      headers: { "content-type": "application/apply-patch+yaml" },
      body: Buffer.from(stallObject("Free", "stored", deepFields("b"))),
    }),
  ),
];

/** 900 levels, with ten values at each. */
function deepFields(value: string): string {
  const level = `${list(10, `"v#":"${value}"`)},"${"n".repeat(300)}":{`;
  return `${level.repeat(900)}${"}".repeat(900)}`;
}

function objectOf(properties: object): object {
  return { type: "object", properties };
}

function listOf(item: object): object {
  return { items: { type: "array", items: item } };
}

function each(count: number, schema: object): object {
  return Object.fromEntries(names(count).map((name) => [name, schema]));
}

function items(count: number, item: string): string {
  return `"items":[${list(count, item)}]`;
}

function list(count: number, item: string): string {
  return repeated(count, `${item},`).slice(0, -1);
}

function long(megabytes: number): string {
  return "x".repeat(megabytes * 1_000_000);
}

function head(kind: string): string {
  return `apiVersion: stall.example.com/v1\nkind: ${kind}\nmetadata:\n  name: x\nspec:\n`;
}

function definition(schema: string): string {
  return stallDefinition("Never", {}).json.replace(/\{"type":"object","properties":\{"spec":\{\}\}\}/, () => schema);
}

function create(
  name: string,
  kind: string,
  makeSpec: () => string,
  { headers = json, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: () => string } = {},
): StallRequest {
  const makeBody = body ?? (() => stallObject(kind, "grown", makeSpec()));
  return post(`growth: ${name}`, `${stallPath(kind, stallNamespace)}?dryRun=All`, makeBody, headers);
}

function post(
  name: string,
  path: string,
  makeBody: () => string,
  headers: Readonly<Record<string, string>> = json,
): StallRequest {
  return {
    name,
    prepare() {
      const body = Buffer.from(makeBody());
      return (target) => target.send({ method: "POST", path, headers, body });
    },
  };
}

/** Creates the object, or finds it there, and sends the request then. */
function stored(
  name: string,
  kind: string,
  makeSpec: () => string,
  makeRequest: (object: string) => StallHttpRequest,
): StallRequest {
  return {
    name: `growth: ${name}`,
    prepare() {
      const path = stallPath(kind, stallNamespace);
      const body = Buffer.from(stallObject(kind, "stored", makeSpec()));
      const request = makeRequest(`${path}/stored`);
      return async (target) => {
        await target.send({ method: "DELETE", path: `${path}/stored` });
        const created = await target.send({ method: "POST", path, headers: json, body });
        return created === "201" ? target.send(request) : `not created: ${created}`;
      };
    },
  };
}
