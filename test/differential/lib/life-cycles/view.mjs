// Answers about objects with all that differs between two runs of one server made equal. Unlike elsewhere, managedFields stay.

const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const address = /\b10\.0\.0\.\d+\b/g;
const version = /(resourceVersion in (?:the precondition|record) \(|ResourceVersion in object meta: )\d+/gi;
/** Names that the server has made of the prefix of `create`. */
const generated = /\bg-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const pointer = /\(\*([\w.]+)\)\(0x[0-9a-f]+\)/g;
/** Times of this decade's later years: drawn ones are of 2024. */
const recent = /\b20(?:2[5-9]|3\d)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** Versions of objects inside of texts that quote them. */
const quotedVersion = /(resourceVersion\\*":\\*")\d+/g;
/** Kinds whose status controllers of the API server write at their own time. */
const reported = new Set(["FlowSchema", "PriorityLevelConfiguration", "APIService"]);

/** The answer to a request. */
export function view({ body }) {
  const text = body.toString();
  try {
    return normalise(JSON.parse(text), "");
  } catch {
    return normaliseText(text);
  }
}

/** The events of a watch by the names of objects, without those that show nothing new. */
export function watchView({ body, status }) {
  if (status !== 200) return view({ body });
  const seen = {};
  for (const line of body
    .toString()
    .split("\n")
    .filter((text) => text !== "")) {
    const { type, object } = JSON.parse(line);
    const name = normaliseText(object.metadata?.name ?? type);
    const event = { type, object: normalise(object, "") };
    seen[name] ??= [];
    const before = seen[name];
    const isRepeated = type === "MODIFIED" && JSON.stringify(before.at(-1)?.object) === JSON.stringify(event.object);
    if (!mayRepeat(object) || !isRepeated) before.push(event);
  }
  return seen;
}

/**
 * Reports whether a change of an object may be the work of a controller of the server, or of none at all: v1.29 stores claims
 * without the phase that it shows.
 */
const mayRepeat = ({ kind }) =>
  isReported(kind) || kind === "CustomResourceDefinition" || kind === "PersistentVolumeClaim";
const isReported = (kind) => reported.has(kind?.replace(/List$/, ""));

function normaliseText(text) {
  return (
    text
      .replace(uid, "UID")
      .replace(generated, "g-SUFFIX")
      .replace(recent, "NOW")
      .replace(address, "ADDRESS")
      .replace(version, "$1VERSION")
      .replace(quotedVersion, "$1VERSION")
      .replace(pointer, "(*$1)(POINTER)")
      // v1.29 writes its comparisons of objects with one of two sorts of space.
      .replace(/[ \u00a0]+/g, " ")
  );
}

/** Makes a value equal; `kind` is that of the whole answer. */
function normalise(value, key, kind = value?.kind) {
  if (Array.isArray(value)) {
    const items = value.map((item) => normalise(item, key, kind));
    // The order of managers depends on the second in which they came; that of causes of conflict is none.
    const isUnordered =
      key === "managedFields" || (key === "causes" && items.every(({ reason }) => reason === "FieldManagerConflict"));
    return isUnordered ? items.sort(byText) : items;
  }
  if (typeof value === "string") {
    if (/resourceVersion$/i.test(key) && /^[1-9]\d+$/.test(value)) return "VERSION";
    if (key === "continue" && value !== "") return "CONTINUE";
    return key === "token" ? tokenClaims(value) : normaliseText(value);
  }
  if (typeof value === "number") return /nodePort$/i.test(key) && value >= 30000 && value <= 32767 ? "NODEPORT" : value;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(withoutReports(value, kind)).map(([name, member]) => [
      name.replace(uid, "UID"),
      normalise(member, name, kind),
    ]),
  );
}

/** Returns an object without what controllers of the API server itself write. */
function withoutReports(value, kind) {
  const { metadata, ...rest } = value;
  if (metadata === null || typeof metadata !== "object") return value;
  const kept = { ...metadata };
  if (!isReported(kind) && kind !== "CustomResourceDefinition") return { ...rest, metadata: kept };
  if (Array.isArray(kept.managedFields)) {
    kept.managedFields = kept.managedFields.filter(
      ({ manager, subresource }) => subresource !== "status" || !/apiserver|api-priority/.test(manager),
    );
  }
  if (isReported(kind)) delete rest.status;
  return { ...rest, metadata: kept };
}

/** The claims of a token, but for times and identities of their own. */
function tokenClaims(token) {
  const payload = token.split(".")[1];
  if (payload === undefined) return normaliseText(token);
  const { iat: _i, nbf: _n, exp: _e, jti: _j, ...claims } = JSON.parse(Buffer.from(payload, "base64url").toString());
  return normalise(claims, "");
}

function byText(a, b) {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
