import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openAdmission } from "@gatehouse/apiserver/server";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { builtinPlugins } from "../admission-plugins/index.js";
import { testParts } from "../admission-plugins/plugin.test.support.js";

/** An AdmissionConfiguration, and the result of reading it. */
interface Row {
  readonly what: string;
  /**
   * The result of a start of kube-apiserver with it; it accepts some that Gatehouse refuses, and refuses none that
   * Gatehouse accepts.
   */
  readonly "v1.29": "taken" | "refused";
  /** Plugins that are on. */
  readonly plugins: readonly string[];
  readonly document: string;
  /** The message of Gatehouse; null for none. */
  readonly says: string | null;
}

const rows = JSON.parse(
  readFileSync(new URL("../../src/assembly/admission-configurations.json", import.meta.url), "utf8"),
) as readonly Row[];

const folder = await mkdtemp(join(tmpdir(), "gatehouse-admission-configuration-"));
after(() => rm(folder, { recursive: true }));

for (const { what, "v1.29": verdict, plugins, document, says } of rows) {
  test(`of the configuration of admission, this is ${says === null ? "taken" : "told with its path"}: ${what}`, async () => {
    const configFile = join(folder, "admission.yaml");
    await writeFile(configFile, document);
    const parts = testParts();
    const chosen = builtinPlugins.filter(({ name }) => plugins.includes(name));
    const otherNames = builtinPlugins.map(({ name }) => name);
    const opened = openAdmission({ plugins: chosen, otherNames, configFile }, parts);
    const told = await opened.then(
      () => null,
      (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        return error.message.replaceAll(configFile, "FILE").replaceAll(folder, "FOLDER");
      },
    );
    assert.equal(told, says);
    assert.ok(says !== null || verdict === "taken", "v1.29 does not start with it");
  });
}
