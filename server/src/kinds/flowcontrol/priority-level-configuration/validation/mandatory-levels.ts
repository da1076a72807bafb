import { metaOf } from "@gatehouse/apiserver/objects";
import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { goLiteral, goPointer, goQuote, isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";

const catchAll: JsonObject = {
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: "Reject" } },
};

/** Validates that a mandatory level has its fixed spec, except for the `exempt` member of the exempt level. */
export function validateMandatoryLevel(level: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const { name = "" } = metaOf(level);
  const spec = objectAt(level, "spec");
  const { exempt: _exempt, ...fixed } = spec;
  if (name === "exempt" && !isSameState(fixed, { type: "Exempt" })) {
    const detail = `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`;
    errors.invalidShown(path, goLevelSpec(spec), detail);
  }
  if (name === "catch-all" && !isSameState(spec, catchAll)) {
    errors.invalidShown(path, goLevelSpec(spec), `spec of '${name}' must equal the fixed value`);
  }
}

function goLevelSpec(spec: JsonObject): string {
  return goLiteral("flowcontrol.PriorityLevelConfigurationSpec", {
    Type: goQuote(textAt(spec, "type")),
    Limited: goPointer("flowcontrol.LimitedPriorityLevelConfiguration", spec["limited"]),
    Exempt: goPointer("flowcontrol.ExemptPriorityLevelConfiguration", spec["exempt"]),
  });
}
