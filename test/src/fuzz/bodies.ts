import { encodeProtobuf, encodeYaml, wrapUnknown } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { oddKey, oddNumberTexts, oddText, oddValue } from "./odd-values.js";
import type { Random } from "./random.js";
import type { FuzzTarget } from "./templates.js";

export interface FuzzBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const jsonType = "application/json";
const yamlType = "application/yaml";
const protobufType = "application/vnd.kubernetes.protobuf";

/** One byte more than the server takes. */
const tooManyBytes = 3 * 1024 * 1024 + 1;

/** An object of the target with this name, possibly changed in some places, in any encoding, possibly damaged. */
export function objectBody(random: Random, target: FuzzTarget, name: string): FuzzBody {
  const object = structuredClone(target.object);
  (object["metadata"] as JsonObject)["name"] = random.chance(0.9) ? name : oddText(random);
  const changes = random.weighted([
    [4, () => 0],
    [4, () => 1],
    [2, () => 1 + random.below(5)],
  ]);
  for (let change = 0; change < changes; change++) {
    changeSomewhere(random, object);
  }
  return random.weighted<FuzzBody>([
    [10, () => ({ contentType: jsonType, bytes: Buffer.from(JSON.stringify(object)) })],
    [6, () => ({ contentType: jsonType, bytes: damage(random, Buffer.from(damagedText(random, object))) })],
    [4, () => ({ contentType: yamlType, bytes: damage(random, Buffer.from(yamlOf(object))) })],
    [1, () => ({ contentType: yamlType, bytes: Buffer.from(random.pick(oddYaml)) })],
    [6, () => ({ contentType: protobufType, bytes: damage(random, protobufOf(target, object)) })],
    [0.3, () => ({ contentType: jsonType, bytes: deepJson(random) })],
    [0.02, () => ({ contentType: jsonType, bytes: hugeJson(object) })],
  ]);
}

