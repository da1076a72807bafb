import { decodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import { AdmissionAttributes } from "../../admission/attributes.js";
import { plainOffer } from "../../http/negotiation.js";
import { metaOf } from "../../objects/object-meta.js";
import type { MaybePromise } from "../../request/handler.js";
import type { RequestContext } from "../../request/request-context.js";
import { writeOptionsObject } from "../admission-options.js";
import type { ExpectedKind } from "../body/expected-kind.js";
import type { RequestScope } from "../request-scope.js";
import { representationFor, sendTyped } from "../respond.js";
import type { VerbHandlers } from "../verb-handler.js";
import type { WriteOptions } from "../write-options.js";
import { beginCreate, readSentObject } from "./begin-write.js";
import { mutateInAdmission } from "./mutate-in-admission.js";
import { trackPostedFields } from "./posted-fields.js";

/**
 * A kind that is answered and never stored: a question is posted, and comes back with the answer in its status. To refuse
 * is to throw a StatusError.
 */
export interface AnsweredKind {
  /** The kind that is posted to a subresource; that of the resource itself when absent. */
  readonly kind?: () => ExpectedKind;
  /** Refuses what cannot be answered, and may complete the question in place; after it validating admission is asked. */
  readonly check?: (question: JsonObject, context: RequestContext) => MaybePromise<void>;
  /** The question with its answer, or another object of the same kind; members may come in any order. */
  readonly answer: (question: JsonObject, context: RequestContext) => MaybePromise<JsonObject>;
}

/** Returns the handlers of such a kind, whose only verb is POST. */
export function answerHandlers(answered: AnsweredKind): VerbHandlers {
  return { create: (scope) => answerQuestion(scope, answered) };
}

async function answerQuestion(scope: RequestScope, answered: AnsweredKind): Promise<void> {
  const { environment, context, served } = scope;
  const representation = representationFor(context, plainOffer);
  const options = beginCreate(context);
  const kind = answered.kind?.() ?? served;
  const question = await readSentObject(scope, kind, options);
  const isTimed = await complete(scope, kind, question, options);
  const attributes = attributesOf(scope, kind, question, options, isTimed);
  await mutateInAdmission(environment, attributes);
  await answered.check?.(question, context);
  await environment.admission.validate(attributes);
  const answer = await answered.answer(question, context);
  const apiVersion = apiVersionOf(kind);
  const object = { kind: kind.kind, apiVersion, ...decodeJson(kind.schema, answer).object };
  await sendTyped(context, 201, object, { schema: kind.schema, kind: kind.kind, apiVersion }, representation);
}

/** Fills in what a client may leave out, drops what only a stored object has, and tracks its fields as `trackPostedFields` does. */
function complete(
  scope: RequestScope,
  kind: ExpectedKind,
  question: JsonObject,
  options: WriteOptions,
): MaybePromise<boolean> {
  const { environment } = scope;
  const meta = metaOf(question);
  for (const name of ["uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"] as const) {
    delete meta[name];
  }
  meta.creationTimestamp = null;
  environment.defaulting(kind.schema, question, environment.features);
  return trackPostedFields(scope, kind, question, options);
}

function attributesOf(
  { context, served }: RequestScope,
  kind: ExpectedKind,
  question: JsonObject,
  options: WriteOptions,
  isTimed: boolean,
): AdmissionAttributes {
  const { name, subresource } = context.info;
  return new AdmissionAttributes({
    operation: "CREATE",
    caller: context,
    kind,
    resource: served,
    subresource,
    name: name === "" ? (metaOf(question).name ?? "") : name,
    object: question,
    options: writeOptionsObject("CreateOptions", options),
    dryRun: options.dryRun,
    hasNewTime: () => isTimed,
  });
}
