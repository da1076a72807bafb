import { timeout } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../../request/handler.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { ServedForm } from "../object-interfaces.js";
import { type ReviewBody, reviewBody } from "./admission-review.js";
import { callWebhook, checkDryRun } from "./call-webhook.js";
import { goOnOrThrow } from "./go-on-or-throw.js";
import { denial } from "./webhook-answer.js";
import { timeoutFor, type WebhookDispatch } from "./webhook-dispatch.js";
import { WebhookMatching } from "./webhook-matching.js";
import type { Candidate } from "./webhook-source.js";

/** Asks all validating webhooks that a write concerns, all at a time. The first that objects decides what the client is told. */
export function dispatchValidating(dispatch: WebhookDispatch, attributes: AdmissionAttributes): MaybePromise<void> {
  const candidates = dispatch.source.candidates(attributes);
  return candidates.length === 0 ? undefined : askAll(dispatch, attributes, candidates);
}

async function askAll(
  dispatch: WebhookDispatch,
  attributes: AdmissionAttributes,
  candidates: readonly Candidate[],
): Promise<void> {
  const relevant: { readonly candidate: Candidate; readonly body: ReviewBody }[] = [];
  const bodies = new Map<string, ReviewBody>();
  const matching = new WebhookMatching(dispatch, attributes);
  for (const candidate of candidates) {
    const matches = matching.matches(candidate);
    if (matches instanceof Promise ? await matches : matches) {
      relevant.push({ candidate, body: await bodyFor(dispatch, attributes, candidate.form, bodies) });
    }
  }
  if (relevant.length === 0) {
    return;
  }
  stopIfOver(attributes);
  const errors: unknown[] = [];
  const ask = async ({ candidate, body }: (typeof relevant)[number], index: number): Promise<void> => {
    try {
      await askOne(dispatch, attributes, candidate, body, index);
    } catch (error) {
      errors.push(error);
    }
  };
  await Promise.all(relevant.map(ask));
  if (errors.length > 0) {
    throw errors[0];
  }
}

/** Throws 504 when nobody waits for the outcome any more. */
export function stopIfOver({ signal }: AdmissionAttributes): void {
  if (signal.aborted) {
    throw timeout("request did not complete within requested timeout");
  }
}

async function bodyFor(
  { forms }: WebhookDispatch,
  attributes: AdmissionAttributes,
  form: ServedForm,
  bodies: Map<string, ReviewBody>,
): Promise<ReviewBody> {
  const { group, version, resource } = form.resource;
  const key = `${group}/${version}/${resource}`;
  const known = bodies.get(key);
  if (known !== undefined) {
    return known;
  }
  const body = await reviewBody(attributes, form, forms);
  bodies.set(key, body);
  return body;
}

async function askOne(
  dispatch: WebhookDispatch,
  attributes: AdmissionAttributes,
  { webhook }: Candidate,
  body: ReviewBody,
  index: number,
): Promise<void> {
  const { metrics } = dispatch;
  const { name, ignoresFailure } = webhook;
  const startedAt = performance.now();
  let error: unknown;
  try {
    checkDryRun(webhook, attributes);
    const timeoutMs = timeoutFor(dispatch, webhook, attributes, 0);
    const answer = await callWebhook(dispatch, { webhook, attributes, body, isMutating: false, timeoutMs });
    if (!answer.isAllowed) {
      error = denial(name, answer.result);
    }
  } catch (thrown) {
    error = thrown;
  }
  const ms = performance.now() - startedAt;
  const seconds = ms / 1000;
  attributes.blame?.note(`webhook ${webhook.configuration}/${name}`, "validate", ms);
  const { operation } = attributes;
  metrics.called({ name, type: "validating", operation, seconds, error, isIgnored: ignoresFailure });
  if (error !== undefined) {
    goOnOrThrow(dispatch, attributes, { webhook, error, type: "validating", place: `round_0_index_${index}` });
  }
}
