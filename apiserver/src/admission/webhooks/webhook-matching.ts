import { forbidden, internalError } from "@gatehouse/envelopes/status";
import {
  AdmissionVariables,
  type MatchConditions,
  type MatchOutcome,
  type VersionedObjects,
} from "@gatehouse/policies/admission-expressions";
import type { MaybePromise } from "../../request/handler.js";
import type { AdmissionAttributes } from "../attributes.js";
import { measuredMatch } from "../expressions/measured-match.js";
import { versionedObjects } from "../expressions/versioned-objects.js";
import { WriteSource } from "../expressions/write-source.js";
import type { ObjectInterfaces, ServedForm } from "../object-interfaces.js";
import type { WebhookDispatch } from "./webhook-dispatch.js";
import type { Candidate } from "./webhook-source.js";

/** The matching of one write by selectors and match conditions of webhooks, after their rules have matched. */
export class WebhookMatching {
  readonly #dispatch: WebhookDispatch;
  readonly #attributes: AdmissionAttributes;
  #variables: AdmissionVariables | undefined;

  constructor(dispatch: WebhookDispatch, attributes: AdmissionAttributes) {
    this.#dispatch = dispatch;
    this.#attributes = attributes;
  }

  /**
   * Reports whether a webhook is to be called. Throws 404 when a namespace that matters does not exist, 403 when match
   * conditions fail and the failure policy lets nothing pass.
   */
  matches(candidate: Candidate): MaybePromise<boolean> {
    const { webhook } = candidate;
    const selected = this.#dispatch.selectors.match(webhook, this.#attributes);
    const { conditions } = webhook;
    if (conditions === undefined) {
      return selected;
    }
    return selected instanceof Promise
      ? selected.then((isSelected) => isSelected && this.#meets(conditions, candidate))
      : selected && this.#meets(conditions, candidate);
  }

  #meets(conditions: MatchConditions, candidate: Candidate): MaybePromise<boolean> {
    const variables = this.#variablesOf(candidate);
    const outcome =
      variables instanceof Promise
        ? variables.then((ready) => this.#evaluate(conditions, candidate, ready))
        : this.#evaluate(conditions, candidate, variables);
    return outcome instanceof Promise ? outcome.then((ended) => this.#conclude(ended)) : this.#conclude(outcome);
  }

  #evaluate(
    conditions: MatchConditions,
    { webhook: { owner } }: Candidate,
    variables: AdmissionVariables,
  ): MaybePromise<MatchOutcome> {
    return measuredMatch(conditions, owner, variables, this.#attributes, this.#dispatch.conditionMetrics);
  }

  #conclude(outcome: MatchOutcome): boolean {
    if (typeof outcome === "object") {
      throw forbidden(this.#attributes.resource, this.#attributes.name, outcome.error);
    }
    return outcome === "matches";
  }

  /** Returns the variables of a form: those of the own form once, since objects stay in place when they are changed. */
  #variablesOf({ form, converts }: Candidate): MaybePromise<AdmissionVariables> {
    const attributes = this.#attributes;
    if (converts) {
      return convertedObjects(attributes, form, this.#dispatch.forms).then((objects) => this.#variablesFor(objects));
    }
    this.#variables ??= this.#variablesFor(attributes);
    return this.#variables;
  }

  #variablesFor(objects: VersionedObjects): AdmissionVariables {
    const write = this.#attributes;
    const source = new WriteSource(write, this.#dispatch.authorizer);
    return new AdmissionVariables({ write, source, objects, hasAuthorizer: true });
  }
}

/** Returns the objects of a write in another form. Rejects with 500 when they cannot be converted. */
async function convertedObjects(
  attributes: AdmissionAttributes,
  form: ServedForm,
  forms: ObjectInterfaces,
): Promise<VersionedObjects> {
  try {
    return await versionedObjects(attributes, form, forms);
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error), error);
  }
}
