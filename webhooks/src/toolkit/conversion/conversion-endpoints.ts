import { documentValidator } from "@gatehouse/component-base/config-documents";
import { copyJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { badRequest } from "@gatehouse/envelopes/status";
import type { ReviewAnswer, ReviewEndpoint } from "../server/review-endpoint.js";
import { type Converter, NotConvertibleError } from "./converter.js";

/** Returns the path to which conversions of a resource are posted: `/convert/widgets.example.com`. */
export function conversionPath({ resource, group }: Pick<Converter, "resource" | "group">): string {
  return `/convert/${resource}.${group}`;
}

/** Returns the endpoints that answer ConversionReviews (v1), one for each resource that has converters. */
export function conversionEndpoints(converters: readonly Converter[]): ReviewEndpoint[] {
  const kind = kindSchema("apiextensions.k8s.io", "v1", "ConversionReview");
  if (kind === undefined) {
    throw new RangeError("the IDL has no ConversionReview v1");
  }
  const validator = converters.length === 0 ? undefined : documentValidator(kind, { unknownMembers: "allowed" });
  const paths = [...new Set(converters.map(conversionPath))];
  return paths.map((path) => ({
    path,
    name: path.slice("/convert/".length),
    async answer({ response: _empty, ...review }) {
      // kube-apiserver sends an empty response with its request, whose list is null.
      const problems = (await validator)?.(review) ?? [];
      if (problems.length > 0) {
        throw badRequest(`ConversionReview: ${problems.map(({ message }) => message).join("; ")}`);
      }
      return await answerReview(
        converters.filter((way) => conversionPath(way) === path),
        review,
      );
    },
  }));
}

async function answerReview(ways: readonly Converter[], review: JsonObject): Promise<ReviewAnswer> {
  const { request } = review;
  if (!isJsonObject(request)) {
    throw badRequest("ConversionReview: request: is required");
  }
  const { uid } = request;
  const answer = (response: JsonObject, outcome: string): ReviewAnswer => ({
    body: { kind: "ConversionReview", apiVersion: review["apiVersion"], response: { uid, ...response } },
    outcome,
  });
  const convertedObjects: JsonValue[] = [];
  try {
    for (const object of request["objects"] as JsonObject[]) {
      convertedObjects.push(await convertTo(ways, String(request["desiredAPIVersion"]), object));
    }
  } catch (error) {
    if (!(error instanceof NotConvertibleError)) {
      throw error;
    }
    return answer({ convertedObjects: [], result: { status: "Failure", message: error.message } }, "denied");
  }
  return answer({ convertedObjects, result: { status: "Success" } }, "allowed");
}

/** Converts one object by as few converters as possible. Throws NotConvertibleError when none lead to the version. */
async function convertTo(ways: readonly Converter[], apiVersion: string, object: JsonObject): Promise<JsonObject> {
  const [group, version] = apiVersion.split("/");
  const [ownGroup, ownVersion] = String(object["apiVersion"]).split("/");
  const steps = group === ownGroup ? findWay(ways, String(object["kind"]), ownVersion ?? "", version ?? "") : undefined;
  if (steps === undefined) {
    throw new NotConvertibleError(
      `no converter leads from ${object["apiVersion"]} to ${apiVersion} of ${object["kind"]}`,
    );
  }
  let current = copyJson(object) as JsonObject;
  for (const step of steps) {
    const made = await step.convert(current);
    if (!isJsonObject(made)) {
      throw new TypeError(`the converter of ${step.resource} from ${step.from} to ${step.to} has returned no object`);
    }
    current = {
      ...made,
      apiVersion: `${step.group}/${step.to}`,
      kind: step.kind,
      metadata: metadataOf(object["metadata"], made["metadata"]),
    };
  }
  return current;
}

/** Returns the shortest list of converters between two versions; undefined when there is none. */
function findWay(ways: readonly Converter[], kind: string, from: string, to: string): readonly Converter[] | undefined {
  const reached = new Map<string, readonly Converter[]>([[from, []]]);
  for (const [version, steps] of reached) {
    if (version === to) {
      return steps;
    }
    for (const way of ways) {
      if (way.kind === kind && way.from === version && !reached.has(way.to)) {
        reached.set(way.to, [...steps, way]);
      }
    }
  }
  return undefined;
}

/** Returns the metadata with the labels and annotations of the converted object; servers refuse other changes. */
function metadataOf(before: JsonValue | undefined, after: JsonValue | undefined): JsonObject {
  const kept: JsonObject = isJsonObject(before) ? { ...before } : {};
  if (!isJsonObject(after)) {
    return kept;
  }
  for (const member of ["labels", "annotations"]) {
    if (after[member] === undefined) {
      delete kept[member];
    } else {
      kept[member] = after[member];
    }
  }
  return kept;
}
