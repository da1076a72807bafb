import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { readWebhookCredentials } from "./read-webhook-credentials.js";
import { WebhookCredentials } from "./webhook-credentials.js";

const token = (name: string) => ({ authorization: { kind: "token", token: name } as const });

test("users are found by host and port, by ever less of the name, without 443, and at last by a star", () => {
  const names = ["a.n.svc:443", "*.n.svc:8443", "*.m.svc", "*"];
  const credentials = new WebhookCredentials(new Map(names.map((name) => [name, token(name)])), token("current"));
  const found = (hostPort: string) => {
    const { authorization } = credentials.for(hostPort);
    return authorization?.kind === "token" ? authorization.token : undefined;
  };
  assert.equal(found("a.n.svc:443"), "a.n.svc:443");
  assert.equal(found("b.n.svc:8443"), "*.n.svc:8443");
  assert.equal(found("b.m.svc:443"), "*.m.svc");
  assert.equal(found("b.m.svc:444"), "*");
  assert.equal(found("n.svc:8443"), "*");
  assert.deepEqual(new WebhookCredentials(new Map(), token("current")).for("x:1"), token("current"));
  assert.deepEqual(new WebhookCredentials(new Map()).for("x:1"), {});
});

const configuration = (kubeConfigFile: string) => ({
  subject: "webhooks.yaml",
  folder: "/",
  content: {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "WebhookAdmissionConfiguration",
    kubeConfigFile,
  },
});

test("the users of the kubeconfig that is named are who we may be", async () => {
  const folder = await mkdtemp(join(tmpdir(), "webhook-credentials-"));
  try {
    const file = join(folder, "kubeconfig");
    await writeFile(
      file,
      [
        "apiVersion: v1",
        "kind: Config",
        "users:",
        "- {name: 'hook.example.com:8443', user: {token: abc}}",
        "- {name: me, user: {username: u, password: p}}",
        "contexts: [{name: c, context: {user: me, cluster: x}}]",
        "current-context: c",
      ].join("\n"),
    );
    const credentials = await readWebhookCredentials(configuration(file));
    assert.deepEqual(credentials.for("hook.example.com:8443"), token("abc"));
    const { content, ...rest } = configuration(file);
    const older = { ...content, apiVersion: "apiserver.config.k8s.io/v1alpha1", kind: "WebhookAdmission" };
    const same = await readWebhookCredentials({ ...rest, content: older });
    assert.deepEqual(same.for("hook.example.com:8443"), token("abc"));
    assert.deepEqual(credentials.for("other:1"), {
      authorization: { kind: "basic", username: "u", password: "p" },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the file must be named by an absolute path", async () => {
  await assert.rejects(
    readWebhookCredentials(configuration("kubeconfig")),
    (error) => error instanceof ConfigurationError && error.message.includes('"kubeconfig" must be an absolute path'),
  );
});
