import type { JsonObject } from "@gatehouse/envelopes/json";
import type { DocumentFormat } from "./document-writer.js";
import { jsonText } from "./json-text.js";

/** Title and version that a document shows. */
export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

/** The authentication scheme of clients: a token in the Authorization header. */
export const bearerToken = {
  name: "BearerToken",
  scheme: { description: "Bearer Token authentication", type: "apiKey", name: "authorization", in: "header" },
} as const;

/** Returns the format of Swagger 2.0 as JSON. */
export function swaggerJson(info: DocumentInfo): DocumentFormat {
  const security = JSON.stringify({ [bearerToken.name]: bearerToken.scheme });
  return jsonFormat(
    `{"swagger":"2.0","info":${JSON.stringify(info)},"paths":{`,
    "},",
    '"definitions":{',
    `"securityDefinitions":${security},"security":[{${JSON.stringify(bearerToken.name)}:[]}]}`,
  );
}

/** Returns the format of OpenAPI 3.0 as JSON. */
export function openapi3Json(info: DocumentInfo): DocumentFormat {
  const security = JSON.stringify({ [bearerToken.name]: bearerToken.scheme });
  return jsonFormat(
    `{"openapi":"3.0.0","info":${JSON.stringify(info)},"paths":{`,
    `},"components":{`,
    '"schemas":{',
    `"securitySchemes":${security}}}`,
  );
}

/** Returns a format of JSON documents. An empty member for definitions is left out, as in v1.29. */
function jsonFormat(beforePaths: string, afterPaths: string, definitionsOpen: string, end: string): DocumentFormat {
  return {
    path: jsonMember,
    definition: jsonMember,
    document: (paths, definitions) =>
      Buffer.concat([
        Buffer.from(beforePaths),
        ...withCommas(paths),
        Buffer.from(afterPaths),
        ...(definitions.length === 0
          ? []
          : [Buffer.from(definitionsOpen), ...withCommas(definitions), Buffer.from("},")]),
        Buffer.from(end),
      ]),
  };
}

function jsonMember(name: string, value: JsonObject): Buffer {
  return Buffer.from(`${JSON.stringify(name)}:${jsonText(value)}`);
}

const comma = Buffer.from(",");

function withCommas(members: readonly Uint8Array[]): Uint8Array[] {
  return members.flatMap((member, index) => (index === 0 ? [member] : [comma, member]));
}
