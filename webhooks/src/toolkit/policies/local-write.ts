import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { GroupVersionKind, GroupVersionResource } from "@gatehouse/envelopes/schema";
import type { PolicyWrite } from "@gatehouse/policies/admission-expressions";

/** The circumstances of a write that policies are evaluated for without a server. */
export interface LocalCircumstances {
  /** The Namespace object of the write; undefined: one that has no labels but its name. */
  readonly namespaceObject?: JsonObject | undefined;
  /** Aborts when nobody needs the result any more. */
  readonly signal?: AbortSignal | undefined;
}

const forever = new AbortController().signal;

/** A write as an AdmissionReview request describes it, for policies that are evaluated without a server. */
export class LocalWrite implements PolicyWrite {
  readonly operation: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly signal: AbortSignal;
  readonly namespaceObject: JsonObject;
  readonly warnings: string[] = [];
  readonly annotations = new Map<string, string>();
  readonly #request: JsonObject;

  /** `request`: the member of an AdmissionReview, with its objects. */
  constructor(request: JsonObject, { namespaceObject, signal = forever }: LocalCircumstances = {}) {
    const { object, oldObject, ...others } = request;
    this.#request = others;
    this.operation = textAt(request, "operation");
    this.kind = objectAt(request, "kind") as unknown as GroupVersionKind;
    this.resource = objectAt(request, "resource") as unknown as GroupVersionResource;
    this.subresource = textAt(request, "subResource");
    this.name = textAt(request, "name");
    const isNamespace = this.resource.group === "" && this.resource.resource === "namespaces";
    this.namespace = isNamespace ? this.name : textAt(request, "namespace");
    this.object = (object ?? undefined) as JsonObject | undefined;
    this.oldObject = (oldObject ?? undefined) as JsonObject | undefined;
    this.signal = signal;
    this.namespaceObject = namespaceWithItsName(namespaceObject, this.namespace);
  }

  /** Returns the variable `request` for a form of the object. Its objects are variables of their own. */
  requestIn(kind: GroupVersionKind, resource: GroupVersionResource): JsonObject {
    return { ...this.#request, uid: "", kind: { ...kind }, resource: { ...resource }, object: null, oldObject: null };
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  annotate(key: string, value: string): void {
    this.annotations.set(key, value);
  }

  yield(): undefined {
    return undefined;
  }
}

/** Returns a Namespace with the label that servers give to each. */
function namespaceWithItsName(namespaceObject: JsonObject | undefined, name: string): JsonObject {
  const metadata = objectAt(namespaceObject ?? {}, "metadata");
  const labels = { ...objectAt(metadata, "labels"), "kubernetes.io/metadata.name": name };
  return {
    apiVersion: "v1",
    kind: "Namespace",
    ...namespaceObject,
    metadata: { ...metadata, name, labels },
    spec: namespaceObject?.["spec"] ?? { finalizers: ["kubernetes"] },
    status: namespaceObject?.["status"] ?? { phase: "Active" },
  };
}
