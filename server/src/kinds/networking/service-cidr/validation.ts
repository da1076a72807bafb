import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  hasBothFamilies,
  parseCidr,
  parseIp,
  validateImmutable,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goTexts, listAsSent } from "@gatehouse/envelopes/go";
import { type JsonObject, objectAt, textsAt } from "@gatehouse/envelopes/json";
import { parseIpPrefix } from "../../ip-text.js";

const cidrsPath = FieldPath.of("spec").child("cidrs");

/** Rules of ServiceCIDR: one range, or one for each family; they do not change. */
export const serviceCidrValidation: KindValidation = {
  create: validateCidrs,
  update(serviceCidr, old, errors) {
    errors.recheckMetadata("object");
    validateCidrs(serviceCidr, errors);
    errors.recheckMetadata("change");
    const cidrs = listAsSent(objectAt(serviceCidr, "spec"), "cidrs");
    validateImmutable(cidrs, objectAt(old, "spec")["cidrs"], cidrsPath, errors, () => goTexts("string", cidrs));
  },
  subresources: { status: (_serviceCidr, _old, errors) => errors.recheckMetadata("change") },
};

function validateCidrs(serviceCidr: JsonObject, errors: FieldErrors): void {
  const cidrs = textsAt(serviceCidr, "spec", "cidrs");
  if (cidrs.length === 0) {
    errors.required(cidrsPath, "at least one CIDR required");
    return;
  }
  const goSpec = (): string => goLiteral("networking.ServiceCIDRSpec", { CIDRs: goTexts("string", cidrs) });
  if (cidrs.length > 2) {
    errors.invalidShown(cidrsPath, goSpec(), "may only hold up to 2 values");
    return;
  }
  const ranges = cidrs.flatMap((cidr) => parseCidr(cidr) ?? []);
  if (cidrs.length === 2 && !hasBothFamilies(ranges)) {
    const detail = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
    errors.invalidShown(cidrsPath, goSpec(), detail);
    return;
  }
  for (const [index, cidr] of cidrs.entries()) {
    validateCidr(cidr, cidrsPath.index(index), errors);
  }
}

/** Validates that a range is written in its canonical form. */
function validateCidr(cidr: string, path: FieldPath, errors: FieldErrors): void {
  const prefix = parseIpPrefix(cidr);
  if ("problem" in prefix) {
    errors.invalid(path, cidr, prefix.problem);
    return;
  }
  if (parseCidr(cidr)?.network !== parseIp(cidr.slice(0, cidr.indexOf("/")))?.value) {
    errors.invalid(path, cidr, "wrong CIDR format, IP doesn't match network IP address");
  }
  if (prefix.text !== cidr) {
    errors.invalid(path, cidr, "CIDR not in RFC 5952 canonical format");
  }
}
