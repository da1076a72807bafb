import type { Condition } from "@gatehouse/apiserver/objects";
import { goQuote, isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** The names that definitions of one group hold. */
export interface NamesInUse {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** The names that a definition gets of those it requests, and the resulting condition. */
export interface NamingDecision {
  readonly acceptedNames: JsonObject;
  readonly condition: Condition;
}

type SingleName = "plural" | "singular" | "kind" | "listKind";

/** Adds the names that a definition holds to those in use. */
export function addNames(accepted: JsonObject, resources: Set<string>, kinds: Set<string>): void {
  resources.add(textAt(accepted, "plural"));
  resources.add(textAt(accepted, "singular"));
  for (const shortName of textsAt(accepted, "shortNames")) {
    resources.add(shortName);
  }
  kinds.add(textAt(accepted, "kind"));
  kinds.add(textAt(accepted, "listKind"));
}

/**
 * Gives a definition the names that nobody else in its group has; those that are taken stay what they were. The last
 * conflict found is the one that is told, in v1.29's order: plural, singular, short names, kind, list kind.
 */
export function decideNames(requested: JsonObject, accepted: JsonObject, inUse: NamesInUse): NamingDecision {
  const acceptedNames: JsonObject = { ...accepted };
  let conflict: { readonly reason: string; readonly message: string } | undefined;
  const decide = (name: SingleName, used: ReadonlySet<string>, reason: string): void => {
    const wanted = textAt(requested, name);
    if (wanted !== textAt(accepted, name) && used.has(wanted)) {
      conflict = { reason, message: inUseMessage(wanted) };
    } else {
      acceptedNames[name] = wanted;
    }
  };
  decide("plural", inUse.resources, "PluralConflict");
  decide("singular", inUse.resources, "SingularConflict");
  const message = shortNamesConflict(requested, accepted, inUse.resources);
  if (message !== undefined) {
    conflict = { reason: "ShortNamesConflict", message };
  } else {
    take(acceptedNames, requested, "shortNames");
  }
  decide("kind", inUse.kinds, "KindConflict");
  decide("listKind", inUse.kinds, "ListKindConflict");
  take(acceptedNames, requested, "categories");
  const condition: Condition =
    conflict === undefined
      ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
      : { type: "NamesAccepted", status: "False", ...conflict };
  return { acceptedNames, condition };
}

/** Compares two sets of names; an empty list equals a missing one. */
export function sameNames(a: JsonObject, b: JsonObject): boolean {
  return isSameState(withoutEmpty(a), withoutEmpty(b));
}

function shortNamesConflict(
  requested: JsonObject,
  accepted: JsonObject,
  used: ReadonlySet<string>,
): string | undefined {
  const own = new Set(textsAt(accepted, "shortNames"));
  const taken = textsAt(requested, "shortNames").filter((name) => !own.has(name) && used.has(name));
  const messages = [...new Set(taken)].map(inUseMessage);
  return messages.length > 1 ? `[${messages.join(", ")}]` : messages[0];
}

function inUseMessage(name: string): string {
  return `${goQuote(name)} is already in use`;
}

function take(names: JsonObject, requested: JsonObject, member: "shortNames" | "categories"): void {
  const wanted = listAt(requested, member);
  if (wanted.length > 0) {
    names[member] = [...wanted];
  } else {
    delete names[member];
  }
}

function withoutEmpty(names: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(names).filter(([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0)),
  );
}

function textsAt(names: JsonObject, member: string): readonly string[] {
  return listAt(names, member).filter((item) => typeof item === "string");
}
