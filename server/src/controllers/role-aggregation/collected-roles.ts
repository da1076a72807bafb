import { selectsLabels } from "@gatehouse/apiserver/validation";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";

/** The parts of a cluster role that say what it collects, and what collects it. */
export interface CollectingRole {
  readonly labels: JsonObject;
  /** Selectors of the roles whose rules it collects; undefined when its rules are its own. */
  readonly selectors: readonly JsonValue[] | undefined;
}

/** The roles that one collector selects, by each of its selectors. */
class Selection {
  readonly selectors: readonly JsonValue[];
  readonly #selected: readonly Set<string>[];
  #ordered: readonly string[] | undefined;

  constructor(selectors: readonly JsonValue[]) {
    this.selectors = selectors;
    this.#selected = selectors.map(() => new Set());
  }

  /** Names in the order of v1.29: by the selectors, and by name for each. */
  get ordered(): readonly string[] {
    this.#ordered ??= [...new Set(this.#selected.flatMap((names) => [...names].sort()))];
    return this.#ordered;
  }

  has(name: string): boolean {
    return this.#selected.some((names) => names.has(name));
  }

  /** Notes the labels of a role; undefined for one that is gone. Returns whether that changes what is selected. */
  note(name: string, labels: JsonObject | undefined): boolean {
    let isChanged = false;
    for (const [index, names] of this.#selected.entries()) {
      const isSelected = labels !== undefined && selectsLabels(this.selectors[index], labels) === true;
      if (isSelected !== names.has(name)) {
        isChanged = true;
        if (isSelected) {
          names.add(name);
        } else {
          names.delete(name);
        }
      }
    }
    if (isChanged) {
      this.#ordered = undefined;
    }
    return isChanged;
  }
}

/**
 * Tells which roles each collector collects. Collectors that collect each other are as one: they get the rules of all roles
 * that any of them selects, but not those that they hold themselves. With the rules that they hold, as in v1.29, they would hand
 * the same ones round in changing order for ever.
 */
export class CollectedRoles {
  readonly #labels = new Map<string, JsonObject>();
  readonly #selections = new Map<string, Selection>();
  /** The collectors that collect each other, by each of them. Empty after a change, until they are needed. */
  readonly #circles = new Map<string, ReadonlySet<string>>();

  /** Notes a role that is new or has changed; undefined for one that is gone. */
  note(name: string, role: CollectingRole | undefined): void {
    for (const [collector, selection] of this.#selections) {
      if (collector !== name && selection.note(name, role?.labels) && this.#selections.has(name)) {
        this.#circles.clear();
      }
    }
    if (role === undefined) {
      this.#labels.delete(name);
    } else {
      this.#labels.set(name, role.labels);
    }
    this.#noteSelectors(name, role?.selectors);
  }

  #noteSelectors(name: string, selectors: readonly JsonValue[] | undefined): void {
    const before = this.#selections.get(name)?.selectors;
    if (JSON.stringify(before) === JSON.stringify(selectors)) {
      return;
    }
    this.#circles.clear();
    this.#selections.delete(name);
    if (selectors !== undefined) {
      const selection = new Selection(selectors);
      for (const [other, labels] of this.#labels) {
        if (other !== name) {
          selection.note(other, labels);
        }
      }
      this.#selections.set(name, selection);
    }
  }

  /** Returns the roles whose rules a collector gets, in the order in which it gets them. */
  collectedBy(collector: string): readonly string[] {
    const circle = this.#circleOf(collector);
    if (circle.size === 1) {
      return this.#selectedBy(collector);
    }
    const names = new Set([...circle].flatMap((member) => this.#selectedBy(member)));
    return [...names].filter((name) => !circle.has(name));
  }

  /** Returns the collectors that get the rules of a role. */
  collectorsOf(name: string): ReadonlySet<string> {
    return new Set(this.#selecting(name).flatMap((collector) => [...this.#circleOf(collector)]));
  }

  #selectedBy(collector: string): readonly string[] {
    return this.#selections.get(collector)?.ordered ?? [];
  }

  #selecting(name: string): readonly string[] {
    return [...this.#selections].filter(([, selection]) => selection.has(name)).map(([collector]) => collector);
  }

  /** Returns a collector with those that it collects and that collect it, itself first. */
  #circleOf(collector: string): ReadonlySet<string> {
    let circle = this.#circles.get(collector);
    if (circle === undefined) {
      const isCollector = (name: string): boolean => this.#selections.has(name);
      const collected = reach(collector, (name) => this.#selectedBy(name).filter(isCollector));
      const collecting = collected.size === 1 ? collected : reach(collector, (name) => this.#selecting(name));
      circle = new Set([...collected].filter((name) => collecting.has(name)));
      this.#circles.set(collector, circle);
    }
    return circle;
  }
}

/** Returns a name and all that are reached from it. */
function reach(from: string, next: (name: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set([from]);
  // Names that are added meanwhile are visited, too.
  for (const name of reached) {
    for (const other of next(name)) {
      reached.add(other);
    }
  }
  return reached;
}
