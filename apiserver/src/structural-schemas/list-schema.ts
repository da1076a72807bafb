import { type Field, messageSchema, type ObjectSchema, type Schema } from "@gatehouse/envelopes/schema";

const listMeta = "k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta";
const text: Schema = Object.freeze({ type: "scalar", scalar: "string", enum: undefined });

/** Returns the schema of a list of a custom kind. */
export function listSchemaOf(item: ObjectSchema): ObjectSchema {
  const items: Schema = { type: "list", items: item, listType: undefined, listMapKeys: [], wrapped: false };
  const fields = [
    field("apiVersion", text, false),
    field("items", items, true),
    field("kind", text, false),
    field("metadata", messageSchema(listMeta), false),
  ];
  return {
    type: "object",
    name: "",
    description: "",
    fields,
    properties: new Map(fields.map((member) => [member.name, member])),
    mapType: undefined,
    hasProtobuf: false,
  };
}

function field(name: string, schema: Schema, required: boolean): Field {
  return {
    name,
    schema,
    description: "",
    number: undefined,
    inline: false,
    pointer: true,
    omitEmpty: true,
    required,
    default: undefined,
    patchStrategy: [],
    patchMergeKey: undefined,
  };
}
