import { ipFamilyOf } from "@gatehouse/apiserver/options";
import { isSet, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import { invalidAddresses } from "../allocation/field-errors.js";
import { clusterIPsOf, headlessAddress, ipFamiliesOf, isHeadless, takesClusterIP } from "../service-fields.js";

const families = ["IPv4", "IPv6"];
const familyPolicies = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** Returns the errors in clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy; none for an ExternalName. */
export function validateClusterIPs(spec: JsonObject): FieldError[] {
  if (!takesClusterIP(spec)) {
    return [];
  }
  const addresses = clusterIPsOf(spec);
  const errors = [...agreementErrors(textAt(spec, "clusterIP"), addresses), ...familyErrors(spec)];
  const addressErrors = eachAddressErrors(addresses);
  errors.push(...addressErrors);
  if (addresses.length > 2) {
    errors.push(invalidAddresses("spec.clusterIPs", addresses, "may only hold up to 2 values"));
  }
  if (addressErrors.length > 0) {
    return errors;
  }
  if (addresses.length > 1 && !isDualStack(addresses)) {
    const detail = "may specify no more than one IP for each IP family";
    errors.push(invalidAddresses("spec.clusterIPs", addresses, detail));
  }
  if (!isHeadless(spec)) {
    errors.push(...mismatchErrors(addresses, ipFamiliesOf(spec)));
  }
  return errors;
}

function agreementErrors(address: string, addresses: readonly string[]): FieldError[] {
  const field = "spec.clusterIPs";
  if (address === "") {
    return addresses.length === 0
      ? []
      : [invalidAddresses(field, addresses, "must be empty when `clusterIP` is not specified")];
  }
  if (addresses.length === 0) {
    return [fieldError.required(field)];
  }
  return addresses[0] === address ? [] : [invalidAddresses(field, addresses, "first value must match `clusterIP`")];
}

function familyErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, family] of ipFamiliesOf(spec).entries()) {
    const field = `spec.ipFamilies[${index}]`;
    if (!families.includes(family)) {
      errors.push(fieldError.notSupported(field, family, families));
    }
    if (seen.has(family)) {
      errors.push(fieldError.duplicate(field, family));
    }
    seen.add(family);
  }
  const policy = textAt(spec, "ipFamilyPolicy");
  if (isSet(spec, "ipFamilyPolicy") && !familyPolicies.includes(policy)) {
    errors.push(fieldError.notSupported("spec.ipFamilyPolicy", policy, familyPolicies));
  }
  return errors;
}

function eachAddressErrors(addresses: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === headlessAddress) {
      if (addresses.length > 1) {
        errors.push(invalidAddresses("spec.clusterIPs", addresses, "'None' must be the first and only value"));
      }
    } else if (ipFamilyOf(address) === undefined) {
      const detail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
      errors.push(fieldError.invalid(`spec.clusterIPs[${index}]`, address, detail));
    }
  }
  return errors;
}

function isDualStack(addresses: readonly string[]): boolean {
  return new Set(addresses.map(ipFamilyOf)).size === 2;
}

function mismatchErrors(addresses: readonly string[], ipFamilies: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    const expected = ipFamilies[index];
    if ((expected === "IPv4" || expected === "IPv6") && ipFamilyOf(address) !== expected) {
      const detail = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``;
      errors.push(fieldError.invalid(`spec.clusterIPs[${index}]`, address, detail));
    }
  }
  return errors;
}
