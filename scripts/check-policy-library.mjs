// Proves the policies of policies/library/cel on a kube-apiserver: applies one policy after the other, sends each of its
// cases as a dry run, and compares verdict, message, reason and warnings. A tool for people who change the library; CI runs
// the same cases on our own engine. It changes the server, which must have nothing else to do:
//   ../shared/oracle/start.sh DIR PORT --authorization-mode=AlwaysAllow --disable-admission-plugins=ServiceAccount \
//     --feature-gates=ValidatingAdmissionPolicy=true,ProcMountType=true --allow-privileged=true \
//     --runtime-config=admissionregistration.k8s.io/v1beta1=true
//   node scripts/check-policy-library.mjs KUBECONFIG [PART-OF-A-FILE-NAME]
// Audit annotations and costs cannot be seen by a client; they are not compared.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import { readPolicyCases } from "@gatehouse/policies/policy-cases";

const library = fileURLToPath(new URL("../policies/library/cel/", import.meta.url));
const [kubeconfig, only = ""] = process.argv.slice(2);
if (kubeconfig === undefined) {
  throw new Error("usage: node scripts/check-policy-library.mjs KUBECONFIG [PART-OF-A-FILE-NAME]");
}

/** Writes of this user are seen by no policy: the objects that cases find there. */
const seeder = { username: "seeder", groups: ["system:masters"] };
const notTheSeeder = { name: "is-not-the-seeder", expression: "request.userInfo.username != 'seeder'" };

/** How long policies and parameters may take to have effect; API servers look once in a second. */
const patienceMs = 8_000;

const client = createHttpClient({ config: await loadKubeconfig(kubeconfig) });

async function send(method, path, { body, user } = {}) {
  if (user?.groups?.length > 1) {
    throw new Error("users of several groups cannot be impersonated: the client sends each header once");
  }
  const headers = {
    ...(body && { "content-type": "application/json" }),
    ...(user?.username && { "impersonate-user": user.username }),
    ...(user?.groups?.length && { "impersonate-group": user.groups[0] }),
  };
  const answer = await client.request({
    method,
    path,
    headers,
    ...(body && { body: JSON.stringify(body) }),
    signal: new AbortController().signal,
    timeoutMs: 30_000,
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.body.toString() || "{}") };
}

/** Sends a request that must be answered with one of the statuses. */
async function must(method, path, options, statuses = [200, 201]) {
  const answer = await send(method, path, options);
  if (!statuses.includes(answer.status)) {
    throw new Error(`${method} ${path}: ${answer.status} ${answer.body.message}`);
  }
  return answer.body;
}

const resources = new Map();

/** Returns the resource of a kind, as the server tells it. */
async function resourceOf({ apiVersion, kind }) {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  if (!resources.has(root)) {
    resources.set(root, (await must("GET", root)).resources);
  }
  const found = resources.get(root).find((resource) => resource.kind === kind && !resource.name.includes("/"));
  if (found === undefined) {
    throw new Error(`the server has no kind ${kind} of ${apiVersion}`);
  }
  return { root, name: found.name, namespaced: found.namespaced };
}

async function collectionOf(object, namespace) {
  const { root, name, namespaced } = await resourceOf(object);
  return namespaced ? `${root}/namespaces/${namespace ?? "default"}/${name}` : `${root}/${name}`;
}

/** Creates an object, or replaces what is there. */
async function put(object, namespace, user) {
  const collection = await collectionOf(object, namespace);
  const created = await send("POST", collection, { body: object, user });
  if (created.status === 409) {
    await must("PUT", `${collection}/${object.metadata.name}`, { body: object, user });
  } else if (created.status !== 201) {
    throw new Error(`${object.kind} ${object.metadata.name}: ${created.status} ${created.body.message}`);
  }
}

async function remove(object, namespace) {
  const path = `${await collectionOf(object, namespace)}/${object.metadata.name}?gracePeriodSeconds=0`;
  await must("DELETE", path, { user: seeder }, [200, 202, 404]);
}

