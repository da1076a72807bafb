import type { JsonObject } from "@gatehouse/envelopes";
import type { DocumentSink } from "./write-document.js";

/** Title and version that a document shows. */
export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

/** How clients authenticate: a token in the Authorization header. */
export const bearerToken = {
  name: "BearerToken",
  scheme: { description: "Bearer Token authentication", type: "apiKey", name: "authorization", in: "header" },
} as const;

/** Swagger 2.0 as JSON. */
export function swaggerJson(info: DocumentInfo): DocumentSink {
  const security = JSON.stringify({ [bearerToken.name]: bearerToken.scheme });
  return jsonSink(
    `{"swagger":"2.0","info":${JSON.stringify(info)},"paths":{`,
    `},"definitions":{`,
    `},"securityDefinitions":${security},"security":[{${JSON.stringify(bearerToken.name)}:[]}]}`,
  );
}

/** OpenAPI 3.0 as JSON. */
export function openapi3Json(info: DocumentInfo): DocumentSink {
  const security = JSON.stringify({ [bearerToken.name]: bearerToken.scheme });
  return jsonSink(
    `{"openapi":"3.0.0","info":${JSON.stringify(info)},"paths":{`,
    `},"components":{"schemas":{`,
    `},"securitySchemes":${security}}}`,
  );
}

/** Every part becomes text at once and is forgotten; only text is kept until the end. */
function jsonSink(beforePaths: string, beforeDefinitions: string, end: string): DocumentSink {
  const paths: string[] = [];
  const definitions: string[] = [];
  const member = (name: string, value: JsonObject): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return {
    path: (path, item) => paths.push(member(path, item)),
    definition: (name, schema) => definitions.push(member(name, schema)),
    finish: () => Buffer.from(beforePaths + paths.join(",") + beforeDefinitions + definitions.join(",") + end),
  };
}
