import {
  type KindSchema,
  type ObjectSchema,
  type Schema,
  type SchemaRegistry,
  schemaRegistry,
} from "@gatehouse/envelopes/schema";

/** The part of the schema registry that OpenAPI needs. */
export type SchemaSource = Pick<
  SchemaRegistry,
  "kindSchema" | "messageSchema" | "hasMessage" | "kinds" | "groupVersions"
>;

/** Returns the built-in registry with kinds that are declared in code. */
export function withTypedKinds(kinds: readonly KindSchema[]): SchemaSource {
  const builtin = lazyRegistry();
  const keyOf = (group: string, version: string, kind: string): string => `${group}/${version} ${kind}`;
  const own = new Map(kinds.map((kind) => [keyOf(kind.group, kind.version, kind.kind), kind]));
  const messages = new Map(
    kinds.flatMap(({ schema }) => [...messagesIn(schema)]).map((schema) => [schema.name, schema]),
  );
  return {
    kindSchema: (group, version, kind) =>
      own.get(keyOf(group, version, kind)) ?? builtin.kindSchema(group, version, kind),
    messageSchema: (name) => messages.get(name) ?? builtin.messageSchema(name),
    hasMessage: (name) => messages.has(name) || builtin.hasMessage(name),
    kinds: () => [...builtin.kinds(), ...kinds],
    groupVersions: () => builtin.groupVersions(),
  };
}

/** Yields a struct and all structs that are stated inside of it. */
function* messagesIn(schema: Schema): Iterable<ObjectSchema> {
  if (schema.type === "object") {
    yield schema;
    for (const field of schema.fields) {
      yield* field.name === "metadata" ? [] : messagesIn(field.schema);
    }
  } else if (schema.type === "list") {
    yield* messagesIn(schema.items);
  } else if (schema.type === "map") {
    yield* messagesIn(schema.values);
  }
}

/** Returns the built-in registry, loaded at its first use. */
export function lazyRegistry(): SchemaSource {
  return {
    kindSchema: (group, version, kind) => schemaRegistry().kindSchema(group, version, kind),
    messageSchema: (name) => schemaRegistry().messageSchema(name),
    hasMessage: (name) => schemaRegistry().hasMessage(name),
    kinds: () => schemaRegistry().kinds(),
    groupVersions: () => schemaRegistry().groupVersions(),
  };
}
