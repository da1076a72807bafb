import type { GroupVersionKind, KindSchema, ObjectSchema } from "@gatehouse/envelopes/schema";
import type { ResourceSchemas } from "../forms/resource-schemas.js";
import { listSchemaOf } from "./list-schema.js";

/** Returns the schemas of a kind and of its lists; `schemaOf` is called when the first of them is asked for. */
export function lazySchemas(gvk: GroupVersionKind, listKind: string, schemaOf: () => ObjectSchema): ResourceSchemas {
  let kind: KindSchema | undefined;
  let list: KindSchema | undefined;
  const schemas: ResourceSchemas = {
    get kind() {
      kind ??= kindSchemaOf(gvk, schemaOf(), false);
      return kind;
    },
    get list() {
      list ??= kindSchemaOf({ ...gvk, kind: listKind }, listSchemaOf(schemas.kind.schema), true);
      return list;
    },
  };
  return schemas;
}

function kindSchemaOf(gvk: GroupVersionKind, schema: KindSchema["schema"], isList: boolean): KindSchema {
  return {
    ...gvk,
    schema,
    isList,
    hasObjectMeta: !isList,
    introduced: undefined,
    deprecated: undefined,
    removed: undefined,
    replacement: undefined,
  };
}
