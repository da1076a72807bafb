import { jsonTypeName, parseJsonSteps, parseYaml } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goQuote } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { runSteps, type StepContext } from "@gatehouse/envelopes/scheduling";
import { apiVersionOf, type GroupVersionKind, groupVersionOf } from "@gatehouse/envelopes/schema";
import { ReviewAnswerError } from "../errors/errors.js";
import { statedText } from "./stated-text.js";

/** The prefix of v1.29's error for an answer that cannot be parsed. */
const unreadable = "couldn't get version/kind; json parse error: ";

/**
 * Reads what was answered to a review of a kind that comes in v1 and v1beta1. An answer that names no kind or version is
 * taken as it is: null is one. The answer is parsed in steps. Rejects with ReviewAnswerError, in v1.29's words.
 */
export async function readReviewAnswer(
  body: Buffer,
  review: GroupVersionKind,
  context: StepContext,
): Promise<JsonObject | null> {
  const value = await parse(body, context);
  if (value === null) {
    return value;
  }
  // Go reads kind and version first, and must know them.
  if (!isJsonObject(value)) {
    throw new ReviewAnswerError(
      `${unreadable}json: cannot unmarshal ${jsonTypeName(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  try {
    checkRegistered(statedText(value, "apiVersion"), statedText(value, "kind"), review);
  } catch (error) {
    throw error instanceof DecodeError
      ? new ReviewAnswerError(`${unreadable}${error.message}`, { cause: error })
      : error;
  }
  return value;
}

/**
 * Parses an answer. Text that does not begin as an object is YAML, as always in v1.29, and may have a byte order mark.
 */
async function parse(body: Buffer, context: StepContext): Promise<JsonValue> {
  const encoding = markedEncoding(body);
  if (encoding === undefined) {
    const text = body.toString();
    if (/^\s*\{/.test(text)) {
      return await told(unreadable, async () => (await runSteps(context, parseJsonSteps(text))).value);
    }
  }
  const text = new TextDecoder(encoding).decode(body);
  // A short text of YAML may stand for a large value, so it is read in time slices whatever the context.
  return await told("", async () => (await parseYaml(text)).value);
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
async function told(introduction: string, parsed: () => JsonValue | Promise<JsonValue>): Promise<JsonValue> {
  try {
    return await parsed();
  } catch (error) {
    throw error instanceof DecodeError
      ? new ReviewAnswerError(`${introduction}${error.message}`, { cause: error })
      : error;
  }
}

/** Kinds of `meta.k8s.io/v1` that v1.29 reads in whatever group and version they say. */
const kindsOfAnyVersion: ReadonlySet<string> = new Set([
  "Status",
  "APIVersions",
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
]);

/** Kinds of `meta.k8s.io/v1` that every group has in each of its versions. */
const kindsOfEachVersion: ReadonlySet<string> = new Set([
  "WatchEvent",
  "ListOptions",
  "GetOptions",
  "DeleteOptions",
  "CreateOptions",
  "UpdateOptions",
  "PatchOptions",
]);

function checkRegistered(statedVersion: string, statedKind: string, review: GroupVersionKind): void {
  const apiVersion = statedVersion || apiVersionOf(review);
  const kind = statedKind || review.kind;
  const isReview =
    kind === review.kind && ["v1", "v1beta1"].some((version) => apiVersion === `${review.group}/${version}`);
  if (isReview && apiVersion === apiVersionOf(review)) {
    return;
  }
  const { group, version } = groupVersionOf(apiVersion);
  const isOfMeta = kindsOfAnyVersion.has(kind) || (group === review.group && kindsOfEachVersion.has(kind));
  if (isReview || isOfMeta) {
    const said = `${isOfMeta ? "v1" : version}.${kind}`;
    throw new ReviewAnswerError(`converting (${said}) to (${review.version}.${review.kind}): unknown conversion`);
  }
  throw new ReviewAnswerError(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`,
  );
}

/** Returns a group and version as Go prints them: with a slash even without a group. */
export function goGroupVersion(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
}
