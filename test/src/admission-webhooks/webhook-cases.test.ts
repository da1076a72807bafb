import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { withoutAdmission } from "../support/admission-flags.js";
import { startTestServer } from "../support/start-test-server.js";
import { refusedWireCases } from "./cases/wire.js";
import { cases } from "./cases.js";
import { HookServers } from "./hook-server.js";
import { readRecording } from "./recording.js";
import { runCase } from "./run-case.js";
import { create, type WebhookCase } from "./webhook-case.js";

const recorded = readRecording();

let server: ControlPlane;
let hooks: HookServers;

before(async () => {
  // APIServices of definitions that are gone would be told to the hooks of the next case. The recorded kube-apiserver had no
  // controller of namespaces either, which may end one between two requests of a case.
  const controllers = "--controllers=*,-bootstrap-roles,-kube-apiserver-autoregistration,-namespace-controller";
  const betaReviews = "--runtime-config=authentication.k8s.io/v1beta1=true";
  server = await startTestServer({ flags: [withoutAdmission, controllers, betaReviews] });
  hooks = await HookServers.start();
});

after(async () => {
  await hooks[Symbol.asyncDispose]();
  await server.stop();
});

test("a redirect is not followed, other than in v1.29: nobody has configured where it leads", async () => {
  const redirecting: WebhookCase = {
    name: "redirect",
    webhooks: [
      { type: "validating", name: "v", hook: () => ({ status: 307, headers: { location: "/elsewhere" }, body: "" }) },
    ],
    requests: [create("a")],
  };
  const { answers, calls } = await runCase({ client: server.client, settleMs: 10 }, hooks, redirecting, "redirect");
  const message =
    'failed calling webhook "v.example.com": failed to call webhook: the server responded with the status code 307 but did not return more information';
  assert.deepEqual(
    answers.map(({ code, body }) => [code, (body as { message: string }).message]),
    [[500, `Internal error occurred: ${message}`]],
  );
  assert.deepEqual(
    calls.map(({ path }) => path),
    ["/v?timeout=10s"],
  );
});

for (const [index, item] of refusedWireCases.entries()) {
  test(`no answer, other than in v1.29: ${item.name}`, async () => {
    const outcome = await runCase({ client: server.client, settleMs: 10 }, hooks, item, `refused${index}`);
    const told = outcome.answers.map(({ code, body }) => [code, (body as { message?: string }).message?.slice(0, 48)]);
    const failed = "Internal error occurred: failed calling webhook ";
    // By what a webhook of each type fails and is ignored.
    assert.deepEqual(told, [
      [500, failed],
      [201, undefined],
      [500, failed],
      [201, undefined],
    ]);
  });
}

for (const [index, item] of cases.entries()) {
  test(`as v1.29: ${item.name}`, async () => {
    const outcome = await runCase({ client: server.client, settleMs: 10 }, hooks, item, `case${index}`);
    assert.deepEqual(outcome, recorded[item.name]);
    // What webhooks receive is the same to the order of its members.
    assert.equal(JSON.stringify(outcome.calls), JSON.stringify(recorded[item.name]?.calls));
  });
}
