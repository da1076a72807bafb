import type { GroupResource } from "@gatehouse/envelopes/status";
import type { AdmissionAttributes } from "../attributes.js";
import type { ObjectAccess, ObjectView } from "../object-access.js";
import { isSameKind, type ObjectInterfaces, type ServedForm } from "../object-interfaces.js";
import { compileWebhooks, type Webhook } from "./webhook.js";

/** A webhook whose rules match a sort of write. Its selectors are not yet matched. */
export interface Candidate {
  readonly webhook: Webhook;
  /** The index among all webhooks of its type. */
  readonly index: number;
  /** The form in which the webhook wants to see the object. */
  readonly form: ServedForm;
  /** True if that is not the form in which the object is written. */
  readonly converts: boolean;
}

/**
 * The webhooks of one type from the current configurations, in their order. Matching rules are computed once for each
 * sort of write, and again when a configuration or the set of served resources changes.
 */
export class WebhookSource {
  readonly #view: ObjectView<readonly Webhook[]>;
  readonly #forms: ObjectInterfaces;
  #configurations: readonly (readonly Webhook[])[] = [];
  #served: object | undefined;
  #candidates = new Map<string, readonly Candidate[]>();

  constructor(objects: ObjectAccess, forms: ObjectInterfaces, resource: GroupResource) {
    this.#view = objects.view(resource, compileWebhooks);
    this.#forms = forms;
  }

  candidates(attributes: AdmissionAttributes): readonly Candidate[] {
    const configurations = this.#view.list("");
    if (configurations.length === 0) {
      return none;
    }
    if (this.#served !== this.#forms.served || !isSameList(configurations, this.#configurations)) {
      this.#configurations = configurations;
      this.#served = this.#forms.served;
      this.#candidates = new Map();
    }
    const { operation, resource, subresource, namespace } = attributes;
    const scope = namespace === "" ? "c" : "n";
    const sort = `${operation}/${resource.group}/${resource.version}/${resource.resource}/${subresource}/${scope}`;
    let candidates = this.#candidates.get(sort);
    if (candidates === undefined) {
      candidates = candidatesOf(configurations.flat(), attributes, this.#forms);
      this.#candidates.set(sort, candidates);
    }
    return candidates;
  }
}

const none: readonly Candidate[] = [];

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function candidatesOf(
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
  forms: ObjectInterfaces,
): readonly Candidate[] {
  const own: ServedForm = { resource: attributes.resource, kind: attributes.kind };
  const others = forms
    .equivalents(attributes.resource, attributes.subresource)
    .filter(({ resource }) => !isSameResource(resource, attributes.resource));
  return webhooks.flatMap((webhook, index) => {
    const form = formFor(webhook, attributes, own, others);
    return form === undefined ? [] : [{ webhook, index, form, converts: !isSameKind(form.kind, own.kind) }];
  });
}

/**
 * Returns the form for a webhook; rules that name the resource as written go before those that name an equivalent one.
 */
function formFor(
  { rules, matchesEquivalents }: Webhook,
  { operation, subresource, namespace }: AdmissionAttributes,
  own: ServedForm,
  others: readonly ServedForm[],
): ServedForm | undefined {
  const writeOf = ({ resource }: ServedForm) => ({ operation, resource, subresource, namespace });
  if (rules.some((rule) => rule.matches(writeOf(own)))) {
    return own;
  }
  if (matchesEquivalents) {
    for (const rule of rules) {
      const form = others.find((other) => rule.matches(writeOf(other)));
      if (form !== undefined) {
        return form;
      }
    }
  }
  return undefined;
}

function isSameResource(a: ServedForm["resource"], b: ServedForm["resource"]): boolean {
  return a.resource === b.resource && a.version === b.version && a.group === b.group;
}
