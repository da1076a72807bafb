import { copyJson, encodeJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goQuote, isSameState } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { runSteps } from "@gatehouse/envelopes/scheduling";
import { internalError } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../../request/handler.js";
import { ifLarge } from "../../request/if-large.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { ServedForm } from "../object-interfaces.js";
import { reviewBody } from "./admission-review.js";
import { applyWebhookPatch, decodeWebhookPatch } from "./apply-webhook-patch.js";
import { callWebhook, checkDryRun } from "./call-webhook.js";
import { stopIfOver } from "./dispatch-validating.js";
import { goOnOrThrow } from "./go-on-or-throw.js";
import { MutatingRounds } from "./mutating-rounds.js";
import { denial, type WebhookAnswer } from "./webhook-answer.js";
import { timeoutFor, type WebhookDispatch } from "./webhook-dispatch.js";
import { WebhookFailedError } from "./webhook-failure.js";
import { WebhookMatching } from "./webhook-matching.js";
import type { Candidate } from "./webhook-source.js";

/** Asks the mutating webhooks that a write concerns one after the other; each sees what those before have made. */
export function dispatchMutating(dispatch: WebhookDispatch, attributes: AdmissionAttributes): MaybePromise<void> {
  const candidates = dispatch.source.candidates(attributes);
  return candidates.length === 0 ? undefined : askInTurn(dispatch, attributes, candidates);
}

async function askInTurn(
  dispatch: WebhookDispatch,
  attributes: AdmissionAttributes,
  candidates: readonly Candidate[],
): Promise<void> {
  const { reinvocation } = attributes;
  const rounds = reinvocation.notesOf(dispatch, () => new MutatingRounds());
  const isAgain = reinvocation.isUnderWay;
  if (isAgain) {
    rounds.begin(attributes.object);
  }
  const matching = new WebhookMatching(dispatch, attributes);
  try {
    for (const [position, candidate] of candidates.entries()) {
      const { webhook } = candidate;
      const matches = matching.matches(candidate);
      if (!(matches instanceof Promise ? await matches : matches) || (isAgain && !rounds.isWanted(webhook.id))) {
        continue;
      }
      // Those behind it in this phase, and all validating ones together.
      await askOne(dispatch, attributes, candidate, rounds, candidates.length - position);
    }
  } finally {
    rounds.end(attributes.object);
  }
}

async function askOne(
  dispatch: WebhookDispatch,
  attributes: AdmissionAttributes,
  candidate: Candidate,
  rounds: MutatingRounds,
  others: number,
): Promise<void> {
  const { metrics } = dispatch;
  const { webhook, index } = candidate;
  const { name, ignoresFailure, configuration } = webhook;
  const { operation, reinvocation } = attributes;
  const place = `round_${reinvocation.isUnderWay ? 1 : 0}_index_${index}`;
  const before = attributes.blame?.snapshot(attributes.object);
  const startedAt = performance.now();
  let error: unknown;
  let isChanged = false;
  try {
    isChanged = await mutate(dispatch, attributes, candidate, place, others);
  } catch (thrown) {
    error = thrown;
  }
  attributes.annotate(
    `mutation.webhook.admission.k8s.io/${place}`,
    encodeJson({ configuration, webhook: name, mutated: isChanged }),
  );
  const ms = performance.now() - startedAt;
  const seconds = ms / 1000;
  attributes.blame?.note(`webhook ${configuration}/${name}`, "admit", ms, before, attributes.object);
  metrics.called({ name, type: "admit", operation, seconds, error, isIgnored: ignoresFailure });
  if (isChanged) {
    rounds.wantEarlier();
    reinvocation.request();
  }
  if (webhook.isReinvocable) {
    rounds.wasAsked(webhook.id);
  }
  if (error !== undefined) {
    goOnOrThrow(dispatch, attributes, { webhook, error, type: "mutating", place });
    stopIfOver(attributes);
  }
}

/** Asks a webhook, applies its patch, and reports whether the object has changed. */
async function mutate(
  dispatch: WebhookDispatch,
  attributes: AdmissionAttributes,
  candidate: Candidate,
  place: string,
  others: number,
): Promise<boolean> {
  const { webhook, form } = candidate;
  checkDryRun(webhook, attributes);
  const body = await reviewBody(attributes, form, dispatch.forms);
  const timeoutMs = timeoutFor(dispatch, webhook, attributes, others);
  const answer = await callWebhook(dispatch, { webhook, attributes, body, isMutating: true, timeoutMs });
  if (!answer.isAllowed) {
    throw denial(webhook.name, answer.result);
  }
  return answer.patch === undefined ? false : applyAnswer(dispatch, attributes, candidate, answer, place);
}

async function applyAnswer(
  dispatch: WebhookDispatch,
  attributes: AdmissionAttributes,
  { webhook, form, converts }: Candidate,
  { patch = Buffer.alloc(0), patchType, result }: WebhookAnswer,
  place: string,
): Promise<boolean> {
  await attributes.yieldIfLarge();
  const operations = await runSteps(ifLarge(attributes), decodeWebhookPatch(patch));
  if (operations.length === 0) {
    return false;
  }
  const { object, signal } = attributes;
  if (object === undefined) {
    const what = "attempted to modify the object, which is not supported for this operation";
    throw internalError(`admission webhook ${JSON.stringify(webhook.name)} ${what}`);
  }
  if (patchType !== "JSONPatch") {
    const { code } = denial(webhook.name, result);
    throw new WebhookFailedError(webhook.name, `unsupported patch type ${goQuote(patchType)}`, code);
  }
  const { forms } = dispatch;
  const own: ServedForm = { resource: attributes.resource, kind: attributes.kind };
  const before = forms.written(converts ? await forms.convert(object, own, form, signal) : object, form);
  const document = await runSteps(ifLarge(attributes), applyWebhookPatch(before, operations));
  const patched = decoded(() => forms.read(document, form));
  const isCut = attributes.cutTimes();
  const isChanged = isCut || !isSameState(before, patched);
  attributes.annotateRequest(
    `patch.webhook.admission.k8s.io/${place}`,
    encodeJson({
      configuration: webhook.configuration,
      webhook: webhook.name,
      patch: copyJson([...operations]),
      patchType,
    }),
  );
  await attributes.yieldIfLarge(forms.fillDefaults(patched, form));
  const next = converts ? await forms.convert(patched, form, own, signal) : patched;
  attributes.mutate(() => next);
  return isChanged;
}

function decoded(read: () => JsonObject): JsonObject {
  try {
    return read();
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message, error) : error;
  }
}
