import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import { invalidAddresses, invalidFamilies } from "../allocation/field-errors.js";
import { clusterIPsOf, ipFamiliesOf, isHeadless, sameList, takesClusterIP } from "../service-fields.js";

const unchangeable = "may not change once set";

/**
 * Returns the errors of a change of addresses and families: the first ones change only if the service was or becomes an
 * ExternalName.
 */
export function addressChangeErrors(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  return takesClusterIP(spec) && takesClusterIP(oldSpec)
    ? [...clusterIPChangeErrors(spec, oldSpec), ...familyChangeErrors(spec, oldSpec)]
    : [];
}

function clusterIPChangeErrors(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  if (isHeadless(spec) && isHeadless(oldSpec)) {
    return [];
  }
  const now = clusterIPsOf(spec);
  const before = clusterIPsOf(oldSpec);
  if (now.length === before.length) {
    return before.flatMap((address, index) =>
      address === now[index] ? [] : [invalidAddresses(`spec.clusterIPs[${index}]`, now, unchangeable)],
    );
  }
  if (now.length === 0) {
    return [invalidAddresses("spec.clusterIPs[0]", now, "primary clusterIP can not be unset")];
  }
  const errors: FieldError[] = [];
  if (before.length > 0 && now[0] !== before[0]) {
    errors.push(invalidAddresses("spec.clusterIPs[0]", now, unchangeable));
  }
  if (now.length === 1 && before.length > 1 && textAt(spec, "ipFamilyPolicy") !== "SingleStack") {
    errors.push(mustBeSingleStack(spec, "clusterIP"));
  }
  return errors;
}

function familyChangeErrors(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  if (isHeadless(spec) || isHeadless(oldSpec)) {
    return [];
  }
  const now = ipFamiliesOf(spec);
  const before = ipFamiliesOf(oldSpec);
  if (before.length === 0 || sameList(now, before)) {
    return [];
  }
  const field = "spec.ipFamilies[0]";
  if (now.length === before.length) {
    return before.filter((family, index) => family !== now[index]).map(() => invalidFamilies(field, now, unchangeable));
  }
  const errors: FieldError[] = [];
  if (now.length < before.length && clusterIPsOf(spec).length === 0) {
    errors.push(invalidFamilies(field, now, "primary ipFamily can not be unset"));
  }
  if (now.length > 0 && now[0] !== before[0]) {
    errors.push(invalidAddresses(field, clusterIPsOf(spec), unchangeable));
  }
  if (now.length === 1 && textAt(spec, "ipFamilyPolicy") !== "SingleStack") {
    errors.push(mustBeSingleStack(spec, "ipFamily"));
  }
  return errors;
}

function mustBeSingleStack(spec: JsonObject, what: string): FieldError {
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return fieldError.invalid("spec.ipFamilyPolicy", spec["ipFamilyPolicy"], detail);
}