/** Replaces, removes or adds something at a random place. */
export function changeSomewhere(random: Random, object: JsonObject): void {
  let place: JsonObject | JsonValue[] = object;
  for (let depth = random.below(6); depth > 0; depth--) {
    const below: JsonValue[] = Object.values(place).filter((value) => typeof value === "object" && value !== null);
    if (below.length === 0) {
      break;
    }
    place = random.pick(below) as JsonObject | JsonValue[];
  }
  if (Array.isArray(place)) {
    random.chance(0.5) ? place.push(oddValue(random)) : place.splice(random.below(place.length + 1), 1);
    return;
  }
  const keys = Object.keys(place);
  const key = keys.length > 0 && random.chance(0.7) ? random.pick(keys) : oddKey(random);
  if (random.chance(0.2)) {
    delete place[key];
  } else {
    // Not an assignment: `__proto__` is to become a member.
    Object.defineProperty(place, key, {
      value: oddValue(random),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

/** JSON text with what an encoder would never write: duplicate keys, numbers beyond all bounds, odd escapes. */
function damagedText(random: Random, object: JsonObject): string {
  const text = JSON.stringify(object);
  const at = text.indexOf(":", random.below(text.length)) + 1;
  return random.weighted([
    [2, () => `${text.slice(0, -1)},${text.slice(1)}`],
    [2, () => `${text.slice(0, -1)},"metadata":{"name":"b"},"metadata":null}`],
    [3, () => `${text.slice(0, at)}${random.pick(oddNumberTexts)}${text.slice(at)}`],
    [3, () => text.replace(/:"[^"]*"/, `:${random.pick(oddNumberTexts)}`)],
    [1, () => text.replace('"metadata"', '"\\u006detadata"')],
    [1, () => text.replace('"a"', '"\\ud800"')],
    [1, () => `\uFEFF${text}`],
    [1, () => `${text}${text}`],
    [1, () => `${text} garbage`],
    [1, () => random.pick(["", " ", "null", "[]", "1", '"x"', "{", "}", "{}", "[{}]", "\u0000", "//", "undefined"])],
  ]);
}

function damage(random: Random, bytes: Buffer): Buffer {
  if (random.chance(0.5) || bytes.length === 0) {
    return bytes;
  }
  const damaged = Buffer.from(bytes);
  switch (random.below(4)) {
    case 0:
      return damaged.subarray(0, random.below(damaged.length));
    case 1: {
      const at = random.below(damaged.length);
      return Buffer.concat([damaged.subarray(0, at), random.bytes(1 + random.below(8)), damaged.subarray(at)]);
    }
    case 2: {
      const from = random.below(damaged.length);
      return Buffer.concat([damaged, damaged.subarray(from, from + random.below(64))]);
    }
    default:
      for (let flips = 1 + random.below(4); flips > 0; flips--) {
        damaged[random.below(damaged.length)] = random.below(256);
      }
      return damaged;
  }
}

function yamlOf(object: JsonObject): string {
  return encodeYaml(object);
}

const oddYaml = [
  "a: &a [*a]",
  `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi".replaceAll(
    /./g,
    (c) =>
      `${c}: &${c} [${Array(9)
        .fill(`*${String.fromCharCode(c.charCodeAt(0) - 1)}`)
        .join(",")}]\n`,
  )}`,
  "kind: ConfigMap\nkind: Secret\n",
  "!!js/function 'function(){}'",
  "--- a\n--- b\n",
  "\t- x",
  "<<: {kind: ConfigMap}\napiVersion: v1\n",
  "? {a: b}\n: c\n",
  "kind: !!binary AAEC\n",
  "? [a]\n: b",
  "1: 2\ntrue: 3\nnull: 4\n",
  "{".repeat(20000),
  "[".repeat(20000),
  "- ".repeat(20000),
  `${"a: ".repeat(5000)}b`,
  "%YAML 9.9\n---\nkind: ConfigMap",
  "'",
  "*unknown",
  "kind: ConfigMap\n...\nrubbish: [",
];

/** Encodes the object as protobuf; an object that cannot be encoded is replaced by its plain template. */
function protobufOf(target: FuzzTarget, object: JsonObject): Buffer {
  const schema = kindSchema(target.group, target.version, target.kind)?.schema;
  if (schema === undefined) {
    throw new Error(`no schema for ${target.kind}`);
  }
  const apiVersion = String(target.object["apiVersion"]);
  let raw: Buffer;
  try {
    raw = encodeProtobuf(schema, object);
  } catch {
    raw = encodeProtobuf(schema, target.object);
  }
  return wrapUnknown(apiVersion, target.kind, raw);
}

function deepJson(random: Random): Buffer {
  const levels = random.pick([100, 9_999, 10_001, 100_000]);
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
    ['{"metadata":', "}"],
    ['{"data":', "}"],
    ['{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":', "}}}}]}}"],
    ['{"items":', "}"],
  ] as const);
  const closed = random.chance(0.7) ? close.repeat(levels) : "";
  return Buffer.from(`${open.repeat(levels)}1${closed}`);
}

function hugeJson(object: JsonObject): Buffer {
  const text = JSON.stringify({ ...object, data: { k: "" } });
  const at = text.lastIndexOf('""') + 1;
  return Buffer.from(text.slice(0, at) + "x".repeat(tooManyBytes - text.length) + text.slice(at));
}

/** DeleteOptions, right and wrong. */
export function deleteOptionsBody(random: Random): FuzzBody {
  const options: JsonObject = { kind: "DeleteOptions", apiVersion: "v1" };
  for (let count = random.below(4); count > 0; count--) {
    const key = random.pick(["gracePeriodSeconds", "preconditions", "orphanDependents", "propagationPolicy", "dryRun"]);
    options[key] = random.chance(0.5)
      ? oddValue(random)
      : random.pick<JsonValue>([0, "Foreground", "Background", true, ["All"], { uid: "x" }, { resourceVersion: "1" }]);
  }
  if (random.chance(0.2)) {
    options[random.pick(["kind", "apiVersion"])] = oddText(random);
  }
  return { contentType: jsonType, bytes: damage(random, Buffer.from(JSON.stringify(options))) };
}
