import { byVersionRank } from "@gatehouse/apiserver/discovery";
import type { Deprecation } from "@gatehouse/apiserver/registry";
import { booleanAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { apiVersionOf, type GroupVersionKind } from "@gatehouse/envelopes/schema";

/**
 * Returns the deprecation of a version, with the definition's own warning, or one that names the version to use
 * instead.
 */
export function deprecationOfVersion(
  definition: JsonObject,
  gvk: GroupVersionKind,
  version: JsonObject,
): Deprecation | undefined {
  if (!booleanAt(version, "deprecated")) {
    return undefined;
  }
  const { deprecationWarning } = version;
  if (typeof deprecationWarning === "string") {
    return { warning: deprecationWarning, removedRelease: "" };
  }
  const { group, kind } = gvk;
  const [best] = listAt(definition, "spec", "versions")
    .filter((other) => booleanAt(other, "served") && !booleanAt(other, "deprecated"))
    .map((other) => textAt(other, "name"))
    .filter((other) => byVersionRank(other, gvk.version) < 0)
    .sort(byVersionRank);
  const instead = best === undefined ? "" : `; use ${apiVersionOf({ group, version: best })} ${kind}`;
  return { warning: `${apiVersionOf(gvk)} ${kind} is deprecated${instead}`, removedRelease: "" };
}
