import { randomUUID } from "node:crypto";
import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { MaybePromise } from "../../request/handler.js";
import { admissionRequest } from "../admission-request.js";
import type { AdmissionAttributes } from "../attributes.js";
import { isSameKind, type ObjectInterfaces, type ServedForm } from "../object-interfaces.js";

/** An AdmissionReview that is ready to be sent. */
export interface SentReview {
  /** The uid that identifies this call. */
  readonly uid: string;
  readonly version: "v1" | "v1beta1";
  readonly text: string;
}

/** The part of a review after version and uid, equal for all webhooks that want the object in one form. */
export interface ReviewBody {
  readonly tail: string;
}

/** Writes down an object, converted to the form that a webhook wants, for a review. Rejects when it cannot be converted. */
export function reviewBody(
  attributes: AdmissionAttributes,
  form: ServedForm,
  forms: ObjectInterfaces,
): MaybePromise<ReviewBody> {
  const own: ServedForm = { resource: attributes.resource, kind: attributes.kind };
  const { object, oldObject, signal } = attributes;
  if (isSameKind(own.kind, form.kind)) {
    const written = object === undefined ? undefined : forms.written(object, own);
    return { tail: tailOf(admissionRequest(attributes, form, written ?? null, oldObject ?? null)) };
  }
  return convertedBody();

  async function convertedBody(): Promise<ReviewBody> {
    const converted = async (value: JsonObject | undefined): Promise<JsonObject | null> =>
      value === undefined ? null : forms.written(await forms.convert(value, own, form, signal), form);
    return { tail: tailOf(admissionRequest(attributes, form, await converted(object), await converted(oldObject))) };
  }
}

/** Returns a review with a uid of its own. */
export function sentReview({ tail }: ReviewBody, version: "v1" | "v1beta1"): SentReview {
  const uid = randomUUID();
  const text = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}","request":{"uid":"${uid}",${tail}}`;
  return { uid, version, text };
}

function tailOf(request: JsonObject): string {
  return encodeJson(request).slice(1);
}
