import { randomUUID } from "node:crypto";
import type { ConvertObjects } from "@gatehouse/apiserver/forms";
import { answerProblem } from "@gatehouse/apiserver/review-webhooks";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { goCallError, type HttpCaller, type HttpResponse } from "@gatehouse/component-base/http-client";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { type JsonArray, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { StatusError } from "@gatehouse/envelopes/status";
import { readConversionAnswer } from "./conversion-answer.js";
import type { ConversionFailure, ConversionMetrics } from "./conversion-metrics.js";
import { ConversionError, type ErrorIntroductions, takeConverted, UnreadableObjectError } from "./converted-object.js";

/** A webhook as it is called. */
export interface WebhookTarget {
  readonly client: HttpCaller;
  /** The URL as messages show it, path included. */
  readonly url: string;
}

/** The address of a definition's webhook, and the review versions that it accepts. */
export interface ConversionWebhookOptions {
  readonly target: () => WebhookTarget;
  /** Versions of ConversionReview that it takes, best first. */
  readonly reviewVersions: readonly string[];
  /** The name of the definition. */
  readonly crd: string;
  /** Measures conversions; nobody does when absent. */
  readonly metrics?: ConversionMetrics | undefined;
}

const timeoutMs = 30_000;
/** A review carries as much of a list as this, more or less; an answer may be four times as large. */
const maxReviewBytes = 2 * 1024 * 1024;
const maxResponseBytes = 8 * 1024 * 1024;

/** Makes a converter that calls a webhook (ConversionReview v1 or v1beta1). Every part of its answer is checked. */
export function conversionWebhook(options: ConversionWebhookOptions): ConvertObjects {
  return async (objects, apiVersion, signal) => {
    const startedAt = performance.now();
    let succeeded = false;
    try {
      const converted: JsonObject[] = [];
      for (const batch of batches(objects)) {
        converted.push(...(await review(options, batch, apiVersion, signal)));
      }
      succeeded = true;
      return converted;
    } finally {
      const from = groupVersionOf(textAt(objects[0], "apiVersion")).version;
      const to = groupVersionOf(apiVersion).version;
      options.metrics?.converted({ crd: options.crd, from, to, succeeded }, secondsSince(startedAt));
    }
  };
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}

/** The objects of one review. */
interface Batch {
  readonly objects: JsonObject[];
  /** The objects as JSON. */
  readonly texts: string[];
}

/** Yields batches of objects: one review for all, unless they are too large for one. */
function* batches(objects: readonly JsonObject[]): Generator<Batch> {
  let batch: Batch = { objects: [], texts: [] };
  let length = 0;
  for (const object of objects) {
    const text = encodeJson(object);
    if (batch.objects.length > 0 && length + text.length > maxReviewBytes) {
      yield batch;
      batch = { objects: [], texts: [] };
      length = 0;
    }
    batch.objects.push(object);
    batch.texts.push(text);
    length += text.length;
  }
  yield batch;
}

/** The step of a review, by what a failure in it is called. */
interface Progress {
  failure: ConversionFailure;
}

async function review(
  options: ConversionWebhookOptions,
  { objects, texts }: Batch,
  apiVersion: string,
  signal: AbortSignal | undefined,
): Promise<readonly JsonObject[]> {
  const [first] = objects as [JsonObject];
  const what = `conversion webhook for ${textAt(first, "apiVersion")}, Kind=${textAt(first, "kind")}`;
  const startedAt = performance.now();
  const progress: Progress = { failure: "call" };
  try {
    const converted = await answerOf(options, texts, apiVersion, { signal, what, progress });
    progress.failure = "invalid_converted_object";
    const taken = objects.map((object, index) =>
      takeConverted(object, converted[index] ?? null, apiVersion, introductions(what, objects.length === 1, index)),
    );
    options.metrics?.called(secondsSince(startedAt), undefined);
    return taken;
  } catch (error) {
    options.metrics?.called(secondsSince(startedAt), progress.failure);
    if (error instanceof ConversionError) {
      throw new StatusError(500, "", error.message, undefined, { cause: error });
    }
    throw error;
  }
}

function introductions(what: string, isOnly: boolean, index: number): ErrorIntroductions {
  const returned = `${what} returned invalid`;
  return isOnly
    ? { ofKind: `${returned} object at index 0`, ofIdentity: `${returned} object`, ofMetadata: `${returned} metadata` }
    : {
        ofKind: `${returned} converted object at index ${index}`,
        ofIdentity: `${returned} converted object at index ${index}`,
        ofMetadata: `${returned} metadata in object at index ${index}`,
      };
}

async function answerOf(
  options: ConversionWebhookOptions,
  objects: readonly string[],
  desiredAPIVersion: string,
  { signal, what, progress }: { signal: AbortSignal | undefined; what: string; progress: Progress },
): Promise<JsonArray> {
  const version = options.reviewVersions.find((known) => known === "v1" || known === "v1beta1");
  if (version === undefined) {
    throw new ConversionError("no supported conversion review versions");
  }
  const uid = randomUUID();
  const reviewVersion = `apiextensions.k8s.io/${version}`;
  try {
    const answer = await call(options, reviewOf(reviewVersion, uid, desiredAPIVersion, objects), signal);
    progress.failure = "malformed_response";
    const converted = await readConversionAnswer(answer, version, uid);
    if (converted.length !== objects.length) {
      progress.failure = "partial_response";
      throw new CountError(`${what} returned ${converted.length} objects, expected ${objects.length}`);
    }
    return converted;
  } catch (error) {
    if (error instanceof CountError || error instanceof UnreadableObjectError || !(error instanceof ConversionError)) {
      throw error;
    }
    throw new ConversionError(`${what} failed: ${error.message}`, { cause: error });
  }
}

/** The response that a review has before it is answered. */
const unanswered = encodeJson({ uid: "", convertedObjects: null, result: { metadata: {} } });

/** Returns the review as JSON, around objects that are JSON already. As in v1.29 it has a response, which is empty. */
function reviewOf(apiVersion: string, uid: string, desiredAPIVersion: string, objects: readonly string[]): string {
  const head = encodeJson({ kind: "ConversionReview", apiVersion, request: { uid, desiredAPIVersion } });
  return `${head.slice(0, -2)},"objects":[${objects.join(",")}]},"response":${unanswered}}`;
}

/** The only error whose message does not say that the webhook has failed. */
class CountError extends ConversionError {}

async function call(
  { target }: ConversionWebhookOptions,
  body: string,
  signal = new AbortController().signal,
): Promise<HttpResponse> {
  const { client, url } = target();
  let response: HttpResponse;
  try {
    response = await client.request({
      method: "POST",
      // The port stays in `host` where it is stated, as it does for Go.
      headers: { "content-type": "application/json", accept: "application/json, */*", host: url.split("/")[2] ?? "" },
      body,
      signal,
      timeoutMs,
      maxResponseBytes,
    });
  } catch (error) {
    if (error instanceof HttpClientError) {
      throw new ConversionError(goCallError("POST", `${url}?timeout=30s`, error), { cause: error });
    }
    throw error;
  }
  const problem = answerProblem(response.status, contentTypeOf(response), response.body);
  if (problem !== undefined) {
    throw new ConversionError(problem.message);
  }
  return response;
}

function contentTypeOf({ headers }: HttpResponse): string {
  return String(headers["content-type"] ?? "");
}
