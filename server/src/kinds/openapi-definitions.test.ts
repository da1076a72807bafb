import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { definitionName, OpenApiSource } from "@gatehouse/apiserver/openapi";
import { schemaRegistry } from "@gatehouse/envelopes/schema";
import { builtinApi } from "./builtin-api.js";
import { factsMissing, readFactTable } from "./fact-tables.test.support.js";

interface FactField {
  readonly json: string | null;
  readonly type: string;
  readonly repeated: boolean;
  readonly map: { readonly key: string; readonly value: string } | null;
  readonly optional: boolean;
  readonly omitempty: boolean;
  readonly inline: boolean;
  readonly listType: string | null;
  readonly listMapKeys: readonly string[] | null;
  readonly mapType: string | null;
  readonly structType: string | null;
  readonly patchStrategy: string | null;
  readonly patchMergeKey: string | null;
  readonly default: unknown;
  readonly enumRef: string | null;
  readonly jsonSkip?: boolean;
  readonly protoOnly?: boolean;
}

interface FactMessage {
  readonly fields: readonly FactField[];
  readonly special?: string;
}

interface FactTable {
  readonly group: string | null;
  readonly version: string | null;
  readonly package: string;
  readonly messages: Readonly<Record<string, FactMessage>>;
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  readonly enumMarked?: readonly string[];
}

interface Definition {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Property>>;
}

interface Property {
  readonly [keyword: string]: unknown;
  readonly items?: Property;
}

/** Group versions that are read from the store and never served; the facts have no tables of them. */
const storedOnly = new Set(["apiextensions.v1beta1", "apiregistration.v1beta1"]);

const names = schemaRegistry()
  .groupVersions()
  // Files of configuration, which are JSON alone, have no tables.
  .filter(({ group, version }) => {
    const kinds = schemaRegistry().kindsOf(group, version);
    return kinds.length === 0 || kinds.some(({ schema }) => schema.hasProtobuf);
  })
  .map(({ group, version }) => {
    const short =
      group === "" ? "core" : group === "internal.apiserver.k8s.io" ? "apiserverinternal" : group.split(".")[0];
    return `${short}.${version}`;
  })
  .filter((name) => !storedOnly.has(name));

