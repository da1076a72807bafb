// Options of deletions and evictions, drawn for the query and for the body, valid and not.

const policies = ["Background", "Background", "Foreground", "Foreground", "Orphan", "Wrong", ""];
const seconds = [0, 0, 1, 30, 30, -1, 600, 2147483648, "1", 1.5, null];

/** Draws the query of a deletion, with its question mark; empty if there is none. */
export function deleteQuery(r) {
  const parts = [];
  if (r.chance(0.15)) parts.push(`gracePeriodSeconds=${r.pick(["0", "1", "30", "-1", "x", "1.5", ""])}`);
  if (r.chance(0.15)) parts.push(`propagationPolicy=${r.pick(policies)}`);
  if (r.chance(0.06)) parts.push(`orphanDependents=${r.pick(["true", "false", "x"])}`);
  if (r.chance(0.08)) parts.push(`dryRun=${r.pick(["All", "All", "x"])}`);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/**
 * Draws a DeleteOptions for an object, or undefined. `$` and the name of a saved value in its texts are replaced: `KEYuid`
 * and `KEYversion` are those of the object.
 */
export function deleteOptions(r, key, apiVersion) {
  if (r.chance(0.35)) return undefined;
  return {
    ...(r.chance(0.6) && {
      kind: r.chance(0.95) ? "DeleteOptions" : "Wrong",
      apiVersion: r.pick(["v1", "v1", "meta.k8s.io/v1", apiVersion, "example.com/v1"]),
    }),
    ...(r.chance(0.35) && { gracePeriodSeconds: r.pick(seconds) }),
    ...(r.chance(0.35) && { propagationPolicy: r.pick(policies) }),
    ...(r.chance(0.1) && { orphanDependents: r.chance(0.5) }),
    ...(r.chance(0.3) && { preconditions: preconditions(r, key) }),
    ...(r.chance(0.1) && { dryRun: r.pick([["All"], ["All"], [], ["x"], ["All", "All"]]) }),
    ...(r.chance(0.04) && { unknown: 1 }),
  };
}

function preconditions(r, key) {
  const uid = r.pick([`$${key}uid`, `$${key}uid`, "00000000-0000-0000-0000-000000000000", ""]);
  const resourceVersion = r.pick([`$${key}version`, `$${key}version`, `$${key}first`, "1", "", "x"]);
  return { ...(r.chance(0.7) && { uid }), ...(r.chance(0.5) && { resourceVersion }) };
}
