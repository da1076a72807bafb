import { type FieldError, fieldError, goQuote, invalid, type StatusError } from "@gatehouse/envelopes";

/** A list as Go prints it in a message. */
function goList(type: string, items: readonly string[]): string {
  return items.length === 0 ? `[]${type}(nil)` : `[]${type}{${items.map((item) => goQuote(item)).join(", ")}}`;
}

/** An error about a list of addresses. */
export function invalidAddresses(field: string, addresses: readonly string[], detail: string): FieldError {
  return {
    ...fieldError.invalid(field, "", detail),
    message: `Invalid value: ${goList("string", addresses)}: ${detail}`,
  };
}

/** An error about a list of IP families. */
export function invalidFamilies(field: string, families: readonly string[], detail: string): FieldError {
  return {
    ...fieldError.invalid(field, "", detail),
    message: `Invalid value: ${goList("core.IPFamily", families)}: ${detail}`,
  };
}

/** 422 for a Service whose addresses or ports cannot be had. */
export function invalidService(name: string, errors: readonly FieldError[]): StatusError {
  return invalid({ group: "", kind: "Service" }, name, errors);
}
