import { goQuote } from "@gatehouse/envelopes/go";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { type Field, type GroupVersionKind, kindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { badRequest } from "@gatehouse/envelopes/status";
import type { RequestContext } from "../request/request-context.js";

/**
 * Reads the options of a connection: an object of a kind, from the query and, if it has a path member, the path below.
 */
export function connectOptions(context: RequestContext, kind: GroupVersionKind, takesPath: boolean): JsonObject {
  const schema = kindSchema(kind.group, kind.version, kind.kind)?.schema as ObjectSchema;
  const options: JsonObject = { kind: kind.kind, apiVersion: kind.version };
  for (const [name, field] of schema.properties) {
    const value = name === "path" && takesPath ? pathBelow(context) : fromQuery(field, context.query.getAll(name));
    if (value !== undefined && value !== false && value !== "") {
      options[name] = value;
    }
  }
  return options;
}

/**
 * Returns the path below the subresource, with a leading slash unless empty, and a trailing one if the request had it.
 */
function pathBelow({ info }: RequestContext): string {
  const path = info.rest;
  const whole = path === "" || path.startsWith("/") ? path : `/${path}`;
  return info.path.endsWith("/") && !whole.endsWith("/") ? `${whole}/` : whole;
}

function fromQuery({ schema }: Field, values: readonly string[]): JsonValue | undefined {
  const [first] = values;
  if (first === undefined) {
    return undefined;
  }
  if (schema.type === "list") {
    const isText = schema.items.type === "scalar" && schema.items.scalar === "string";
    return isText ? [...values] : values.flatMap((value) => value.split(",")).map(integer);
  }
  return schema.type === "scalar" && schema.scalar === "boolean"
    ? first !== "0" && first.toLowerCase() !== "false"
    : first;
}

/** Parses one number of a list, which v1.29 takes for a port: 16 bits without a sign. */
function integer(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : undefined;
  if (value === undefined || value > 0xffff) {
    const problem = value === undefined ? "invalid syntax" : "value out of range";
    throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`);
  }
  return value;
}
