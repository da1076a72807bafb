// Forms in which objects are sent: JSON, YAML, protobuf, and texts that are no objects.

/** Returns the object as YAML with a line for each member. */
export function yamlOf(object) {
  return Object.entries(object)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

const field = (number, bytes) => {
  const length = [];
  let rest = bytes.length;
  for (; rest > 127; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), Buffer.from(bytes)]);
};
const text = (number, value) => (value === undefined ? Buffer.alloc(0) : field(number, Buffer.from(value)));
const map = (number, values = {}) =>
  Buffer.concat(
    Object.entries(values).map(([key, value]) => field(number, Buffer.concat([text(1, key), text(2, value)]))),
  );

/** Returns a ConfigMap as protobuf: its name, generateName, namespace, labels and data. */
export function protobufOf({ metadata, data }) {
  const { name, generateName, namespace, labels } = metadata;
  const meta = Buffer.concat([text(1, name), text(2, generateName), text(3, namespace), map(11, labels)]);
  const raw = Buffer.concat([field(1, meta), map(2, data)]);
  const type = Buffer.concat([text(1, "v1"), text(2, "ConfigMap")]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, type), field(2, raw)]);
}

/** Bodies that are no objects, with their types. */
export const unreadable = [
  ["", "application/json"],
  ["{", "application/json"],
  ["[]", "application/json"],
  ["null", "application/json"],
  ['"a"', "application/json"],
  ['{"metadata":{"name":1}}', "application/json"],
  ['{"kind":"Pod","apiVersion":"apps/v9"}', "application/json"],
  ["a: [", "application/yaml"],
  ["a: 1\n---\nb: 2", "application/yaml"],
  ["- a", "application/yaml"],
  ["k8s\0\u0001", "application/vnd.kubernetes.protobuf"],
  ["{}", "application/vnd.kubernetes.protobuf"],
  ["{}", "text/plain"],
  ["{}", "application/json; charset=utf-8"],
  ["{}", "application/x-www-form-urlencoded"],
  ["{}", ""],
  ["{}", "not a type"],
  ["{}", "application/merge-patch+json"],
];

/** Patches that are none, with their types. */
export const unreadablePatches = [
  ["", "application/merge-patch+json"],
  ["{", "application/merge-patch+json"],
  ["a: b", "application/merge-patch+json"],
  ["[]", "application/merge-patch+json"],
  ["[{}]", "application/json-patch+json"],
  ["{}", "application/json-patch+json"],
  ['[{"op":"test","path":"/metadata/name","value":"other"}]', "application/json-patch+json"],
  ['[{"op":"remove","path":"/none"}]', "application/json-patch+json"],
  ['{"$patch":"odd"}', "application/strategic-merge-patch+json"],
  ['{"metadata":{"labels":1}}', "application/strategic-merge-patch+json"],
  ["a: [", "application/apply-patch+yaml"],
  ['{"metadata":{"name":"other"}}', "application/apply-patch+yaml"],
  ["{}", "application/json"],
  ["{}", ""],
];

/** Reports whether a text is JSON. */
export function isJson(body) {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
