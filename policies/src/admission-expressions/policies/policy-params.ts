import { goGroupVersion } from "@gatehouse/envelopes/go";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { andThen, type MaybePromise, type StepContext } from "@gatehouse/envelopes/scheduling";
import type { GroupVersionResource } from "@gatehouse/envelopes/schema";
import type { LabelSelector } from "@gatehouse/envelopes/selectors";
import type { AdmissionWrite } from "../admission-write.js";
import type { ParamKind } from "./policy.js";
import type { ParamRef } from "./policy-binding.js";

/** A policy or a binding that cannot be put to work as it stands. Its failure policy decides about the write. */
export class PolicyConfigurationError extends Error {
  override readonly name = "PolicyConfigurationError";
}

/** A resource whose objects parameterize policies. */
export interface ParamResource extends GroupVersionResource {
  readonly namespaced: boolean;
}

/** The objects of one resource. They are not changed. */
export interface ParamReader {
  /** Returns an object; undefined when there is none. The namespace is empty for cluster-scoped objects. */
  get(namespace: string, name: string, context: StepContext): MaybePromise<JsonObject | undefined>;
  /** Lists the objects of a namespace, or all for an empty one, in the order of their names. */
  list(namespace: string, context: StepContext): MaybePromise<readonly JsonObject[]>;
}

/** The source of the objects that parameterize policies. */
export interface ParamObjects {
  /** Finds the resource of a kind; undefined when it is not served. */
  findKind(apiVersion: string, kind: string): ParamResource | undefined;
  /** Returns the objects of a resource. Called once for each. */
  reader(resource: ParamResource): ParamReader;
}

/** The value of `params` where a policy has none. */
const noParams: readonly null[] = [null];

/** The objects that parameterize policies, of any kind that is served. */
export class PolicyParams {
  readonly #objects: ParamObjects;
  readonly #readers = new Map<string, ParamReader>();

  constructor(objects: ParamObjects) {
    this.#objects = objects;
  }

  /** Finds the resource of a kind of parameters. Throws PolicyConfigurationError when it is not served. */
  resourceOf({ apiVersion, kind }: ParamKind): ParamResource {
    const found = this.#objects.findKind(apiVersion, kind);
    if (found === undefined) {
      const shown = `${goGroupVersion(apiVersion)}, Kind=${kind}`;
      throw new PolicyConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
    }
    return found;
  }

  /**
   * Lists the values of `params` with which a policy is evaluated for a write: null alone where the policy or its binding
   * names none. Throws PolicyConfigurationError.
   */
  valuesFor(
    resource: ParamResource | undefined,
    paramRef: ParamRef | undefined,
    write: AdmissionWrite,
  ): MaybePromise<readonly (JsonObject | null)[]> {
    if (resource === undefined || paramRef === undefined) {
      return noParams;
    }
    return andThen(this.#find(resource, paramRef, write), (objects) => checkedParams(objects, paramRef));
  }

  #find(resource: ParamResource, paramRef: ParamRef, write: AdmissionWrite): MaybePromise<readonly JsonObject[]> {
    const namespace = namespaceFor(resource, paramRef, write);
    const reader = this.#readerOf(resource);
    const { name, selector } = paramRef;
    if (name !== "") {
      return andThen(reader.get(namespace, name, write), (object) => (object === undefined ? [] : [object]));
    }
    const labels = usable(selector);
    return andThen(reader.list(namespace, write), (objects) =>
      labels.matchesEverything ? objects : objects.filter((object) => labels.matches(labelsOf(object))),
    );
  }

  #readerOf(resource: ParamResource): ParamReader {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    let reader = this.#readers.get(key);
    if (reader === undefined) {
      reader = this.#objects.reader(resource);
      this.#readers.set(key, reader);
    }
    return reader;
  }
}

/** Returns the namespace of the parameters; empty for a cluster-scoped kind. */
function namespaceFor({ namespaced }: ParamResource, paramRef: ParamRef, { namespace }: AdmissionWrite): string {
  if (!namespaced) {
    if (paramRef.namespace !== "") {
      throw new PolicyConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
    }
    return "";
  }
  const found = paramRef.namespace || namespace;
  if (found === "") {
    throw new PolicyConfigurationError(
      "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
    );
  }
  return found;
}

function checkedParams(objects: readonly JsonObject[], { isRequired }: ParamRef): readonly JsonObject[] {
  if (objects.length === 0 && isRequired) {
    throw new PolicyConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return objects;
}

function usable(selector: ParamRef["selector"]): LabelSelector {
  if (selector === undefined) {
    throw new PolicyConfigurationError("one of name or selector must be provided");
  }
  if ("problem" in selector) {
    throw new PolicyConfigurationError(selector.problem);
  }
  return selector;
}

function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return objectAt(object, "metadata", "labels") as Readonly<Record<string, string>>;
}
