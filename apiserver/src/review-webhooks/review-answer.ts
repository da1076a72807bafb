import { decodeJson, jsonTypeName, type ParsedJson, parseJsonSteps, parseYaml } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goQuote, isGroupVersion } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { runSteps, type StepContext } from "@gatehouse/envelopes/scheduling";
import { apiVersionOf, type GroupVersionKind, groupVersionOf, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { ReviewAnswerError } from "../errors/errors.js";
import { type AnswerScheme, schemeOfReview } from "./answer-scheme.js";
import { statedText } from "./stated-text.js";

/** An answer that has been parsed. */
export interface ReviewAnswer {
  readonly value: JsonObject | null;
  /** Members given twice, which Go's decoder joins, for `decodeJson`. */
  readonly asWritten?: ParsedJson["asWritten"];
}

/** The prefix of v1.29's error for an answer that cannot be parsed. */
const unreadable = "couldn't get version/kind; json parse error: ";

/**
 * Reads what was answered to a review. An answer that names no kind or version is taken as it is: null is one. The answer is
 * parsed in steps. `scheme` has the kinds that are told as being of another sort, by default those of a review that comes in
 * v1 and v1beta1. Rejects with ReviewAnswerError, in v1.29's words.
 */
export async function readReviewAnswer(
  body: Buffer,
  review: GroupVersionKind,
  context: StepContext,
  scheme: AnswerScheme = schemeOfReview(review),
): Promise<ReviewAnswer> {
  const { value, asWritten } = await parse(body, context);
  if (value === null) {
    return { value };
  }
  // Go reads kind and version first, and must know them.
  if (!isJsonObject(value)) {
    throw new ReviewAnswerError(
      `${unreadable}json: cannot unmarshal ${jsonTypeName(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  try {
    checkKind(value, review, scheme);
  } catch (error) {
    throw error instanceof DecodeError
      ? new ReviewAnswerError(`${unreadable}${error.message}`, { cause: error })
      : error;
  }
  return { value, asWritten };
}

/**
 * Parses an answer. Text that does not begin as an object is YAML, as always in v1.29, and may have a byte order mark.
 */
async function parse(body: Buffer, context: StepContext): Promise<Pick<ParsedJson, "value" | "asWritten">> {
  const encoding = markedEncoding(body);
  if (encoding === undefined) {
    const text = body.toString();
    if (/^\s*\{/.test(text)) {
      return await told(unreadable, () => runSteps(context, parseJsonSteps(text)));
    }
  }
  const text = new TextDecoder(encoding).decode(body);
  // A short text of YAML may stand for a large value, so it is read in time slices whatever the context.
  return await told("", async () => ({ value: (await parseYaml(text)).value, asWritten: undefined }));
}

function markedEncoding(body: Buffer): string | undefined {
  const start = body.subarray(0, 3).toString("hex");
  return start === "efbbbf"
    ? "utf-8"
    : start.startsWith("fffe")
      ? "utf-16le"
      : start.startsWith("feff")
        ? "utf-16be"
        : undefined;
}

/** Returns the parsed answer. Rejects with ReviewAnswerError, whose text begins with `introduction`. */
async function told<T>(introduction: string, parsed: () => T | Promise<T>): Promise<T> {
  try {
    return await parsed();
  } catch (error) {
    throw error instanceof DecodeError
      ? new ReviewAnswerError(`${introduction}${error.message}`, { cause: error })
      : error;
  }
}

/** Throws ReviewAnswerError for an answer of another kind, and DecodeError where what it states is no text. */
function checkKind(value: JsonObject, review: GroupVersionKind, scheme: AnswerScheme): void {
  const stated = statedKind(value, review);
  if (stated.kind === review.kind && apiVersionOf(stated) === apiVersionOf(review)) {
    return;
  }
  const known = scheme(stated);
  if (known === undefined) {
    throw new ReviewAnswerError(
      `no kind ${goQuote(stated.kind)} is registered for version ${goQuote(goVersionOf(stated))} in scheme "pkg/runtime/scheme.go:100"`,
    );
  }
  readAs(known.schema, value);
  throw new ReviewAnswerError(
    `converting (${known.goPackage}.${stated.kind}) to (${review.version}.${review.kind}): unknown conversion`,
  );
}

/** Returns the kind that an answer states; what it leaves open is that of the review. */
function statedKind(value: JsonObject, review: GroupVersionKind): GroupVersionKind {
  const apiVersion = statedText(value, "apiVersion");
  const kind = statedText(value, "kind") || review.kind;
  if (apiVersion === "" || apiVersion === "/") {
    return { ...review, kind };
  }
  if (!isGroupVersion(apiVersion)) {
    throw new ReviewAnswerError(`unexpected GroupVersion string: ${apiVersion}`);
  }
  const { group, version } = groupVersionOf(apiVersion);
  return { group, version: version === "" && group === review.group ? review.version : version, kind };
}

/** Throws ReviewAnswerError where an answer is not of the kind that it states: v1.29 reads it as that. */
function readAs(schema: ObjectSchema | undefined, value: JsonObject): void {
  if (schema === undefined) {
    return;
  }
  try {
    decodeJson(schema, value);
  } catch (error) {
    throw error instanceof DecodeError ? new ReviewAnswerError(error.message, { cause: error }) : error;
  }
}

/** Returns a group and version as Go writes them: without a slash for the core group. */
function goVersionOf({ group, version }: GroupVersionKind): string {
  return group === "" ? version : `${group}/${version}`;
}
