import assert from "node:assert/strict";
import { test } from "node:test";
import { readIdl } from "../../idl-compiler/dist/read-idl.js";
import { toDescriptionTable, toSchemaTable } from "../../idl-compiler/dist/write-table.js";
import { toTypesIndex, toTypesModules } from "../../idl-compiler/dist/write-types.js";
import { TableRegistry } from "./registry.js";

const meta = {
  name: "meta.v1",
  text: `syntax = "proto2";
package k8s.io.apimachinery.pkg.apis.meta.v1;
option (idl.group_version) = {group: "meta.k8s.io", version: "v1"};
message ListMeta {}
message ObjectMeta {
  optional string name = 1;
}
message Time {
  option (idl.wire) = TIME;
  optional int64 seconds = 1;
}
message TypeMeta {
  // What kind of object this is.
  optional string kind = 1;
  optional string apiVersion = 2;
}
`,
};

const shop = {
  name: "shop.v1",
  text: `syntax = "proto2";
package example.shop.v1;
option (idl.group_version) = {group: "shop.example.com", version: "v1"};
option (idl.enum) = {name: "Size", values: ["Small", "Large"]};
option (idl.enum) = {name: "Colour", values: ["Red"], open: true};

// Something to
// wear.
//
// Hangs in a wardrobe.
message Shirt {
  option (idl.kind) = {introduced: "1.2", replacement: "shop.example.com/v2 Shirt"};

  optional k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta metadata = 1;
  // How large it is.
  optional string size = 3 [(idl.field) = {required: true, named: "Size", default: "Small"}];
  optional string colour = 2 [json_name = "color", (idl.field) = {named: "Colour"}];
  repeated Button buttons = 4 [(idl.field) = {list: MAP, keys: "hole", patch: MERGE, merge_key: "hole"}];
  map<string, int32> stock = 5 [(idl.field) = {map: ATOMIC, default: "{\\"left\\":1}"}];
  optional Fabric fabric = 6 [(idl.field) = {inline: true}];
  optional k8s.io.apimachinery.pkg.apis.meta.v1.Time soldAt = 7;
}
message Button {
  optional int32 hole = 1 [(idl.field) = {pointer: true, minimum: 1, gate: "Buttons"}];
}
message Fabric {
  option (idl.map) = ATOMIC;
  optional string thread = 1;
}
`,
};

const files = readIdl([meta, shop]);
const registry = new TableRegistry(toSchemaTable(files), () => toDescriptionTable(files));

test("comments become descriptions, an empty line between paragraphs", () => {
  const shirt = registry.messageSchema("example.shop.v1.Shirt");
  assert.equal(shirt.description, "Something to wear.\n\nHangs in a wardrobe.");
  assert.equal(shirt.properties.get("size")?.description, "How large it is.");
  assert.equal(shirt.properties.get("kind")?.description, "What kind of object this is.");
  assert.equal(shirt.properties.get("stock")?.description, "");
});

test("options become members of the schema", () => {
  const kind = registry.kindSchema("shop.example.com", "v1", "Shirt");
  assert.equal(kind?.introduced, "1.2");
  assert.deepEqual(kind.replacement, { group: "shop.example.com", version: "v2", kind: "Shirt" });
  const { properties } = kind.schema;
  assert.deepEqual(
    [...properties.keys()],
    ["kind", "apiVersion", "metadata", "size", "color", "buttons", "stock", "thread", "soldAt"],
  );
  const size = properties.get("size");
  assert.equal(size?.required, true);
  assert.equal(size.default, "Small");
  assert.equal(size.namedType, "example.shop.v1.Size");
  assert.deepEqual(size.schema, { type: "scalar", scalar: "string", enum: ["Small", "Large"] });
  assert.deepEqual(properties.get("color")?.schema, { type: "scalar", scalar: "string", enum: undefined });
  assert.deepEqual(properties.get("stock")?.default, { left: 1 });
  const buttons = properties.get("buttons");
  assert.equal(buttons?.schema.type === "list" && buttons.schema.listType, "map");
  assert.deepEqual(buttons?.patchStrategy, ["merge"]);
  const hole = registry.messageSchema("example.shop.v1.Button").properties.get("hole");
  assert.deepEqual(hole?.schema, { type: "scalar", scalar: "int32", enum: undefined, minimum: 1 });
});

test("messages become interfaces, documented and with inlined members inherited", () => {
  const modules = toTypesModules(files);
  const text = modules.find((module) => module.namespace === "shopV1")?.text ?? "";
  assert.ok(text.includes('export type Size = "Small" | "Large";'));
  assert.ok(text.includes('export type Colour = "Red" | (string & {});'));
  assert.ok(text.includes("export interface Shirt extends Fabric {\n"));
  assert.ok(text.includes(" * Something to wear.\n *\n * Hangs in a wardrobe.\n"));
  assert.ok(text.includes('  kind?: "Shirt";\n  apiVersion?: "shop.example.com/v1";\n'));
  assert.ok(text.includes("  /** How large it is. */\n  size: Size;\n"));
  assert.ok(text.includes("  color?: Colour;\n"));
  assert.ok(text.includes("  soldAt?: metaV1.Time | null;\n"));
  assert.ok(text.includes("  /** Feature gate: Buttons. */\n  hole?: number;\n"));
  assert.ok(toTypesIndex(modules).includes('export type * as shopV1 from "./shop-v1.js";'));
});

test("a name that leads nowhere is an error", () => {
  const broken = { name: "x.v1", text: 'syntax = "proto2";\npackage x.v1;\nmessage A { optional Missing b = 1; }\n' };
  assert.throws(() => readIdl([broken]), /x\.v1 refers to Missing, which no file defines/);
});
