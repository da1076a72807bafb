import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiClient } from "../../spec/support/api-client.js";
import { withoutAdmission } from "../../support/admission-flags.js";
import { startTestServer } from "../../support/start-test-server.js";
import { checkCreate, checkCreateRefusals, checkDryRun } from "./check-create.js";
import { checkDelete, checkDeleteCollection, namesOf } from "./check-delete.js";
import { checkPatches } from "./check-patch.js";
import { checkRead } from "./check-read.js";
import { checkScale } from "./check-scale.js";
import { checkStatus } from "./check-status.js";
import { checkUpdate, checkUpdateRules } from "./check-update.js";
import { checkWatch } from "./check-watch.js";
import { storeFilledObjects } from "./filled-objects.js";
import { samples } from "./samples.js";
import { announcedResources } from "./served-resources.js";
import { createSubject, current, metaOf, nameOf } from "./subject.js";

export interface EveryKindOptions {
  /** Flags of the server. */
  readonly flags: readonly string[];
  readonly allFeatures: boolean;
}

/** Flags that leave one controller on: nobody else writes while objects are compared. Flow control writes conditions. */
const quiet = ["--controllers=system-namespaces-controller", "--enable-priority-and-fairness=false"];

/** Objects in which every member is set: nothing may get lost on the way out, whatever the encoding. */
export function testFilledObjects({ flags, allFeatures }: EveryKindOptions): void {
  test("every kind, filled", async (t) => {
    await using server = await startTestServer({ flags: [...quiet, withoutAdmission, ...flags] });
    const filled = await storeFilledObjects(server, allFeatures);
    using client = createApiClient(server.clientConfig);
    for (const { subject, object } of filled) {
      const { apiVersion, kind } = subject.resource;
      await t.test(`${apiVersion} ${kind} is read in every representation, as it is stored`, async () => {
        const name = nameOf(object);
        const restarted = { ...subject, client };
        const { resourceVersion } = metaOf(await current(restarted, name));
        const metadata = { ...metaOf(object), resourceVersion };
        const expected = subject.canonical({ ...object, metadata });
        assert.deepEqual(await current(restarted, name), expected);
        await checkRead(restarted, [name]);
      });
    }
  });
}

/** Every resource that can be created: what discovery announces is what is tested. */
export function testEveryKind({ flags, allFeatures }: EveryKindOptions): void {
  test("every kind", async (t) => {
    await using server = await startTestServer({ flags: [...quiet, withoutAdmission, ...flags] });
    using client = createApiClient(server.clientConfig);
    const announced = await announcedResources(client);
    const stored = announced.filter(({ verbs }) => verbs.includes("create") && verbs.includes("get"));
    const missing = stored.filter(({ apiVersion, kind }) => !samples.has(`${apiVersion} ${kind}`));
    assert.deepEqual(missing, [], "every kind that is served has a sample");
    for (const resource of stored) {
      const name = `${resource.apiVersion} ${resource.kind}`;
      const sample = samples.get(name);
      assert.ok(sample !== undefined);
      await t.test(name, async (t) => {
        const subject = await createSubject({ client, resource, sample, allFeatures });
        const names: string[] = [];
        await t.test("is created in every encoding", async () => {
          names.push(...namesOf(await checkCreate(subject)));
        });
        if (names.length === 0) {
          return;
        }
        const [first = "", second = ""] = names;
        const { subresources } = resource;
        await t.test("is not created twice or wrongly", async () => {
          await checkCreateRefusals(subject, (await client.get(subject.path(first))).document as never);
        });
        await t.test("is created in a dry run only seemingly", () => checkDryRun(subject));
        await t.test("is read in every representation", () => checkRead(subject, names));
        if (subresources.includes("status")) {
          await t.test("has a status apart", () => checkStatus(subject, names));
        }
        await t.test("is updated in every encoding", () => checkUpdate(subject, names));
        await t.test("is updated by the rules of its kind", () => checkUpdateRules(subject, first));
        await t.test("is patched in every way", () => checkPatches(subject, second));
        await t.test("is read in every representation after all changes", () => checkRead(subject, names));
        if (subresources.includes("scale")) {
          await t.test("is scaled", () => checkScale(subject, first));
        }
        await t.test("is watched", () => checkWatch(subject, server.clientConfig));
        if (resource.verbs.includes("deletecollection")) {
          await t.test("is deleted by label", () => checkDeleteCollection(subject, names));
        }
        await t.test("is deleted", () => checkDelete(subject, first));
      });
    }
  });
}
