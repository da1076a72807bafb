import type { DescriptionTable, KindRow, SchemaTable } from "../../idl-compiler/src/table.js";
import { descriptionTable } from "../generated/description-table.js";
import { schemaTable } from "../generated/schema-table.js";
import { createSchemaBuilder, fullName } from "./build.js";
import type { GroupVersionKind, KindSchema, ObjectSchema } from "./schema.js";

/** Every type of the built-in IDL. */
export interface SchemaRegistry {
  /**
   * The kind under its own group version. Kinds of meta/v1 (DeleteOptions, Status, WatchEvent, Table, ...) are found
   * under every group version, because that is how clients send them; the answer then carries the one asked for.
   */
  kindSchema(group: string, version: string, kind: string): KindSchema | undefined;
  /** By full IDL name, `k8s.io.api.apps.v1.Deployment`. Throws RangeError when there is no such message with members. */
  messageSchema(name: string): ObjectSchema;
  /** Kinds in IDL order: by group version, and there by name. */
  kinds(): readonly KindSchema[];
  kindsOf(group: string, version: string): readonly KindSchema[];
  groupVersions(): readonly { readonly group: string; readonly version: string }[];
}

const metaPackage = "k8s.io.apimachinery.pkg.apis.meta.v1";

/** Builds a registry over a precompiled IDL. `descriptions` is called once, when a description is first asked for. */
export function createSchemaRegistry(table: SchemaTable, descriptions: () => DescriptionTable): SchemaRegistry {
  const indexByName = new Map<string, number>();
  const kindsByPath = new Map<string, KindSchema>();
  const byGroupVersion = new Map<string, KindSchema[]>();
  const metaKinds = new Map<string, KindSchema>();
  let texts: DescriptionTable | undefined;

  for (const [index, message] of table.messages.entries()) {
    indexByName.set(fullName(table, message), index);
  }
  const builder = createSchemaBuilder(table, indexOf(`${metaPackage}.TypeMeta`), (message, member) => {
    texts ??= descriptions();
    return texts[message]?.[member] ?? "";
  });
  const objectMeta = indexOf(`${metaPackage}.ObjectMeta`);
  const listMeta = indexOf(`${metaPackage}.ListMeta`);

  for (const [index, message] of table.messages.entries()) {
    const [packageIndex, name, , , fields, lifecycle] = message;
    const [packageName, group, version] = table.packages[packageIndex] ?? [""];
    const isWatchEvent = packageName === metaPackage && name === "WatchEvent";
    if ((lifecycle === undefined && !isWatchEvent) || group === undefined || version === undefined) {
      continue;
    }
    const metadata = fields.find((field) => field[0] === "metadata")?.[1];
    const kind: KindSchema = {
      group,
      version,
      kind: name,
      get schema() {
        return objectAt(index);
      },
      isList: metadata === listMeta && fields.some((field) => field[0] === "items"),
      hasObjectMeta: metadata === objectMeta,
      ...lifecycleOf(lifecycle ?? {}),
    };
    kindsByPath.set(`${group}/${version}/${name}`, kind);
    if (packageName === metaPackage) {
      metaKinds.set(name, kind);
    }
    const siblings = byGroupVersion.get(`${group}/${version}`);
    if (siblings === undefined) {
      byGroupVersion.set(`${group}/${version}`, [kind]);
    } else {
      siblings.push(kind);
    }
  }

  function indexOf(name: string): number {
    const index = indexByName.get(name);
    if (index === undefined) {
      throw new RangeError(`the IDL has no message ${name}`);
    }
    return index;
  }

  function objectAt(index: number): ObjectSchema {
    const found = builder.object(index);
    if (found === undefined) {
      throw new RangeError(`message ${index} has no members in JSON`);
    }
    return found;
  }

  return {
    kindSchema(group, version, kind) {
      const own = kindsByPath.get(`${group}/${version}/${kind}`);
      if (own !== undefined) {
        return own;
      }
      const meta = metaKinds.get(kind);
      // Copied without spreading: the schema stays unbuilt until it is looked at.
      return meta === undefined
        ? undefined
        : Object.create(meta, { group: { value: group }, version: { value: version } });
    },
    messageSchema: (name) => objectAt(indexOf(name)),
    kinds: () => [...kindsByPath.values()],
    kindsOf: (group, version) => byGroupVersion.get(`${group}/${version}`) ?? [],
    groupVersions: () =>
      table.packages.flatMap(([, group, version]) =>
        group === undefined || version === undefined ? [] : [{ group, version }],
      ),
  };
}

function lifecycleOf(row: KindRow): Pick<KindSchema, "introduced" | "deprecated" | "removed" | "replacement"> {
  return { introduced: row.i, deprecated: row.d, removed: row.x, replacement: toGroupVersionKind(row.r) };
}

/** `apps/v1 Deployment`, `v1 Pod`. */
function toGroupVersionKind(text: string | undefined): GroupVersionKind | undefined {
  if (text === undefined) {
    return undefined;
  }
  const [apiVersion = "", kind = ""] = text.split(" ");
  const slash = apiVersion.indexOf("/");
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind };
}

// Filled on first use and never changed afterwards: importing the package costs nothing until a schema is needed.
let builtin: SchemaRegistry | undefined;

/** The registry of the built-in IDL. */
export function schemaRegistry(): SchemaRegistry {
  builtin ??= createSchemaRegistry(
    JSON.parse(schemaTable) as SchemaTable,
    () => JSON.parse(descriptionTable) as DescriptionTable,
  );
  return builtin;
}

/** `schemaRegistry().kindSchema`. */
export function kindSchema(group: string, version: string, kind: string): KindSchema | undefined {
  return schemaRegistry().kindSchema(group, version, kind);
}

/** `schemaRegistry().messageSchema`. */
export function messageSchema(name: string): ObjectSchema {
  return schemaRegistry().messageSchema(name);
}
