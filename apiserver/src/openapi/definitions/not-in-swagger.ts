/** Keywords that Swagger 2.0 does not have, and defaults, which clients of version 2 would apply by themselves. */
export const notInSwagger: ReadonlySet<string> = new Set(["oneOf", "anyOf", "allOf", "not", "nullable", "default"]);
