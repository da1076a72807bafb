import { setTimeout as sleep } from "node:timers/promises";
import type { ServedWebhook } from "./served-webhook.js";
import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";
import type { StallTarget } from "./stall-target.js";

const json = { "content-type": "application/json" };
const configurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const configMaps = `/api/v1/namespaces/${stallNamespace}/configmaps`;
/** Labels of the objects that are sent to the webhook; others are not. */
const labels = { "stall.example.com/reviewed": "yes" };
/** Maximum number of creates until the server calls a new webhook; it answers 201 before, since the object is valid. */
const attempts = 500;
const pauseMs = 10;

/** Writes whose webhook answers with as much as it may, or with more. */
export const webhookRequests: readonly StallRequest[] = [
  answered("15 MB of message", () => `"status":{"message":"${"x".repeat(15_000_000)}"}`),
  answered("9 MB of message", () => `"status":{"message":"${"x".repeat(9_000_000)}"}`),
  answered("8 MB of message", () => `"status":{"message":"${"x".repeat(8_000_000)}"}`),
  answered("90,000 audit annotations", () => `"auditAnnotations":{${list(90_000, '"k#":"v"')}}`),
  answered("70,000 warnings", () => `"warnings":[${list(70_000, `"${"w".repeat(60)}#"`)}]`),
  answered("120,000 members that nobody knows", () => `"unknown":{${list(120_000, '"k#":0')}}`),
  patched("a value of 5 MB", () => `{"op":"add","path":"/data","value":{"k":"${"x".repeat(5_000_000)}"}}`),
  patched("90,000 members", () => `{"op":"add","path":"/data","value":{${list(90_000, '"k#":"v"')}}}`),
  patched("9,900 members, and a failure at the end", () => {
    return `${list(9_900, '{"op":"add","path":"/metadata/annotations/a#","value":"v"}')},{"op":"remove","path":"/x"}`;
  }),
];

function patched(what: string, makeOperations: () => string): StallRequest {
  return answered(`a patch of ${what}`, () => {
    const patch = Buffer.from(`[${makeOperations()}]`).toString("base64");
    return `"patchType":"JSONPatch","patch":"${patch}"`;
  });
}

/** `makeRest` makes the members of the response beside `uid` and `allowed`. */
function answered(what: string, makeRest: () => string): StallRequest {
  return {
    name: `webhook: answers with ${what}`,
    prepare() {
      const rest = makeRest();
      const isDenied = rest.startsWith('"status"');
      return async (target) => {
        let calls = 0;
        await using webhook = await target.serveWebhook((uid) => {
          calls++;
          const response = `{"uid":"${uid}","allowed":${!isDenied},${rest}}`;
          return `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":${response}}`;
        });
        return await withConfiguration(target, webhook, async () => {
          for (let attempt = 0; attempt < attempts; attempt++) {
            const status = await create(target);
            if (calls > 0) {
              return status;
            }
            await sleep(pauseMs);
          }
          return "the webhook was not asked";
        });
      };
    },
  };
}

function create(target: StallTarget): Promise<string> {
  const metadata = { name: "reviewed", labels, annotations: { a: "" } };
  const body = Buffer.from(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata }));
  return target.send({ method: "POST", path: `${configMaps}?dryRun=All`, headers: json, body });
}

async function withConfiguration(
  target: StallTarget,
  { clientConfig }: ServedWebhook,
  ask: () => Promise<string>,
): Promise<string> {
  const name = "stall.example.com";
  const webhook = {
    name,
    clientConfig,
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
    objectSelector: { matchLabels: labels },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    timeoutSeconds: 30,
  };
  const body = Buffer.from(
    JSON.stringify({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name },
      webhooks: [webhook],
    }),
  );
  await target.send({ method: "POST", path: configurations, headers: json, body });
  try {
    return await ask();
  } finally {
    await target.send({ method: "DELETE", path: `${configurations}/${name}` });
  }
}

function list(count: number, item: string): string {
  return repeated(count, `${item},`).slice(0, -1);
}
