import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import type { LabelSelector } from "@gatehouse/envelopes/selectors";
import { internalError, notFound } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../../request/handler.js";
import type { AdmissionAttributes } from "../attributes.js";
import { type NamespaceFacts, namespacesResource, namespaceView } from "../namespaces.js";
import type { ObjectAccess, ObjectView } from "../object-access.js";
import type { Selector } from "./selector.js";

/** Selectors of the writes that a webhook or a policy is about. */
export interface Selectors {
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
}

/** The matching of writes by selectors, after rules have matched. */
export class WriteSelectors {
  readonly #namespaces: ObjectView<NamespaceFacts>;

  constructor(objects: ObjectAccess) {
    this.#namespaces = namespaceView(objects);
  }

  /** Reports whether selectors select a write. Throws 404 when a namespace that matters does not exist. */
  match({ namespaceSelector, objectSelector }: Selectors, attributes: AdmissionAttributes): MaybePromise<boolean> {
    const { object, oldObject } = attributes;
    if (!isEverything(objectSelector) && !selects(objectSelector, object) && !selects(objectSelector, oldObject)) {
      return false;
    }
    return this.#matchNamespace(namespaceSelector, attributes);
  }

  #matchNamespace(selector: Selector, attributes: AdmissionAttributes): MaybePromise<boolean> {
    const { namespace, resource, signal } = attributes;
    const isNamespace = resource.resource === "namespaces";
    // What is in no namespace cannot be left out by one.
    if ((namespace === "" && !isNamespace) || isEverything(selector)) {
      return true;
    }
    const written = isNamespace ? writtenLabels(attributes) : undefined;
    if (written !== undefined) {
      return usable(selector).matches(written);
    }
    const known = this.#namespaces.get("", namespace);
    return known === undefined ? this.#matchFresh(selector, namespace, signal) : usable(selector).matches(known.labels);
  }

  /** Matches after the cache has caught up, since the namespace may be new. */
  async #matchFresh(selector: Selector, namespace: string, signal: AbortSignal): Promise<boolean> {
    await this.#namespaces.catchUp(signal);
    const known = this.#namespaces.get("", namespace);
    if (known === undefined) {
      throw notFound(namespacesResource, namespace);
    }
    return usable(selector).matches(known.labels);
  }
}

/** Returns the labels that a namespace being written will have; undefined for other operations. */
function writtenLabels({
  object,
  operation,
  subresource,
}: AdmissionAttributes): Readonly<Record<string, string>> | undefined {
  const counts = subresource === "" && (operation === "CREATE" || operation === "UPDATE");
  return counts && object !== undefined ? labelsOf(object) : undefined;
}

function selects(selector: Selector, object: JsonObject | undefined): boolean {
  return object !== undefined && usable(selector).matches(labelsOf(object));
}

function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return objectAt(object, "metadata", "labels") as Readonly<Record<string, string>>;
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
