import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Offer, Representation } from "../../http/negotiation.js";
import type { RequestContext } from "../../request/request-context.js";
import { decodeBody, encodingOfBody } from "../body/decode-body.js";
import type { ExpectedKind } from "../body/expected-kind.js";
import type { RequestScope } from "../request-scope.js";
import { representationFor, triedUnlessShown } from "../respond.js";
import { parseCreateOptions, type WriteOptions } from "../write-options.js";
import { checkNamespace } from "./check-identity.js";
import { dedupOwnerReferences } from "./dedup-owner-references.js";

/** The options of a write, and the representation of its answer. */
export interface BegunWrite<Options extends WriteOptions> {
  readonly representation: Representation;
  readonly options: Options;
}

/**
 * Begins a write: negotiates the representation of its answer, one of those on offer, and parses its options. Throws 406
 * or 422 before the body is read.
 */
export function beginWrite<Options extends WriteOptions>(
  context: RequestContext,
  offer: Offer,
  parseOptions: (query: URLSearchParams) => Options,
): BegunWrite<Options> {
  const representation = representationFor(context, offer);
  const asked = parseOptions(context.query);
  return {
    representation,
    options: triedUnlessShown(context, representation, "PartialObjectMetadataList", asked),
  };
}

/**
 * Parses the options of a create. Throws 415 before 422: of creates, v1.29 looks at the type of the body first, of other
 * writes at the options.
 */
export function beginCreate(context: RequestContext): WriteOptions {
  encodingOfBody(context);
  return parseCreateOptions(context.query);
}

/**
 * Reads the object that the body of a write brings: of `kind`, in the namespace of the path, with each owner reference
 * once. `checkNames` compares its names with those of the path.
 */
export async function readSentObject(
  scope: RequestScope,
  kind: ExpectedKind,
  { fieldValidation }: WriteOptions,
  checkNames: typeof checkNamespace = checkNamespace,
): Promise<JsonObject> {
  const object = await decodeBody(scope.context, kind, fieldValidation);
  checkNames(object, scope);
  dedupOwnerReferences(object, scope.context, false);
  return object;
}
