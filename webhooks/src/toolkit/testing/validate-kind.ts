import { closestName } from "@gatehouse/component-base/flags";
import { schemaRegistry } from "@gatehouse/envelopes/schema";
import { BadObjectError } from "./prepare-object.js";

/**
 * Throws BadObjectError for a kind or version that a built-in API group of v1.29 does not have. Other groups are those
 * of custom resources, and may have any kind.
 */
export function validateKind(apiVersion: string, kind: string): void {
  const registry = schemaRegistry();
  const slash = apiVersion.indexOf("/");
  const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
  const versions = registry.groupVersions().filter((each) => each.group === group);
  if (versions.length === 0 || registry.kindSchema(group, version, kind) !== undefined) {
    return;
  }
  const kinds = registry.kindsOf(group, version).map((each) => each.kind);
  if (kinds.length === 0) {
    const known = versions.map((each) => each.version).join(", ");
    throw new BadObjectError(`apiVersion: there is no ${apiVersion}; its group has ${known}`);
  }
  const closest = closestName(kind, kinds);
  const guess = closest === undefined ? "" : `; did you mean ${closest}?`;
  throw new BadObjectError(`kind: there is no ${kind} in ${apiVersion}${guess}`);
}
