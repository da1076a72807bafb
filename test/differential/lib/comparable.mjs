import { withoutRecentTimes } from "./recent-times.mjs";

// An answer with all that may differ between two servers made equal. Unlike elsewhere, managedFields stay.
export function comparable({ body }) {
  const text = body.toString();
  try {
    return normalise(JSON.parse(text), "");
  } catch {
    return text;
  }
}

const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const address = /^10\.0\.0\.\d+$/;

function normalise(value, key) {
  if (Array.isArray(value)) {
    const items = value.map((item) => normalise(item, key));
    // The order of managers depends on the second in which they came; that of causes of conflict is none.
    if (key === "managedFields") return items.sort(byText);
    if (key === "causes" && items.every(({ reason }) => reason === "FieldManagerConflict")) return items.sort(byText);
    return items;
  }
  if (typeof value === "string") {
    if (key === "resourceVersion" && /^\d+$/.test(value)) return "VERSION";
    return address.test(value) ? "ADDRESS" : withoutRecentTimes(value.replace(uid, "UID"));
  }
  if (value === null || typeof value !== "object") return value;
  if (value.kind === "CustomResourceDefinition" || value.kind === "FlowSchema") return withoutControllers(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalise(member, name)]));
}

/** Returns an object without the parts that the API server's own controllers write at their own time. */
function withoutControllers({ kind, status, metadata: { managedFields = [], generation, ...meta } = {}, ...rest }) {
  const ours = managedFields.filter(
    ({ manager, subresource }) => subresource !== "status" || !/apiserver|api-priority/.test(manager),
  );
  return {
    kind: `${kind} without status`,
    metadata: normalise({ ...meta, managedFields: ours }, "metadata"),
    ...normalise(rest, ""),
  };
}

function byText(a, b) {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
