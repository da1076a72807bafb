import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { changeSomewhere, type FuzzBody } from "./bodies.js";
import { oddKey, oddText, oddValue } from "./odd-values.js";
import type { Random } from "./random.js";
import type { FuzzTarget } from "./templates.js";

const pointers = [
  "",
  "/",
  "/metadata",
  "/metadata/labels",
  "/metadata/labels/a~1b",
  "/metadata/name",
  "/metadata/uid",
  "/metadata/resourceVersion",
  "/metadata/finalizers/-",
  "/metadata/annotations/x",
  "/data",
  "/data/k",
  "/spec",
  "/spec/template/spec/containers/0",
  "/spec/template/spec/containers/-",
  "/spec/ports/0/port",
  "/spec/ports/99999999999",
  "/spec/ports/-1",
  "/rules/0",
  "/status",
  "/kind",
  "/apiVersion",
  "/__proto__/polluted",
  "/constructor/prototype/polluted",
  "/metadata/~2",
  "no/slash",
  "//",
];

const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
];

/** A patch of any type, right, wrong or damaged. */
export function patchBody(random: Random, target: FuzzTarget): FuzzBody {
  return random.weighted<FuzzBody>([
    [4, () => text("application/json-patch+json", jsonPatch(random))],
    [4, () => text("application/merge-patch+json", mergePatch(random, target))],
    [4, () => text("application/strategic-merge-patch+json", strategicPatch(random, target))],
    [0.5, () => text("application/apply-patch+yaml", mergePatch(random, target))],
    [3, () => text("application/apply-patch+yaml", appliedObject(random, target))],
    [0.5, () => text(random.pick(["application/json", "text/plain", "", "application/xml"]), oddValue(random))],
    [0.3, () => text("application/json-patch+json", amplifyingPatch())],
    [0.3, () => ({ contentType: random.pick(patchTypes), bytes: deepPatch(random) })],
  ]);

  function text(contentType: string, document: JsonValue): FuzzBody {
    const json = JSON.stringify(document);
    const bytes = Buffer.from(random.chance(0.1) ? json.slice(0, random.below(json.length)) : json);
    return { contentType, bytes };
  }
}

function jsonPatch(random: Random): JsonValue {
  if (random.chance(0.05)) {
    return oddValue(random);
  }
  return Array.from({ length: 1 + random.below(4) }, () => {
    const operation: JsonObject = {
      op: random.pick(["add", "remove", "replace", "move", "copy", "test", "test", "bad", "__proto__"]),
      path: random.chance(0.9) ? random.pick(pointers) : oddText(random),
    };
    if (random.chance(0.7)) {
      operation["value"] = oddValue(random);
    }
    if (random.chance(0.3)) {
      operation["from"] = random.pick(pointers);
    }
    if (random.chance(0.05)) {
      operation[oddKey(random)] = oddValue(random);
    }
    return operation;
  });
}

/** Every copy doubles the document. */
function amplifyingPatch(): JsonValue {
  return Array.from({ length: 200 }, (_, index) => ({
    op: "copy",
    from: "/metadata",
    path: `/metadata/labels${index % 2 === 0 ? "" : `/x${index}`}`,
  }));
}

function deepPatch(random: Random): Buffer {
  const levels = random.pick([100, 5_000, 9_990, 10_001]);
  const deep = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  return Buffer.from(
    random.pick([
      deep,
      `{"metadata":{"annotations":${deep}}}`,
      `{"data":${deep}}`,
      `{"spec":${deep}}`,
      `{"spec":{"template":{"spec":{"containers":[${deep}]}}}}`,
      `[{"op":"add","path":"/data","value":${deep}}]`,
      `[{"op":"test","path":"/metadata","value":${deep}}]`,
    ]),
  );
}

/** Returns an object to apply: some members of the target's object, some of them odd. */
function appliedObject(random: Random, target: FuzzTarget): JsonObject {
  const object = structuredClone(target.object);
  delete object["metadata"];
  for (const member of Object.keys(object)) {
    if (member !== "apiVersion" && member !== "kind" && random.chance(0.2)) {
      delete object[member];
    }
  }
  const { apiVersion, kind, ...members } = object;
  for (let changes = random.below(4); changes > 0; changes--) {
    changeSomewhere(random, members);
  }
  return { apiVersion, kind, ...members };
}

function mergePatch(random: Random, target: FuzzTarget): JsonValue {
  if (random.chance(0.05)) {
    return oddValue(random);
  }
  const { metadata: _metadata, ...patch } = structuredClone(target.object);
  const document: JsonObject = random.chance(0.5) ? patch : { metadata: { labels: { x: oddText(random) } } };
  changeSomewhere(random, document);
  changeSomewhere(random, document);
  return document;
}

const directives: readonly JsonObject[] = [
  { $patch: "delete" },
  { $patch: "replace" },
  { $patch: "merge" },
  { $patch: "bad" },
  { $patch: null },
  { "$deleteFromPrimitiveList/finalizers": ["x"] },
  { "$deleteFromPrimitiveList/finalizers": "x" },
  { "$setElementOrder/containers": [{ name: "c" }] },
  { "$setElementOrder/ports": [{}] },
  { "$setElementOrder/containers": "x" },
  { $retainKeys: ["name"] },
  { $retainKeys: [1] },
  { $retainKeys: "x" },
];

function strategicPatch(random: Random, target: FuzzTarget): JsonValue {
  const document = mergePatch(random, target);
  if (typeof document !== "object" || document === null) {
    return document;
  }
  const places: object[] = [document];
  for (let index = 0; index < places.length && index < 50; index++) {
    places.push(
      ...Object.values(places[index] as object).filter((value) => typeof value === "object" && value !== null),
    );
  }
  for (let count = random.below(3); count > 0; count--) {
    const place = random.pick(places);
    Array.isArray(place) ? place.push(random.pick(directives)) : Object.assign(place, random.pick(directives));
  }
  return document;
}
