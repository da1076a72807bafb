import { defineTypedResource } from "@gatehouse/apiserver";
import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";

/** A reference to another object, in the form that both versions are converted to. */
export interface FlunderSpec {
  readonly flunderReference?: string;
  readonly fischerReference?: string;
  readonly referenceType?: string;
}

/** A fish that may refer to another one, or to a fischer. */
export interface Flunder {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: FlunderSpec;
}

const flunderSchema = (spec: JsonObject): JsonObject => ({
  type: "object",
  properties: { spec: { type: "object", properties: spec }, status: { type: "object" } },
});

const v1alpha1 = flunderSchema({
  reference: { type: "string", description: "A name of another flunder or fischer, depending on the reference type." },
  referenceType: {
    type: "string",
    title: "ReferenceType",
    nullable: true,
    description: 'The reference type, defaults to "Flunder" if reference is set.',
  },
});

const v1beta1 = flunderSchema({
  flunderReference: {
    type: "string",
    description: "A name of another flunder, mutually exclusive to the FischerReference.",
  },
  fischerReference: {
    type: "string",
    description: "A name of a fischer, mutually exclusive to the FlunderReference.",
  },
  referenceType: { type: "string", title: "ReferenceType", description: "The reference type." },
});

/** The members of the hub that hold the reference, by the type of the reference. */
const memberOf: Readonly<Record<string, "flunderReference" | "fischerReference">> = {
  Flunder: "flunderReference",
  Fischer: "fischerReference",
};

/** Flunders in both versions. They are stored as v1alpha1. */
export const flunders = defineTypedResource<Flunder>({
  group: "wardle.example.com",
  definitionPackage: "k8s.io.sample-apiserver.pkg.apis.wardle",
  resource: "flunders",
  kind: "Flunder",
  namespaced: true,
  storedVersion: "v1alpha1",
  versions: [
    { name: "v1beta1", schema: v1beta1 },
    {
      name: "v1alpha1",
      schema: v1alpha1,
      setDefaults: setReferenceType,
      toHub: splitReference,
      fromHub: joinReference,
    },
  ],
  validate: ({ spec }) => validateSpec(spec),
  strategy: { metadata: { validateName: validatePathSegmentName } },
});

/** Sets the type of a reference that has none: a flunder. */
function setReferenceType({ spec }: JsonObject): void {
  if (textAt(spec, "reference") !== "" && textAt(spec, "referenceType") === "") {
    (spec as JsonObject)["referenceType"] = "Flunder";
  }
}

function splitReference(flunder: JsonObject): JsonObject {
  const referenceType = textAt(flunder, "spec", "referenceType");
  const member = memberOf[referenceType];
  const reference = textAt(flunder, "spec", "reference");
  const spec = member === undefined ? {} : { ...(reference && { [member]: reference }), referenceType };
  return { ...flunder, spec };
}

function joinReference(hub: JsonObject): JsonObject {
  const referenceType = textAt(hub, "spec", "referenceType");
  const member = memberOf[referenceType];
  const reference = member === undefined ? "" : textAt(objectAt(hub, "spec"), member);
  const spec = member === undefined ? {} : { ...(reference && { reference }), referenceType };
  return { ...hub, spec };
}

function validateSpec({
  flunderReference = "",
  fischerReference = "",
  referenceType = "",
}: FlunderSpec): readonly FieldError[] {
  const ofFlunder = (detail: string): FieldError =>
    fieldError.invalid("spec.flunderReference", flunderReference, detail);
  const ofFischer = (detail: string): FieldError =>
    fieldError.invalid("spec.fischerReference", fischerReference, detail);
  const errors: FieldError[] = [];
  if (flunderReference !== "" && fischerReference !== "") {
    errors.push(ofFischer("cannot be set with flunderReference at the same time"));
  } else if (flunderReference !== "" && referenceType !== "Flunder") {
    errors.push(ofFlunder("cannot be set if referenceType is not Flunder"));
  } else if (fischerReference !== "" && referenceType !== "Fischer") {
    errors.push(ofFischer("cannot be set if referenceType is not Fischer"));
  } else if (fischerReference === "" && referenceType === "Fischer") {
    errors.push(ofFischer("cannot be empty if referenceType is Fischer"));
  } else if (flunderReference === "" && referenceType === "Flunder") {
    errors.push(ofFlunder("cannot be empty if referenceType is Flunder"));
  }
  if (referenceType !== "" && memberOf[referenceType] === undefined) {
    errors.push(fieldError.invalid("spec.referenceType", referenceType, "must be Flunder or Fischer"));
  }
  return errors;
}
