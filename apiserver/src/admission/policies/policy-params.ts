import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import type { LabelSelector } from "@gatehouse/envelopes/selectors";
import type { MaybePromise } from "../../request/handler.js";
import { andThen } from "../../request/in-turn.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { KnownResource, ObjectAccess, ObjectReader } from "../object-access.js";
import type { ParamKind } from "./policy.js";
import type { ParamRef } from "./policy-binding.js";

/** A policy or a binding that cannot be put to work as it stands. Its failure policy decides about the write. */
export class PolicyConfigurationError extends Error {
  override readonly name = "PolicyConfigurationError";
}

/** The value of `params` where a policy has none. */
const noParams: readonly null[] = [null];

/** The objects that parameterize policies, of any kind that is served. */
export class PolicyParams {
  readonly #objects: ObjectAccess;
  readonly #readers = new Map<string, ObjectReader>();

  constructor(objects: ObjectAccess) {
    this.#objects = objects;
  }

  /** Finds the resource of a kind of parameters. Throws PolicyConfigurationError when it is not served. */
  resourceOf({ apiVersion, kind }: ParamKind): KnownResource {
    const found = this.#objects.findKind(apiVersion, kind);
    if (found === undefined) {
      const shown = `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
      throw new PolicyConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
    }
    return found;
  }

  /**
   * Lists the values of `params` with which a policy is evaluated for a write: null alone where the policy or its binding
   * names none. Throws PolicyConfigurationError.
   */
  valuesFor(
    resource: KnownResource | undefined,
    paramRef: ParamRef | undefined,
    attributes: AdmissionAttributes,
  ): MaybePromise<readonly (JsonObject | null)[]> {
    if (resource === undefined || paramRef === undefined) {
      return noParams;
    }
    return andThen(this.#find(resource, paramRef, attributes), (objects) => checkedParams(objects, paramRef));
  }

  #find(
    resource: KnownResource,
    paramRef: ParamRef,
    attributes: AdmissionAttributes,
  ): MaybePromise<readonly JsonObject[]> {
    const namespace = namespaceFor(resource, paramRef, attributes);
    const reader = this.#readerOf(resource);
    const { name, selector } = paramRef;
    if (name !== "") {
      return andThen(reader.get(namespace, name, attributes), (object) => (object === undefined ? [] : [object]));
    }
    const labels = usable(selector);
    return andThen(reader.list(namespace, attributes), (objects) =>
      labels.matchesEverything ? objects : objects.filter((object) => labels.matches(labelsOf(object))),
    );
  }

  #readerOf(resource: KnownResource): ObjectReader {
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
function namespaceFor({ namespaced }: KnownResource, paramRef: ParamRef, { namespace }: AdmissionAttributes): string {
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