/** Returns the object that a request about a scale or the like is found by. */
function seedOf({ oldObject, resource, subResource }) {
  if (subResource !== "scale") {
    return oldObject;
  }
  const kind = { deployments: "Deployment", statefulsets: "StatefulSet" }[resource.split(".")[0]];
  const labels = { app: "scaled" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a:1" }] } };
  const spec = { ...oldObject.spec, selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind, metadata: oldObject.metadata, spec };
}

async function answerTo(given) {
  const seed = given.oldObject && seedOf(given);
  const collection = await collectionOf(seed ?? given.object, given.namespace);
  const user = given.userInfo;
  if (seed === undefined) {
    return await send("POST", `${collection}?dryRun=All`, { body: given.object, user });
  }
  const path = [`${collection}/${seed.metadata.name}`, ...(given.subResource ? [given.subResource] : [])].join("/");
  return given.object === undefined
    ? await send("DELETE", `${path}?dryRun=All`, { user })
    : await send("PUT", `${path}?dryRun=All`, { body: given.object, user });
}

/** Returns the texts of the header Warning that are of policies. */
function policyWarnings({ headers }) {
  const all = [headers.warning ?? []].flat().join(", ");
  return [...all.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]
    .map(([, text]) => text.replaceAll(/\\(.)/g, "$1"))
    .filter((text) => text.includes("ValidatingAdmissionPolicy"));
}

/** Returns how an answer differs from the expectation. */
function differences(answer, { allowed, first = {}, warnings = [] }) {
  const isAllowed = answer.status < 300;
  const [, message] = /denied request: (.*)$/s.exec(answer.body.message ?? "") ?? [];
  const compare = (what, expected, actual) =>
    JSON.stringify(expected) === JSON.stringify(actual)
      ? []
      : [`${what}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`];
  return [
    ...(isAllowed === allowed ? [] : [`allowed: expected ${allowed}, was ${isAllowed}: ${answer.body.message}`]),
    ...(first.message === undefined ? [] : compare("message", first.message, message ?? answer.body.message)),
    ...(first.reason === undefined ? [] : compare("reason", first.reason, answer.body.reason)),
    ...compare("warnings", warnings, policyWarnings(answer)),
  ];
}

/** Sends the request of a case until the answer is as expected, or patience ends. Returns the differences. */
async function runCase({ given, expect }) {
  if (given.namespaceObject) {
    await put(given.namespaceObject, undefined, seeder);
  } else if (given.namespace !== undefined && given.namespace !== "default") {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: given.namespace } };
    await must("POST", "/api/v1/namespaces", { body: namespace, user: seeder }, [201, 409]);
  }
  const seed = given.oldObject && seedOf(given);
  const isSystems = seed?.kind === "Namespace";
  if (seed && !isSystems) {
    await remove(seed, given.namespace);
    await must("POST", await collectionOf(seed, given.namespace), { body: seed, user: seeder });
  }
  const end = Date.now() + patienceMs;
  let found;
  do {
    found = differences(await answerTo(given), expect);
  } while (found.length > 0 && Date.now() < end && (await delay(200, true)));
  if (seed && !isSystems) {
    await remove(seed, given.namespace);
  }
  return found;
}

/** Cases that show whether the policy has effect come first. */
const showsEffect = ({ expect }) => !expect.allowed || (expect.warnings ?? []).length > 0;

async function runPolicy(documents, cases) {
  const [policy, binding, ...params] = documents;
  const { paramRef } = binding.spec;
  const conditions = [...(policy.spec.matchConditions ?? []), notTheSeeder];
  await put({ ...policy, spec: { ...policy.spec, matchConditions: conditions } });
  await put(binding);
  const paramsOf = ({ given }) =>
    given.params?.map((object) => ({ apiVersion: "v1", kind: "ConfigMap", ...object })) ?? params;
  const groups = new Map();
  for (const item of cases) {
    const key = JSON.stringify(paramsOf(item));
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const failures = [];
  for (const group of groups.values()) {
    for (const object of paramsOf(group[0])) {
      const metadata = { name: paramRef.name, namespace: paramRef.namespace };
      await put({ ...object, metadata }, paramRef.namespace, seeder);
    }
    if (paramRef && paramsOf(group[0]).length === 0) {
      await must("DELETE", `/api/v1/namespaces/${paramRef.namespace}/configmaps/${paramRef.name}`, {}, [200, 404]);
    }
    for (const item of [...group.filter(showsEffect), ...group.filter((one) => !showsEffect(one))]) {
      const found = await runCase(item);
      failures.push(...found.map((text) => `${item.file}: ${item.path}: ${item.name}: ${text}`));
    }
  }
  await remove(binding);
  await remove(policy);
  return failures;
}

async function documentsOf(file) {
  return (await parseYamlDocuments(readFileSync(join(library, file), "utf8"))).map(({ value }) => value);
}

let count = 0;
let failed = 0;
const files = readdirSync(library, { recursive: true })
  .filter((file) => file.endsWith(".yaml") && !file.includes("cases") && file.includes(only))
  .sort();
for (const file of files) {
  const documents = await documentsOf(file);
  const caseFile = file.replace(/([^/]+)$/, "cases/$1");
  const contents = await documentsOf(caseFile);
  const { cases, problems } = readPolicyCases(
    contents.map((content) => ({ file: caseFile, content })),
    { policies: new Set([documents[0].metadata.name]), definitions: new Set() },
  );
  const failures = problems.map(({ path, text }) => `${caseFile}: ${path}: ${text}`);
  failures.push(...(await runPolicy(documents, cases).catch((error) => [`${file}: ${error.message}`])));
  count += cases.length;
  failed += failures.length;
  console.log(`${failures.length === 0 ? "ok" : "not ok"} ${file} (${cases.length} cases)`);
  for (const failure of failures) {
    console.log(`  ${failure}`);
  }
}
console.log(`${files.length} policies, ${count} cases, ${failed} failures`);
process.exitCode = failed > 0 ? 1 : 0;
client[Symbol.dispose]();
