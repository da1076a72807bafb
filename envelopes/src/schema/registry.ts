import { descriptionTable } from "../generated/description-table.js";
import { schemaTable } from "../generated/schema-table.js";
import type { DescriptionTable, KindRow, MessageRow, SchemaTable } from "../generated/table.js";
import { fullName, SchemaBuilder } from "./build.js";
import { type GroupVersionKind, groupVersionOf, type KindSchema, type ObjectSchema } from "./schema.js";

/** The registry of every type of the built-in IDL. */
export interface SchemaRegistry {
  /**
   * Returns the kind under its own group version. Kinds of meta/v1 (DeleteOptions, Status, WatchEvent, Table, ...) are
   * found under every group version, because clients send them so; the result then carries the requested one.
   */
  kindSchema(group: string, version: string, kind: string): KindSchema | undefined;
  /**
   * Returns a message by full IDL name, `k8s.io.api.apps.v1.Deployment`. Throws RangeError when there is no such
   * message with members.
   */
  messageSchema(name: string): ObjectSchema;
  /** Tells if the IDL has a message of a full name, with or without members. */
  hasMessage(name: string): boolean;
  /** Returns the kinds in IDL order: by group version, and there by name. */
  kinds(): readonly KindSchema[];
  kindsOf(group: string, version: string): readonly KindSchema[];
  groupVersions(): readonly { readonly group: string; readonly version: string }[];
}

const metaPackage = "k8s.io.apimachinery.pkg.apis.meta.v1";

/** A registry over a precompiled IDL. `descriptions` is called once, when a description is first asked for. */
export class TableRegistry implements SchemaRegistry {
  readonly #table: SchemaTable;
  readonly #builder: SchemaBuilder;
  readonly #indexByName = new Map<string, number>();
  readonly #kindsByPath = new Map<string, KindSchema>();
  readonly #byGroupVersion = new Map<string, KindSchema[]>();
  readonly #metaKinds = new Map<string, KindSchema>();

  constructor(table: SchemaTable, descriptions: () => DescriptionTable) {
    this.#table = table;
    for (const [index, message] of table.messages.entries()) {
      this.#indexByName.set(fullName(table, message), index);
    }
    let texts: DescriptionTable | undefined;
    this.#builder = new SchemaBuilder(table, this.#indexOf(`${metaPackage}.TypeMeta`), (message, member) => {
      texts ??= descriptions();
      return texts[message]?.[member] ?? "";
    });
    for (const [index, message] of table.messages.entries()) {
      const kind = this.#kindOf(index, message);
      if (kind !== undefined) {
        this.#add(kind, table.packages[message[0]]?.[0] === metaPackage);
      }
    }
  }

  kindSchema(group: string, version: string, kind: string): KindSchema | undefined {
    const own = this.#kindsByPath.get(`${group}/${version}/${kind}`);
    if (own !== undefined) {
      return own;
    }
    const meta = this.#metaKinds.get(kind);
    // Copied without spreading: the schema stays unbuilt until it is looked at.
    return meta === undefined
      ? undefined
      : Object.create(meta, { group: { value: group }, version: { value: version } });
  }

  messageSchema(name: string): ObjectSchema {
    return this.#objectAt(this.#indexOf(name));
  }

  hasMessage(name: string): boolean {
    return this.#indexByName.has(name);
  }

  kinds(): readonly KindSchema[] {
    return [...this.#kindsByPath.values()];
  }

  kindsOf(group: string, version: string): readonly KindSchema[] {
    return this.#byGroupVersion.get(`${group}/${version}`) ?? [];
  }

  groupVersions(): readonly { readonly group: string; readonly version: string }[] {
    return this.#table.packages.flatMap(([, group, version]) =>
      group === undefined || version === undefined ? [] : [{ group, version }],
    );
  }

  /** Returns the kind of a message; undefined for one that cannot stand at the top of a document. */
  #kindOf(index: number, message: MessageRow): KindSchema | undefined {
    const [packageIndex, name, , , fields, lifecycle] = message;
    const [packageName, group, version] = this.#table.packages[packageIndex] ?? [""];
    const isWatchEvent = packageName === metaPackage && name === "WatchEvent";
    if ((lifecycle === undefined && !isWatchEvent) || group === undefined || version === undefined) {
      return undefined;
    }
    const metadata = fields.find((field) => field[0] === "metadata")?.[1];
    const isMetadata = (kind: string): boolean => metadata === this.#indexByName.get(`${metaPackage}.${kind}`);
    const schema = (): ObjectSchema => this.#objectAt(index);
    return {
      group,
      version,
      kind: name,
      get schema() {
        return schema();
      },
      isList: metadata !== undefined && isMetadata("ListMeta") && fields.some((field) => field[0] === "items"),
      hasObjectMeta: metadata !== undefined && isMetadata("ObjectMeta"),
      ...lifecycleOf(lifecycle ?? {}),
    };
  }

  #add(kind: KindSchema, isMeta: boolean): void {
    const groupVersion = `${kind.group}/${kind.version}`;
    this.#kindsByPath.set(`${groupVersion}/${kind.kind}`, kind);
    if (isMeta) {
      this.#metaKinds.set(kind.kind, kind);
    }
    const siblings = this.#byGroupVersion.get(groupVersion) ?? [];
    siblings.push(kind);
    this.#byGroupVersion.set(groupVersion, siblings);
  }

  #indexOf(name: string): number {
    const index = this.#indexByName.get(name);
    if (index === undefined) {
      throw new RangeError(`the IDL has no message ${name}`);
    }
    return index;
  }

  #objectAt(index: number): ObjectSchema {
    const found = this.#builder.object(index);
    if (found === undefined) {
      throw new RangeError(`message ${index} has no members in JSON`);
    }
    return found;
  }
}

function lifecycleOf(row: KindRow): Pick<KindSchema, "introduced" | "deprecated" | "removed" | "replacement"> {
  return { introduced: row.i, deprecated: row.d, removed: row.x, replacement: toGroupVersionKind(row.r) };
}

/** Parses a kind in the form `apps/v1 Deployment`, `v1 Pod`. */
function toGroupVersionKind(text: string | undefined): GroupVersionKind | undefined {
  if (text === undefined) {
    return undefined;
  }
  const [apiVersion = "", kind = ""] = text.split(" ");
  return { ...groupVersionOf(apiVersion), kind };
}

// Filled on first use and never changed afterwards: importing the package costs nothing until a schema is needed.
let builtin: SchemaRegistry | undefined;

/** The registry of the built-in IDL. */
export function schemaRegistry(): SchemaRegistry {
  builtin ??= new TableRegistry(
    JSON.parse(schemaTable) as SchemaTable,
    () => JSON.parse(descriptionTable) as DescriptionTable,
  );
  return builtin;
}

/** Returns a kind of the built-in registry; see `SchemaRegistry.kindSchema`. */
export function kindSchema(group: string, version: string, kind: string): KindSchema | undefined {
  return schemaRegistry().kindSchema(group, version, kind);
}

/** Returns a message of the built-in registry; see `SchemaRegistry.messageSchema`. */
export function messageSchema(name: string): ObjectSchema {
  return schemaRegistry().messageSchema(name);
}
