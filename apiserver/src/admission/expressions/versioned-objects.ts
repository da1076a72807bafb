import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ServedForm, VersionedObjects } from "@gatehouse/policies/admission-expressions";
import type { MaybePromise } from "../../request/handler.js";
import type { AdmissionAttributes } from "../attributes.js";
import { isSameKind, type ObjectInterfaces } from "../object-interfaces.js";

/**
 * Returns the objects of a write in a form: themselves if it is their own, converted copies otherwise. Hold for as long as
 * the object does not change. Rejects when an object cannot be converted.
 */
export function versionedObjects(
  attributes: AdmissionAttributes,
  form: ServedForm,
  forms: ObjectInterfaces,
): MaybePromise<VersionedObjects> {
  return isSameKind(attributes.kind, form.kind) ? attributes : converted(attributes, form, forms);
}

async function converted(
  { resource, kind, object, oldObject, signal }: AdmissionAttributes,
  form: ServedForm,
  forms: ObjectInterfaces,
): Promise<VersionedObjects> {
  const convert = async (value: JsonObject | undefined): Promise<JsonObject | undefined> =>
    value === undefined ? undefined : forms.convert(value, { resource, kind }, form, signal);
  return { kind: form.kind, object: await convert(object), oldObject: await convert(oldObject) };
}
