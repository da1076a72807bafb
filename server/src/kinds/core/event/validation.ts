import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  immutable,
  validateFormat,
  validateImmutable,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goQuote, goTime, isSamePointer, isSameState } from "@gatehouse/envelopes/go";
import { integerAt, isSet, type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Subdomain, validateQualifiedName } from "@gatehouse/envelopes/validation";

const maxNoteBytes = 1024;
const maxTextBytes = 128;

/** Rules of Event in the core group, as lenient as they were for old clients. */
export const eventValidation: KindValidation = {
  create: (event, errors) => validateEvent(event, "reportingComponent", errors),
  update: (event, _old, errors) => validateEvent(event, "reportingComponent", errors),
};

/**
 * Returns the rules of Event in `events.k8s.io/v1`: events are complete and hardly change. They are validated in the
 * stored form, and paths are those of that form, as in v1.29.
 */
export function newerEventValidation(toStored: (event: JsonObject) => JsonObject): KindValidation {
  return {
    create(event, errors) {
      const stored = toStored(event);
      validateEvent(stored, "reportingController", errors);
      errors.recheckMetadata("object");
      validateComplete(stored, errors);
    },
    update(event, old, errors) {
      const stored = toStored(event);
      validateEvent(stored, "reportingController", errors);
      errors.recheckMetadata("change");
      validateUnchanged(stored, toStored(old), errors);
    },
  };
}

/** Validates an event. One with `eventTime` is of the newer kind and names its reporter, too. */
function validateEvent(event: JsonObject, controllerMember: string, errors: FieldErrors): void {
  const namespace = textAt(event, "metadata", "namespace");
  const about = textAt(event, "involvedObject", "namespace");
  const isNewer = isSet(event, "eventTime");
  const fits =
    about === ""
      ? ["", "default", ...(isNewer ? ["kube-system"] : [])].includes(namespace) && !(isNewer && namespace === "")
      : isNewer || about === namespace;
  if (!fits) {
    const path = FieldPath.of("involvedObject").child("namespace");
    errors.invalid(path, about, "does not match event.namespace");
  }
  if (isNewer) {
    validateReport(event, controllerMember, errors);
  }
  validateFormat(namespace, validateDns1123Subdomain, FieldPath.of("namespace"), errors);
}

function validateReport(event: JsonObject, controllerMember: string, errors: FieldErrors): void {
  const controller = textAt(event, "reportingComponent");
  const controllerPath = FieldPath.of(controllerMember);
  if (controller === "") {
    errors.required(controllerPath);
  }
  validateFormat(controller, validateQualifiedName, controllerPath, errors);
  for (const member of ["reportingInstance", "action", "reason"]) {
    const text = textAt(event, member);
    if (text === "") {
      errors.required(FieldPath.of(member));
    }
    validateLength(text, maxTextBytes, FieldPath.of(member), errors);
  }
  validateLength(textAt(event, "message"), maxNoteBytes, FieldPath.of("message"), errors);
}

function validateLength(text: string, maxBytes: number, path: FieldPath, errors: FieldErrors): void {
  if (Buffer.byteLength(text) > maxBytes) {
    errors.invalid(path, "", `can have at most ${maxBytes} characters`);
  }
}

/** Validates that an event is complete and sets no member of the older API only. */
function validateComplete(event: JsonObject, errors: FieldErrors): void {
  validateSeries(event, errors);
  if (!isSet(event, "eventTime")) {
    errors.required(FieldPath.of("eventTime"));
  }
  const type = textAt(event, "type");
  if (type !== "Normal" && type !== "Warning") {
    errors.invalid(FieldPath.of("type"), "", `has invalid value: ${type}`);
  }
  const source = objectAt(event, "source");
  const given: readonly (readonly [string, boolean])[] = [
    ["firstTimestamp", isSet(event, "firstTimestamp")],
    ["lastTimestamp", isSet(event, "lastTimestamp")],
    ["count", Number(integerAt(event, "count")) !== 0],
    ["source", textAt(source, "component") !== "" || textAt(source, "host") !== ""],
  ];
  for (const [member] of given.filter(([, isGiven]) => isGiven)) {
    errors.invalid(FieldPath.of(member), "", "needs to be unset");
  }
}

/** Validates the series of an event that occurred more than once. */
function validateSeries(event: JsonObject, errors: FieldErrors): void {
  if (!isSet(event, "series")) {
    return;
  }
  if (integerAt(event, "series", "count") < 2) {
    errors.invalid(FieldPath.of("series.count"), "", "should be at least 2");
  }
  if (!isSet(event, "series", "lastObservedTime")) {
    errors.required(FieldPath.of("series.lastObservedTime"));
  }
}

type Shown = (value: JsonValue | undefined) => string;

const asText: Shown = (value) => goQuote(typeof value === "string" ? value : "");
const asNumber: Shown = (value) => String(value ?? 0);

/** Members of an event that do not change, and their Go syntax, in v1.29's order. */
const unchangeable: readonly (readonly [member: string, shown: Shown])[] = [
  ["involvedObject", goReference],
  ["reason", asText],
  ["message", asText],
  ["source", goSource],
  ["firstTimestamp", goTime],
  ["lastTimestamp", goTime],
  ["count", asNumber],
  ["reason", asText],
  ["type", asText],
  ["eventTime", goTime],
  ["action", asText],
];

function validateUnchanged(event: JsonObject, old: JsonObject, errors: FieldErrors): void {
  if (!isSameState(event["series"], old["series"])) {
    validateSeries(event, errors);
  }
  for (const [member, shown] of unchangeable) {
    validateImmutable(event[member], old[member], FieldPath.of(member), errors, shown);
  }
  const { related } = event;
  if (!isSamePointer(related, old["related"])) {
    errors.invalidShown(FieldPath.of("related"), isSet(event, "related") ? goReference(related) : '"null"', immutable);
  }
  for (const [member, path] of [
    ["reportingComponent", "reportingController"],
    ["reportingInstance", "reportingInstance"],
  ] as const) {
    validateImmutable(textAt(event, member), textAt(old, member), FieldPath.of(path), errors);
  }
}

function goReference(reference: JsonValue | undefined): string {
  const members = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
  const names: Readonly<Record<string, string>> = { uid: "UID", apiVersion: "APIVersion" };
  const shown = members.map((member) => [
    names[member] ?? `${member.charAt(0).toUpperCase()}${member.slice(1)}`,
    goQuote(textAt(reference, member)),
  ]);
  return goLiteral("core.ObjectReference", Object.fromEntries(shown));
}

function goSource(source: JsonValue | undefined): string {
  return goLiteral("core.EventSource", {
    Component: goQuote(textAt(source, "component")),
    Host: goQuote(textAt(source, "host")),
  });
}
