import { goQuote } from "@gatehouse/envelopes";
import { type FieldSet, hasField } from "./field-set.js";
import { compareTexts, type ManagerIdentity } from "./managers.js";
import { describePathElement, type PathElement } from "./path-element.js";

/** A field that somebody else owns. */
export interface Conflict {
  readonly managerKey: string;
  readonly manager: ManagerIdentity;
  readonly path: readonly PathElement[];
}

/** An apply would change what others own. In the order of managers, and of each in the order of its fields. */
export class ApplyConflicts extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    const sorted = [...conflicts].sort((a, b) => compareTexts(a.managerKey, b.managerKey));
    super(messageOf(sorted));
    this.conflicts = sorted;
  }

  /** What is left when some fields may be taken; undefined when that is nothing. */
  without(allowed: FieldSet): ApplyConflicts | undefined {
    const left = this.conflicts.filter(({ path }) => !hasField(allowed, path));
    return left.length === 0 ? undefined : new ApplyConflicts(left);
  }
}

/** The path as messages write it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function describePath(path: readonly PathElement[]): string {
  return path.map(describePathElement).join("");
}

/** Whom a field belongs to, as messages name them. */
export function describeManager({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const name = subresource === "" ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${describeManager(first.manager)}: ${describePath(first.path)}`;
  }
  const lines: string[] = [];
  let last = "";
  for (const { managerKey, manager, path } of conflicts) {
    if (managerKey !== last) {
      lines.push(`conflicts with ${describeManager(manager)}:`);
      last = managerKey;
    }
    lines.push(`- ${describePath(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}
