// Reviews of access as Kubernetes' protobuf has them.

const texts = (...names) => Object.fromEntries(names.map((name, index) => [name, { number: index + 1 }]));

const resourceAttributes = texts("namespace", "verb", "group", "version", "resource", "subresource", "name");
const nonResourceAttributes = texts("path", "verb");
const spec = {
  namespace: { number: 1 },
  resourceAttributes: { number: 1, members: resourceAttributes },
  nonResourceAttributes: { number: 2, members: nonResourceAttributes },
  user: { number: 3 },
  groups: { number: 4 },
  extra: { number: 5, isMap: true },
  uid: { number: 6 },
};
const metadata = {
  name: { number: 1 },
  generateName: { number: 2 },
  namespace: { number: 3 },
  uid: { number: 5 },
  resourceVersion: { number: 6 },
  labels: { number: 11, isMap: true },
};
const members = { metadata: { number: 1, members: metadata }, spec: { number: 2, members: spec } };

/** Returns a review with its envelope. What has no meaning in protobuf is left out. */
export function reviewBytes(review) {
  const type = { apiVersion: { number: 1 }, kind: { number: 2 } };
  const unknown = [field(1, message(type, review)), field(2, message(members, review))];
  return Buffer.concat([Buffer.from("k8s\0"), ...unknown]);
}

function message(known, value) {
  const parts = Object.entries(known).flatMap(([name, { number, members: inner, isMap }]) => {
    const member = value?.[name];
    if (member === undefined || member === null) return [];
    if (isMap) return Object.entries(member).map(([key, item]) => field(number, mapEntry(key, item)));
    if (inner !== undefined) return [field(number, message(inner, member))];
    return [member].flat().map((text) => field(number, Buffer.from(String(text))));
  });
  return Buffer.concat(parts);
}

/** An entry of labels, or of an extra, whose value is a list in a message. */
function mapEntry(key, item) {
  const value = Array.isArray(item)
    ? Buffer.concat(item.map((text) => field(1, Buffer.from(text))))
    : Buffer.from(item ?? "");
  return Buffer.concat([field(1, Buffer.from(key)), field(2, value)]);
}

function field(number, bytes) {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(number) {
  const bytes = [];
  for (let rest = number; ; rest >>>= 7) {
    bytes.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) return Buffer.from(bytes);
  }
}
