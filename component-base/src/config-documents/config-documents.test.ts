import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { jsonSchemaOf, schemaRegistry } from "@gatehouse/envelopes/schema";
import { Ajv } from "ajv";
import { ConfigurationError } from "../errors.js";
import { checkConfigDocument } from "./check-config-document.js";
import { documentValidator } from "./document-validator.js";
import { readConfigFile } from "./read-config-file.js";

const folder = await mkdtemp(join(tmpdir(), "config-documents-"));
after(() => rm(folder, { recursive: true }));

const group = "apiserver.config.k8s.io";
const admission = { group, version: "v1", kind: "AdmissionConfiguration" };
const apiVersion = `${group}/v1`;

async function problemsOf(content: JsonObject): Promise<readonly string[]> {
  try {
    await checkConfigDocument({ subject: "test.yaml", folder, content }, [admission]);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.problems.map(({ message }) => message);
  }
}

test("a document in YAML or JSON is read, with the folder that its file names start from", async () => {
  const path = join(folder, "a.yaml");
  await writeFile(
    path,
    `apiVersion: ${apiVersion}\nkind: AdmissionConfiguration\nplugins: [{name: X, path: x.yaml}]\n`,
  );
  const document = await readConfigFile(path);
  assert.deepEqual(document, {
    subject: path,
    folder,
    content: { apiVersion, kind: "AdmissionConfiguration", plugins: [{ name: "X", path: "x.yaml" }] },
  });
  assert.deepEqual(await checkConfigDocument(document, [admission]), document.content);
});

test("what is missing, unknown or of another type is told with its path, all at once", async () => {
  assert.deepEqual(
    await problemsOf({ apiVersion, kind: "AdmissionConfiguration", plugins: [{ path: 1, "a/b": true }], more: {} }),
    [
      "more: is not a member of this kind",
      "plugins[0].name: is required",
      "plugins[0].a/b: is not a member of this kind",
      "plugins[0].path: must be string",
    ],
  );
});

test("a document says what it is, and is nothing else", async () => {
  const wanted = `AdmissionConfiguration of ${apiVersion}`;
  assert.deepEqual(await problemsOf({}), [`apiVersion: is required: the document must be ${wanted}`]);
  assert.deepEqual(await problemsOf({ apiVersion: "v1", kind: "Pod" }), [`kind: "Pod" of "v1" is not ${wanted}`]);
});

test("a file that cannot be read, or holds no object, is told by its name", async () => {
  const text = join(folder, "text.yaml");
  await writeFile(text, "only text");
  const broken = join(folder, "broken.yaml");
  await writeFile(broken, "a: [secret");
  const missing = join(folder, "missing.yaml");
  await assert.rejects(readConfigFile(text), { message: `${text}: document: is not an object` });
  await assert.rejects(readConfigFile(missing), { message: `${missing}: file: cannot be read (ENOENT)` });
  await assert.rejects(readConfigFile(broken), (error: Error) => {
    assert.match(error.message, /broken\.yaml: document: is not valid YAML: /);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

const [anyKind = assert.fail()] = schemaRegistry().kindsOf(group, "v1");

for (const unknownMembers of ["refused", "allowed"] as const) {
  test(`the validator of a kind whose unknown members are ${unknownMembers} is compiled once`, async () => {
    const first = await documentValidator(anyKind, { unknownMembers });
    assert.equal(await documentValidator(anyKind, { unknownMembers }), first);
  });
}

// The validators are compiled without this, for the sake of time.
test("the schemas of all kinds are valid JSON schemas", () => {
  const ajv = new Ajv({ allowUnionTypes: true });
  for (const kind of schemaRegistry().kinds()) {
    assert.ok(ajv.validateSchema(jsonSchemaOf(kind)), `${kind.kind}: ${ajv.errorsText()}`);
  }
});
