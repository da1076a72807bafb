import type { Hook } from "../hook-server.js";
import { allow, answer, type CaseWebhook, configMaps, create, deny, patch, type WebhookCase } from "../webhook-case.js";

const both = (name: string, webhook: Omit<CaseWebhook, "type" | "name">): WebhookCase[] =>
  (["mutating", "validating"] as const).flatMap((type) =>
    ["Fail", "Ignore"].map((failurePolicy) => ({
      name: `${name} (${type}, ${failurePolicy})`,
      webhooks: [{ ...webhook, type, name: type[0] as string, more: { ...webhook.more, failurePolicy } }],
      requests: [create("a")],
    })),
  );

const hang: Hook = () => "hang";
/** A document of that text, with the status of success. */
const says =
  (body: string, headers: Record<string, string> = {}): Hook =>
  () => ({ status: 200, headers: { "content-type": "application/json", ...headers }, body });
const review = '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":';

/** Is there every other time. */
function flapping(): Hook {
  let calls = 0;
  return (asked) => (calls++ % 2 === 0 ? "reset" : allow()(asked));
}
const dryRun = "?dryRun=All";

/** Webhooks that cannot be asked, and dry runs. */
export const failingCases: readonly WebhookCase[] = [
  ...both("hangs", { hook: hang, more: { timeoutSeconds: 1 } }),
  ...both("resets the connection", { hook: () => "reset" }),
  ...both("nobody listens", { at: "NOBODY" }),
  ...both("certificate expired", { at: "EXPIRED", hook: allow() }),
  ...both("certificate of another name", { at: "OTHERNAME", hook: allow() }),
  ...both("answers 500", { hook: () => ({ status: 500, body: "broken" }) }),
  ...both("answers nonsense", { hook: () => ({ status: 200, body: "broken" }) }),
  ...both("answers nothing", { hook: says("") }),
  ...both("answers half a review", { hook: says(`${review}{"uid":`) }),
  ...both("answers something else", { hook: says("[1]", { "content-type": "text/plain" }) }),
  ...both("promises more than it sends", {
    hook: says(review, { "content-length": "1000" }),
    more: { timeoutSeconds: 1 },
  }),
  ...both("answers no response", { hook: says(`${review}null}`) }),
  ...both("lies about the uid", { hook: says(`${review}{"uid":"another","allowed":true}}`) }),
  ...both("tells no uid", { hook: says(`${review}{"allowed":true}}`) }),
  ...both("answers in another version", {
    hook: says(`${review.replace("v1", "v1beta1")}{"uid":"another","allowed":true}}`),
  }),
  ...both("answers two megabytes", {
    hook: (asked) => answer(asked, { allowed: true, status: { message: "x".repeat(2 * 1024 * 1024) } }),
  }),
  ...both("nobody has signed its certificate", {
    hook: allow(),
    more: { clientConfig: { url: "{GOOD}/any" } },
  }),
  ...(["mutating", "validating"] as const).flatMap((type) =>
    ["Fail", "Ignore"].map((failurePolicy) => ({
      name: `flaps (${type}, ${failurePolicy})`,
      webhooks: [{ type, name: type[0] as string, hook: flapping(), more: { failurePolicy } }],
      requests: ["a", "b", "c", "d"].map((name) => create(name)),
    })),
  ),
  ...both("denies", { hook: deny({ message: "no", code: 403 }) }),
  ...both("service that is not there", {
    more: { clientConfig: { service: { namespace: "{ns}", name: "gone", path: "/x" } } },
  }),
  {
    name: "service without that port",
    before: [
      {
        method: "POST",
        path: "/api/v1/namespaces/{ns}/services",
        body: { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } },
      },
    ],
    webhooks: [
      {
        type: "validating",
        name: "v",
        more: { clientConfig: { service: { namespace: "{ns}", name: "s", port: 444 } } },
      },
    ],
    requests: [create("a")],
  },
  {
    name: "service without an address",
    before: [
      {
        method: "POST",
        path: "/api/v1/namespaces/{ns}/services",
        body: {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "s" },
          spec: { clusterIP: "None", ports: [{ port: 443 }] },
        },
      },
    ],
    webhooks: [
      { type: "validating", name: "v", more: { clientConfig: { service: { namespace: "{ns}", name: "s" } } } },
    ],
    requests: [create("a")],
  },
  ...["None", "NoneOnDryRun"].map((sideEffects) => ({
    name: `dry run of a webhook with side effects ${sideEffects}`,
    webhooks: [{ type: "validating" as const, name: "v", hook: allow(), more: { sideEffects } }],
    requests: [create("a", {}, dryRun)],
  })),
  {
    name: "request with a timeout of its own",
    webhooks: [{ type: "validating", name: "v", hook: allow() }],
    requests: [create("a", {}, "?timeout=3s")],
  },
  {
    name: "request whose time is over under Ignore",
    webhooks: [{ type: "mutating", name: "m", hook: hang, more: { failurePolicy: "Ignore", timeoutSeconds: 5 } }],
    requests: [create("a", {}, "?timeout=1s")],
  },
  {
    name: "two that deny and one that fails open",
    webhooks: [
      { type: "validating", name: "va", hook: () => "reset", more: { failurePolicy: "Ignore" } },
      { type: "validating", name: "vb", hook: deny({ message: "b" }) },
    ],
    requests: [create("a")],
  },
  {
    name: "a mutating webhook that denies ends it all",
    webhooks: [
      { type: "mutating", name: "ma", hook: deny({ message: "a" }) },
      { type: "mutating", name: "mb", hook: patch([{ op: "add", path: "/data/b", value: "2" }]) },
      { type: "validating", name: "v", hook: allow() },
    ],
    requests: [create("a"), { method: "GET", path: `${configMaps}/a` }],
  },
  {
    name: "path with a slash at its end",
    webhooks: [{ type: "validating", name: "v", hook: allow() }],
    requests: [create("a")],
  },
];
