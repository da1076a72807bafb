import { goQuote } from "@gatehouse/envelopes/go";
import { type FieldSet, hasField } from "./field-set.js";
import { compareTexts, type ManagerIdentity } from "./managers.js";
import { describePathElement, type PathElement } from "./path-element.js";

/** A field that another manager owns. */
export interface Conflict {
  readonly managerKey: string;
  readonly manager: ManagerIdentity;
  readonly path: readonly PathElement[];
}

/** A conflict in the words that a client sees. */
export interface ToldConflict {
  readonly manager: ManagerIdentity;
  readonly path: string;
}

/**
 * The error of an apply that would change fields of other managers. In the order of managers, and for each in the order
 * of its fields. The message counts all conflicts; of very long paths it shows as many as an answer holds.
 */
export class ApplyConflictsError extends Error {
  /** The conflicts that the message shows. */
  readonly told: readonly ToldConflict[];
  readonly #conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    const sorted = [...conflicts].sort((a, b) => compareTexts(a.managerKey, b.managerKey));
    const told = toldOf(sorted);
    super(messageOf(sorted, told));
    this.told = told;
    this.#conflicts = sorted;
  }

  /** Returns the conflicts about fields outside of `allowed`; undefined when there are none. */
  without(allowed: FieldSet): ApplyConflictsError | undefined {
    const left = this.#conflicts.filter(({ path }) => !hasField(allowed, path));
    return left.length === 0 ? undefined : new ApplyConflictsError(left);
  }
}

/**
 * Longest text of all paths in characters. An object with a hundred thousand fields may have paths that are all as long as a
 * body.
 */
const maxPathsLength = 1024 * 1024;

function toldOf(conflicts: readonly Conflict[]): readonly ToldConflict[] {
  const told: ToldConflict[] = [];
  let length = 0;
  for (const { manager, path } of conflicts) {
    if (length > maxPathsLength) {
      break;
    }
    const text = describePath(path);
    length += text.length;
    told.push({ manager, path: text });
  }
  return told;
}

/** Returns a path as messages write it: `.spec.ports[port=80,protocol="TCP"].name`. */
function describePath(path: readonly PathElement[]): string {
  return path.map(describePathElement).join("");
}

/** Returns the manager of a field as messages name it. */
export function describeManager({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const name = subresource === "" ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

function messageOf(conflicts: readonly Conflict[], told: readonly ToldConflict[]): string {
  const [first] = told;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${describeManager(first.manager)}: ${first.path}`;
  }
  const lines: string[] = [];
  let last = "";
  for (const [index, { manager, path }] of told.entries()) {
    const { managerKey } = conflicts[index] as Conflict;
    if (managerKey !== last) {
      lines.push(`conflicts with ${describeManager(manager)}:`);
      last = managerKey;
    }
    lines.push(`- ${path}`);
  }
  if (told.length < conflicts.length) {
    lines.push(`more conflicts than the first ${told.length}, which are listed here`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}
