// Secrets for tokens of service accounts that are there, are others by now, or are none.
import { send } from "../life-cycles/steps.mjs";
import { subjectOf } from "../life-cycles/subjects.mjs";
import { erase, look, make, makeNamespace, merge, world } from "./steps.mjs";

const accountKind = { apiVersion: "v1", kind: "ServiceAccount", plural: "serviceaccounts" };
const secretKind = { apiVersion: "v1", kind: "Secret", plural: "secrets" };
const tokenType = "kubernetes.io/service-account-token";
const annotation = (what) => `kubernetes.io/service-account.${what}`;
const base64 = (text) => Buffer.from(text).toString("base64");
const nobody = "00000000-0000-0000-0000-000000000000";

/** Draws the steps of a world. */
export function tokenSteps(r, base) {
  const accounts = ["a0", "a1"].map((key) => subjectOf(accountKind, { key, base: key, namespace: base }));
  const secrets = ["s0", "s1", "s2"].map((key) => subjectOf(secretKind, { key, base: key, namespace: base }));
  const parts = { accounts, secrets, namespace: `/api/v1/namespaces/${base}` };
  return world({
    made: [
      makeNamespace(base),
      ...accounts.filter(() => r.chance(0.8)).map((one) => makeAccount(r, one)),
      ...secrets.filter(() => r.chance(0.8)).map((one) => makeSecret(r, one)),
    ],
    actions: Array.from({ length: 3 + r.int(4) }, () => action(r, parts)),
    readable,
    looks: (label) => [
      ...accounts.map((one) => look(one, label)),
      ...secrets.flatMap((one) => [
        { ...look(one, label), save: { [`${one.key}token`]: "data.token" } },
        { ...review(one), label: `${label}: review of ${one.key}` },
      ]),
    ],
  });
}

function makeAccount(r, subject) {
  const names = r.some(["s0", "s1", "s2", "other"], 0.4);
  return make(subject, {
    ...(r.chance(0.5) && { secrets: names.map((name) => ({ name })) }),
    ...(r.chance(0.2) && { imagePullSecrets: [{ name: "s0" }] }),
  });
}

function makeSecret(r, subject) {
  return make(subject, {
    type: r.chance(0.92) ? tokenType : r.pick(["Opaque", "example.com/x"]),
    metadata: {
      annotations: {
        [annotation("name")]: r.pick(["a0", "a0", "a0", "a1", "a1", "absent"]),
        ...(r.chance(0.4) && { [annotation("uid")]: r.pick(["$a0uid", "$a0uid", "$a1uid", nobody, ""]) }),
        ...(r.chance(0.2) && { other: "x" }),
      },
      ...(r.chance(0.1) && { finalizers: ["example.com/held"] }),
    },
    ...(r.chance(0.4) && { data: data(r) }),
    ...(r.chance(0.05) && { immutable: true }),
  });
}

const data = (r) => ({
  ...(r.chance(0.4) && { "ca.crt": base64(r.pick(["", "wrong"])) }),
  ...(r.chance(0.4) && { namespace: base64(r.pick(["", "elsewhere"])) }),
  ...(r.chance(0.4) && { token: base64(r.pick(["", "no token", "a.b.c"])) }),
  ...(r.chance(0.3) && { more: base64("x") }),
});

function action(r, { accounts, secrets, namespace }) {
  const account = r.pick(accounts);
  const secret = r.pick(secrets);
  // It stays, as no controller ends it.
  if (r.chance(0.06)) return send("DELETE", namespace);
  return r.pick([
    () => erase(r, account),
    () => erase(r, account),
    () => erase(r, secret),
    () => makeAccount(r, account),
    () => makeSecret(r, secret),
    () => merge(account.path, { secrets: r.some(["s0", "s1", "s2"]).map((name) => ({ name })) }),
    () =>
      merge(secret.path, { data: r.pick([data(r), null, { token: null }, { "ca.crt": null }, { namespace: null }]) }),
    () =>
      merge(secret.path, { metadata: { annotations: { [annotation("uid")]: r.pick([null, "", "$a1uid", nobody]) } } }),
    () =>
      merge(secret.path, { metadata: { annotations: { [annotation("name")]: r.pick([null, "a0", "a1", "absent"]) } } }),
    () => merge(secret.path, { metadata: { finalizers: r.pick([[], ["example.com/held"]]) } }),
  ])();
}

/** Returns a secret whose texts can be read, and whose token is shown by its header and claims. */
function readable(secret) {
  if (secret.data === undefined) return secret;
  const texts = Object.entries(secret.data).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]);
  const { token, ...rest } = Object.fromEntries(texts);
  return { ...secret, data: { ...rest, ...(token !== undefined && { token: parts(token) }) } };
}

function parts(token) {
  try {
    return token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  } catch {
    return [token];
  }
}

/** Asks whose token a secret holds. */
const review = ({ key }) =>
  send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", (saved) => ({
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenReview",
    spec: { token: Buffer.from(saved[`${key}token`] ?? "bm9uZQ==", "base64").toString() },
  }));