suite("OpenAPI of the built-in kinds", { skip: factsMissing }, () => {
  const tables = new Map<string, FactTable>();
  if (factsMissing === false) {
    for (const name of [...names, "version"]) {
      const table = readFactTable<FactTable>(`types/${name}.json`);
      tables.set(table.package, table);
    }
  }

  const messageOf = (type: string): FactMessage | undefined => {
    const dot = type.lastIndexOf(".");
    return tables.get(type.slice(0, dot))?.messages[type.slice(dot + 1)];
  };
  /** Members as they stand in JSON, those of inlined structs among them. */
  const membersOf = (message: FactMessage): FactField[] =>
    message.fields.flatMap((field) => {
      if (field.json !== null && !field.inline) {
        return field.jsonSkip === true || field.protoOnly === true ? [] : [field];
      }
      const inner = field.inline ? messageOf(field.type) : undefined;
      return inner === undefined ? [] : membersOf(inner);
    });
  const enumOf = (table: FactTable, ref: string): readonly string[] | undefined => {
    const dot = ref.lastIndexOf(".");
    const home = dot < 0 ? table : tables.get(ref.slice(0, dot));
    const name = ref.slice(dot + 1);
    const values = home?.enumMarked?.includes(name) === true ? home.enums?.[name] : undefined;
    // The table lacks the two values that the types of v1.29 take from another package.
    return name === "AddressType" && values !== undefined ? ["IPv4", "IPv6", ...values] : values;
  };

  const openapi3 = new Map<string, Definition>();
  const swagger = new Map<string, Definition>();
  let described: { readonly table: FactTable; readonly name: string; readonly message: FactMessage }[] = [];

  before(async () => {
    const documents = new OpenApiSource().documentsOf(builtinApi());
    for (const document of documents.openapi3.values()) {
      const { components } = JSON.parse((await document.json()).json.toString());
      for (const [name, definition] of Object.entries<Definition>(components.schemas ?? {})) {
        openapi3.set(name, definition);
      }
    }
    const { definitions } = JSON.parse((await documents.swagger.json()).json.toString());
    for (const [name, definition] of Object.entries<Definition>(definitions)) {
      swagger.set(name, definition);
    }
    described = [...tables.values()].flatMap((table) =>
      Object.entries(table.messages)
        .map(([name, message]) => ({ table, name: definitionName(`${table.package}.${name}`), message }))
        .filter(({ name, message }) => message.special === undefined && openapi3.has(name)),
    );
  });

  test("both versions define the same kinds", () => {
    assert.deepEqual([...openapi3.keys()].sort(), [...swagger.keys()].sort());
    assert.ok(described.length > 400, `${described.length} definitions are compared`);
  });

  test("required members are those of v1.29", () => {
    for (const { name, message } of described) {
      const expected = membersOf(message)
        .filter((field) => !field.optional && !field.omitempty)
        .map((field) => field.json);
      for (const definitions of [openapi3, swagger]) {
        assert.deepEqual([...(definitions.get(name)?.required ?? [])].sort(), expected.sort(), name);
      }
    }
  });

  test("properties and their markers are those of v1.29", () => {
    for (const { name, message } of described) {
      const members = membersOf(message);
      for (const definitions of [openapi3, swagger]) {
        const properties = definitions.get(name)?.properties ?? {};
        assert.deepEqual(Object.keys(properties), members.map((field) => field.json).sort(), name);
        for (const field of members) {
          const property = properties[field.json as string] ?? {};
          const where = `${name}.${field.json}`;
          assert.equal(property["x-kubernetes-list-type"], field.listType ?? undefined, where);
          assert.deepEqual(property["x-kubernetes-list-map-keys"], field.listMapKeys ?? undefined, where);
          assert.equal(property["x-kubernetes-map-type"], field.mapType ?? field.structType ?? undefined, where);
          assert.equal(property["x-kubernetes-patch-strategy"], field.patchStrategy ?? undefined, where);
          assert.equal(property["x-kubernetes-patch-merge-key"], field.patchMergeKey ?? undefined, where);
        }
      }
    }
  });

  test("enums are those of v1.29", () => {
    for (const { table, name, message } of described) {
      // Of the values of maps the fact tables say nothing.
      for (const field of membersOf(message).filter((member) => member.map === null)) {
        const values = field.enumRef === null ? undefined : enumOf(table, field.enumRef);
        for (const definitions of [openapi3, swagger]) {
          const property = definitions.get(name)?.properties?.[field.json as string];
          // v1.29 tells nothing of the items of a list, nor of the scope of a webhook's rule.
          const untold = values === undefined || field.repeated || field.enumRef?.endsWith("ScopeType") === true;
          assert.deepEqual(property?.["enum"], untold ? undefined : [...values].sort(), `${name}.${field.json}`);
          assert.equal(property?.items?.["enum"], undefined, `${name}.${field.json}`);
        }
      }
    }
  });

  /** Values that v1.29 gives for members that are always written. */
  const zeroValues: readonly unknown[] = ["", 0, false, {}];

  test("defaults are those of v1.29 in version 3, and none are in version 2", () => {
    for (const { name, message } of described) {
      for (const field of membersOf(message)) {
        const property = openapi3.get(name)?.properties?.[field.json as string];
        if (field.default !== null && field.default !== undefined) {
          assert.deepEqual(property?.["default"], field.default, `${name}.${field.json}`);
        } else if (property?.["default"] !== undefined) {
          assert.ok(
            zeroValues.some((zero) => isDeepStrictEqual(property["default"], zero)),
            `${name}.${field.json}`,
          );
        }
        assert.equal(swagger.get(name)?.properties?.[field.json as string]?.["default"], undefined);
      }
    }
  });
});
