import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/**
 * Returns TypeScript interfaces for the kinds of a CustomResourceDefinition, one for each version: `WidgetV1`. They
 * follow the openAPIV3Schema; members that it leaves open are `unknown`. Throws TypeError for a definition without a
 * schema.
 */
export function typesOfDefinition(definition: JsonObject): string {
  const spec = objectOf(definition["spec"]);
  const kind = objectOf(spec["names"])["kind"];
  const { group, versions } = spec;
  if (definition["kind"] !== "CustomResourceDefinition" || typeof kind !== "string" || !Array.isArray(versions)) {
    throw new TypeError("is no CustomResourceDefinition of apiextensions.k8s.io/v1");
  }
  const interfaces = versions.filter(isJsonObject).map((version) => {
    const schema = objectOf(objectOf(version["schema"])["openAPIV3Schema"]);
    const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...properties } = objectOf(schema["properties"]);
    const name = String(version["name"]);
    const members = membersOf({ ...schema, properties }, "  ");
    const description = commentOf(schema["description"] ?? `${kind} of ${group}/${name}.`, "");
    return `${description}export interface ${kind}${pascal(name)} {
  apiVersion?: "${group}/${name}";
  kind?: "${kind}";
  metadata?: metaV1.ObjectMeta;
${members}}`;
  });
  return `import type { metaV1 } from "@gatehouse/envelopes/types";\n\n${interfaces.join("\n\n")}\n`;
}

function membersOf(schema: JsonObject, indent: string): string {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(objectOf(schema["properties"]))
    .map(([name, value]) => {
      const member = objectOf(value);
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      const optional = required.includes(name) ? "" : "?";
      return `${commentOf(member["description"], indent)}${indent}${key}${optional}: ${typeOf(member, indent)};\n`;
    })
    .join("");
}

function typeOf(schema: JsonObject, indent: string): string {
  const type = plainTypeOf(schema, indent);
  return schema["nullable"] === true ? `${type} | null` : type;
}

function plainTypeOf(schema: JsonObject, indent: string): string {
  if (Array.isArray(schema["enum"])) {
    return schema["enum"].map((value) => JSON.stringify(value)).join(" | ");
  }
  if (schema["x-kubernetes-int-or-string"] === true) {
    return "number | string";
  }
  switch (schema["type"]) {
    case "string":
    case "boolean":
      return schema["type"];
    case "integer":
    case "number":
      return "number";
    case "array": {
      const item = typeOf(objectOf(schema["items"]), indent);
      return /[ |]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return objectTypeOf(schema, indent);
    default:
      return "unknown";
  }
}

function objectTypeOf(schema: JsonObject, indent: string): string {
  if (isJsonObject(schema["properties"])) {
    const open = schema["x-kubernetes-preserve-unknown-fields"] === true ? `${indent}  [key: string]: unknown;\n` : "";
    return `{\n${membersOf(schema, `${indent}  `)}${open}${indent}}`;
  }
  const values = schema["additionalProperties"];
  return `{ [key: string]: ${isJsonObject(values) ? typeOf(values, indent) : "unknown"} }`;
}

/** Returns a comment of a description, in which nothing can end the comment. */
function commentOf(description: JsonValue | undefined, indent: string): string {
  if (typeof description !== "string" || description.trim() === "") {
    return "";
  }
  const lines = description
    .trim()
    .replaceAll("*/", "* /")
    .split(/\s*\n\s*/);
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns a version with a capital letter: `V1alpha1`. */
function pascal(version: string): string {
  return version.charAt(0).toUpperCase() + version.slice(1);
}
