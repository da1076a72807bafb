import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { andThen, type MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { LabelSelector } from "@gatehouse/envelopes/selectors";
import { internalError } from "@gatehouse/envelopes/status";
import type { AdmissionWrite } from "../admission-write.js";
import type { Selector } from "./selector.js";

/** Selectors of the writes that a webhook or a policy is about. */
export interface Selectors {
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
}

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Returns the labels of a namespace. Throws StatusError 404 when there is no such namespace. */
export type NamespaceLabels = (namespace: string, signal: AbortSignal) => MaybePromise<Labels>;

/** Reports whether selectors select every write. */
export function selectsEverything({ namespaceSelector, objectSelector }: Selectors): boolean {
  return [namespaceSelector, objectSelector].every(
    (selector) => !("problem" in selector) && selector.matchesEverything,
  );
}

/** The matching of writes by selectors, after rules have matched. */
export class WriteSelectors {
  readonly #namespaceLabels: NamespaceLabels;

  constructor(namespaceLabels: NamespaceLabels) {
    this.#namespaceLabels = namespaceLabels;
  }

  /** Reports whether selectors select a write. Throws 404 when a namespace that matters does not exist. */
  match({ namespaceSelector, objectSelector }: Selectors, write: AdmissionWrite): MaybePromise<boolean> {
    const { object, oldObject } = write;
    if (!isEverything(objectSelector) && !selects(objectSelector, object) && !selects(objectSelector, oldObject)) {
      return false;
    }
    return this.#matchNamespace(namespaceSelector, write);
  }

  #matchNamespace(selector: Selector, write: AdmissionWrite): MaybePromise<boolean> {
    const { namespace, resource, signal } = write;
    const isNamespace = resource.resource === "namespaces";
    // What is in no namespace cannot be left out by one.
    if ((namespace === "" && !isNamespace) || isEverything(selector)) {
      return true;
    }
    const labels = isNamespace ? writtenLabels(write) : undefined;
    return andThen(labels ?? this.#namespaceLabels(namespace, signal), (found) => usable(selector).matches(found));
  }
}

/** Returns the labels that a namespace being written will have; undefined for other operations. */
function writtenLabels({ object, operation, subresource }: AdmissionWrite): Labels | undefined {
  const counts = subresource === "" && (operation === "CREATE" || operation === "UPDATE");
  return counts && object !== undefined ? labelsOf(object) : undefined;
}

function selects(selector: Selector, object: JsonObject | undefined): boolean {
  return object !== undefined && usable(selector).matches(labelsOf(object));
}

function labelsOf(object: JsonObject): Labels {
  return objectAt(object, "metadata", "labels") as Labels;
}

function isEverything(selector: Selector): boolean {
  return usable(selector).matchesEverything;
}

function usable(selector: Selector): LabelSelector {
  if ("problem" in selector) {
    throw internalError(selector.problem);
  }
  return selector;
}
