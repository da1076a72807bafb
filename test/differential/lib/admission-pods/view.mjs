// What is compared of an answer: status, object and warnings, with all that is random or has no order made equal.
import { comparable } from "../comparable.mjs";

/** Names that a server draws, and lists that Go walks in no order. */
export function view(answer) {
  const warnings = [answer.headers.warning ?? []].flat().map(normal);
  return { body: walk(comparable(answer)), warnings };
}

function walk(value, key) {
  if (Array.isArray(value)) return value.map((item) => walk(item));
  if (typeof value === "string") return key === "message" ? sorted(normal(value)) : normal(value);
  if (value === null || typeof value !== "object") return value;
  const { managedFields: _, ...rest } = value;
  if (rest.code === 422)
    return { code: rest.code, causes: rest.details.causes.map((cause) => normal(JSON.stringify(cause))).sort() };
  return Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, walk(member, name)]));
}

function normal(text) {
  return text
    .replaceAll("\u00a0", " ")
    .replace(/\(0x[0-9a-f]+\)/g, "(POINTER)")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC/g, "NOW")
    .replace(/kube-api-access-[a-z0-9]{5}\b/g, "kube-api-access-RANDOM")
    .replace(/\b(gen-)[a-z0-9]{5}\b/g, "$1RANDOM");
}

/** Problems with limits come in the order of a Go map. */
function sorted(message) {
  return message.replace(
    /\[((?:minimum|maximum|[\w./-]+ max limit).*)\]/,
    (_, list) =>
      `[${list
        .split(/, (?=min|max|[\w./-]+ max)/)
        .sort()
        .join(", ")}]`,
  );
}
