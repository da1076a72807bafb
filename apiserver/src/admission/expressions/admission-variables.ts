import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionResource } from "@gatehouse/envelopes/schema";
import {
  type AuthorizerValue,
  authorizerValue,
  type CelObject,
  type CelValue,
  requestResourceValue,
} from "@gatehouse/policies/cel";
import type { Authorizer } from "../../authorization/authorizer.js";
import { admissionRequest } from "../admission-request.js";
import type { AdmissionAttributes } from "../attributes.js";
import { authorizationSource } from "./authorization-source.js";
import type { VersionedObjects } from "./versioned-objects.js";

/** The sources of the variables of an admission expression. */
export interface AdmissionVariablesInit {
  readonly attributes: AdmissionAttributes;
  readonly objects: VersionedObjects;
  /** The resource that a rule has matched, which `request.resource` shows. Absent: that of the write. */
  readonly resource?: GroupVersionResource;
  /** The authorizer of the server; absent for expressions without the variable `authorizer`. */
  readonly authorizer?: Authorizer | undefined;
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
    const { attributes, objects, resource = attributes.resource } = this.#init;
    this.#request ??= { uid: "", ...admissionRequest(attributes, { kind: objects.kind, resource }, null, null) };
    return this.#request;
  }

  get authorizer(): AuthorizerValue | undefined {
    const { authorizer, attributes } = this.#init;
    if (this.#authorizer === undefined && authorizer !== undefined) {
      this.#authorizer = authorizerValue(authorizationSource(authorizer, attributes));
    }
    return this.#authorizer;
  }

  get "authorizer.requestResource"(): CelValue | undefined {
    const { authorizer } = this;
    const { resource, subresource, namespace, name } = this.#init.attributes;
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
