import { decodeQueryPart } from "./escapes.js";

/** Go's limit of the parameters of a query; a query with more has none. */
const maxParameters = 10_000;

/** Returns the values of each parameter of a query. Parameters that Go cannot read are left out. */
export function parseQuery(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  const parameters = query.split("&");
  if (parameters.length > maxParameters) {
    return values;
  }
  for (const parameter of parameters) {
    const equals = parameter.indexOf("=");
    const name = decodeQueryPart(equals < 0 ? parameter : parameter.slice(0, equals));
    const value = equals < 0 ? "" : decodeQueryPart(parameter.slice(equals + 1));
    if (parameter === "" || parameter.includes(";") || name === undefined || value === undefined) {
      continue;
    }
    const others = values.get(name);
    if (others === undefined) {
      values.set(name, [value]);
    } else {
      others.push(value);
    }
  }
  return values;
}
