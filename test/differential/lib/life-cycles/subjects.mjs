// The objects of a drawn sequence: their places, and the metadata with which they are made.

/**
 * Returns a subject: an object of a kind under a name, which is `base` for most kinds. Values that are saved for it begin with its key: `KEYuid` and `KEYfirst`
 * (the version) of its creation, `KEYlive` (the object) and `KEYversion` of its last reading.
 */
export function subjectOf(kind, { key, base, namespace }) {
  const name = kind.named?.(base) ?? base;
  const root = kind.apiVersion.includes("/") ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`;
  const collection = kind.isOfCluster ? `${root}/${kind.plural}` : `${root}/namespaces/${namespace}/${kind.plural}`;
  return { kind, key, base, name, namespace, collection, path: `${collection}/${name}` };
}

/** Draws the whole object of a subject. Others are those that may own it. */
export function objectOf(r, { kind, name, base, namespace }, others) {
  const text = JSON.stringify({
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name, ...metadataOf(r, others) },
    ...kind.object(r, base),
  });
  return JSON.parse(text.replaceAll("$namespace", namespace ?? "default"));
}

/** Names of finalizers; the last two make the garbage collector act. */
export const finalizers = ["example.com/one", "example.com/two", "orphan", "foregroundDeletion"];

function metadataOf(r, others) {
  return {
    ...(r.chance(0.5) && { labels: { app: r.pick(["s", "t"]) } }),
    ...(r.chance(0.2) && { annotations: { a: "1" } }),
    ...(r.chance(0.35) && { finalizers: r.some(finalizers, 0.3) }),
    ...(r.chance(0.2) && { ownerReferences: r.some(others, 0.7).map((other) => ownerOf(r, other)) }),
    ...(r.chance(0.04) && { deletionTimestamp: "2024-01-01T00:00:00Z", deletionGracePeriodSeconds: 5 }),
    ...(r.chance(0.04) && { generation: 7 }),
    ...(r.chance(0.03) && { uid: "11111111-1111-1111-1111-111111111111" }),
    ...(r.chance(0.03) && { creationTimestamp: "2024-01-01T00:00:00Z" }),
    ...(r.chance(0.02) && { resourceVersion: "1" }),
    ...(r.chance(0.02) && { selfLink: "/x" }),
  };
}

/** Draws a reference to an owner: as it is, or with a mistake. */
export function ownerOf(r, { kind, key, name }) {
  return {
    apiVersion: r.chance(0.95) ? kind.apiVersion : r.pick(["", "v9", "a/b/c"]),
    kind: r.chance(0.97) ? kind.kind : "",
    name: r.chance(0.9) ? name : r.pick(["absent", ""]),
    uid: r.chance(0.85) ? `$${key}uid` : r.pick(["00000000-0000-0000-0000-000000000000", ""]),
    ...(r.chance(0.3) && { controller: r.chance(0.7) }),
    ...(r.chance(0.4) && { blockOwnerDeletion: r.chance(0.7) }),
  };
}
