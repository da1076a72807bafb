import { ReviewAnswerError } from "@gatehouse/apiserver/errors";
import { emptyBodyProblem, readReviewAnswer } from "@gatehouse/apiserver/review-webhooks";
import { sharedWork } from "@gatehouse/apiserver/scheduling";
import type { HttpResponse } from "@gatehouse/component-base/http-client";
import { decodeJson, parseExactIntegersSteps, parseJson, refuseTooManyValues } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goGroupVersionKind, goQuote } from "@gatehouse/envelopes/go";
import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
} from "@gatehouse/envelopes/json";
import { runSteps } from "@gatehouse/envelopes/scheduling";
import { messageSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { ConversionError, UnreadableObjectError } from "./converted-object.js";

const group = "apiextensions.k8s.io";

/** Values that all objects of an answer may have together: of one object a body may have a fourth of them. */
const maxAnswerValues = 400_000;

/** A number that may be beyond all numbers: three digits of exponent at least. A text may look like it. */
const farNumber = /[:,[]\s*-?\d[\d.]*[eE]\+?\d{3}/;

/**
 * Returns the objects of a webhook's answer as it has sent them: in steps of shared work, since one answer may convert for
 * many requests. Rejects with ConversionError.
 */
export async function readConversionAnswer(
  { status, headers, body }: HttpResponse,
  version: "v1" | "v1beta1",
  uid: string,
): Promise<JsonArray> {
  if (body.length === 0) {
    throw new ConversionError(emptyBodyProblem(status, String(headers["content-type"] ?? "")));
  }
  try {
    const answer = await parse(body, version);
    await sharedWork.yield();
    return convertedObjects(answer, version, uid);
  } catch (error) {
    throw error instanceof DecodeError || error instanceof ReviewAnswerError
      ? new ConversionError(error.message, { cause: error })
      : error;
  }
}

/**
 * Parses an answer, which may be large and is mostly valid: it is read with care only where the quick way does not do.
 */
async function parse(body: Buffer, version: "v1" | "v1beta1"): Promise<JsonObject | null> {
  const text = body.toString();
  await sharedWork.yield();
  refuseTooManyValues(text, maxAnswerValues);
  try {
    const value = farNumber.test(text) ? undefined : await runSteps(sharedWork, parseExactIntegersSteps(text));
    if (isJsonObject(value) && value["apiVersion"] === `${group}/${version}` && value["kind"] === "ConversionReview") {
      return value;
    }
  } catch {
    // The problem is reported below.
  }
  if (farNumber.test(text)) {
    checkNumbers(text);
  }
  return (await readReviewAnswer(body, { group, version, kind: "ConversionReview" }, sharedWork)).value;
}

/** Throws v1.29's error for invalid numbers in the objects, which it reads on their own. */
function checkNumbers(text: string): void {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof DecodeError && error.message.startsWith("json: cannot unmarshal number")) {
      throw new UnreadableObjectError(error.message, { cause: error });
    }
  }
}

function convertedObjects(answer: JsonObject | null, version: "v1" | "v1beta1", uid: string): JsonArray {
  checkTypes(answer, version);
  const [apiVersion, kind] = [textAt(answer, "apiVersion"), textAt(answer, "kind")];
  // The older version never said what it is, nor whom it answered.
  if (version === "v1" && (apiVersion !== `${group}/${version}` || kind !== "ConversionReview")) {
    throw new ConversionError(
      `expected webhook response of ${group}/${version}, Kind=ConversionReview, got ${goGroupVersionKind(apiVersion, kind)}`,
    );
  }
  const response = answer?.["response"];
  if (!isJsonObject(response)) {
    throw new ConversionError("no response provided");
  }
  if (version === "v1" && textAt(response, "uid") !== uid) {
    throw new ConversionError(`expected response.uid=${goQuote(uid)}, got ${goQuote(textAt(response, "uid"))}`);
  }
  const status = textAt(response, "result", "status");
  if (status !== "Success") {
    const message = textAt(response, "result", "message");
    throw new ConversionError(message === "" ? `response.result.status was '${status}', not 'Success'` : message);
  }
  return listAt(response, "convertedObjects");
}

/** Throws DecodeError where something but the objects, which are looked at one by one, is of the wrong type. */
function checkTypes(answer: JsonObject | null, version: "v1" | "v1beta1"): void {
  const schema = messageSchema(
    "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.ConversionReview",
  ) as ObjectSchema;
  const { response } = answer ?? {};
  try {
    decodeJson(schema, { response: isJsonObject(response) ? withoutObjects(response) : (response ?? null) });
  } catch (error) {
    throw error instanceof DecodeError
      ? new DecodeError(error.message.replace("v1.ConversionResponse", `${version}.ConversionResponse`), {
          cause: error,
        })
      : error;
  }
}

function withoutObjects(response: JsonObject): JsonValue {
  return Array.isArray(response["convertedObjects"])
    ? { ...response, convertedObjects: [] }
    : objectAt({ response }, "response");
}
