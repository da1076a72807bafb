import { goQuote } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import { metaOf } from "../objects/object-meta.js";

/** Finalizers without a domain that the control plane itself uses. */
const standardFinalizers: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** Returns the warnings about finalizers that a client adds to an object of a custom kind. */
export function finalizerWarnings(object: JsonObject, old: JsonObject | undefined): readonly string[] {
  const before = new Set(old === undefined ? [] : metaOf(old).finalizers);
  const added = new Set((metaOf(object).finalizers ?? []).filter((name) => !before.has(name)));
  return [...added].sort().flatMap((name) => {
    const quoted = `metadata.finalizers: ${goQuote(name)}`;
    const problems = validateQualifiedName(name).map((problem) => `${quoted}: ${problem}`);
    return name.includes("/") || standardFinalizers.has(name)
      ? problems
      : [
          ...problems,
          `${quoted}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
        ];
  });
}
