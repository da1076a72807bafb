import type { Filter } from "./filter.js";

/** Tells browsers to use HTTPS only, by these directives of `Strict-Transport-Security` (RFC 6797). */
export function demandHttps(directives: readonly string[]): Filter {
  const value = directives.join("; ");
  return (context, next) => {
    context.setHeader("Strict-Transport-Security", value);
    return next(context);
  };
}
