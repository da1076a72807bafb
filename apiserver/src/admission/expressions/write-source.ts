import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionKind, GroupVersionResource } from "@gatehouse/envelopes/schema";
import type { ExpressionSource } from "@gatehouse/policies/admission-expressions";
import type { AuthorizationSource } from "@gatehouse/policies/cel";
import type { Authorizer } from "../../authorization/authorizer.js";
import { admissionRequest } from "../admission-request.js";
import type { AdmissionAttributes } from "../attributes.js";
import { authorizationSource } from "./authorization-source.js";

/** The source of the variables of expressions about a write: its attributes, and the authorizer of the server. */
export class WriteSource implements ExpressionSource {
  readonly #attributes: AdmissionAttributes;
  readonly #authorizer: Authorizer | undefined;

  /** `authorizer`: undefined where expressions have none. */
  constructor(attributes: AdmissionAttributes, authorizer: Authorizer | undefined) {
    this.#attributes = attributes;
    this.#authorizer = authorizer;
  }

  request(kind: GroupVersionKind, resource: GroupVersionResource): JsonObject {
    return { uid: "", ...admissionRequest(this.#attributes, { kind, resource }, null, null) };
  }

  authorization(): AuthorizationSource | undefined {
    return this.#authorizer && authorizationSource(this.#authorizer, this.#attributes);
  }
}
