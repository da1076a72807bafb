import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionResource } from "@gatehouse/envelopes/schema";
import {
  type AuthorizerValue,
  authorizerValue,
  type CelObject,
  type CelValue,
  requestResourceValue,
} from "../cel/index.js";
import type { AdmissionWrite, ExpressionSource, VersionedObjects } from "./admission-write.js";

/** The sources of the variables of an admission expression. */
export interface AdmissionVariablesInit {
  readonly write: AdmissionWrite;
  readonly source: ExpressionSource;
  readonly objects: VersionedObjects;
  /** The resource that a rule has matched, which `request.resource` shows. Absent: that of the write. */
  readonly resource?: GroupVersionResource;
  /** True for expressions with the variable `authorizer`. */
  readonly hasAuthorizer: boolean;
  /** The parameters of a policy; null for none. */
  readonly params?: JsonObject | null;
  /** The namespace as made by `namespaceObjectOf`; null for none. */
  readonly namespaceObject?: JsonObject | null;
}

/**
 * The variables of admission expressions about one write. Objects are read in place; `request` and `authorizer` are made
 * when they are first read. Kept for all evaluations about one state of the object, so that answers of the authorizer are
 * there when an evaluation is repeated.
 */
export class AdmissionVariables {
  /** Variables by name, for the evaluation. */
  readonly [name: string]: CelValue | undefined;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly params: JsonObject | null;
  readonly namespaceObject: JsonObject | null;
  /** The composed variables of a policy, which may refer to the others. */
  variables: CelObject | undefined;
  readonly #init: AdmissionVariablesInit;
  #request: JsonObject | undefined;
  #authorizer: AuthorizerValue | undefined;

  constructor(init: AdmissionVariablesInit) {
    this.#init = init;
    this.object = init.objects.object ?? null;
    this.oldObject = init.objects.oldObject ?? null;
    this.params = init.params ?? null;
    this.namespaceObject = init.namespaceObject ?? null;
    this.variables = undefined;
  }

  get request(): JsonObject {
    const { write, source, objects, resource = write.resource } = this.#init;
    this.#request ??= source.request(objects.kind, resource);
    return this.#request;
  }

  get authorizer(): AuthorizerValue | undefined {
    if (this.#authorizer === undefined && this.#init.hasAuthorizer) {
      const authorization = this.#init.source.authorization();
      this.#authorizer = authorization && authorizerValue(authorization);
    }
    return this.#authorizer;
  }

  get "authorizer.requestResource"(): CelValue | undefined {
    const { authorizer } = this;
    const { resource, subresource, namespace, name } = this.#init.write;
    return authorizer === undefined
      ? undefined
      : requestResourceValue(authorizer, {
          group: resource.group,
          resource: resource.resource,
          subresource,
          namespace,
          name,
        });
  }
}
