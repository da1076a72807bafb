#!/usr/bin/env node
// Starts v1.29's server and the server of this checkout (built), both on empty stores, with webhooks for tokens, access and the
// images of pods. The webhooks are those of the areas `token-webhook`, `authorization-webhook` and `image-policy`, which
// listen at the ports N + 12 and N + 13. Prints the environment and the flags for run.mjs.
//   node test/differential/start-with-identity-webhooks.mjs --oracle FOLDER --dir DIR --port N
//   node test/differential/start-with-identity-webhooks.mjs --oracle FOLDER --dir DIR --stop
// `--version v1beta1` is the version of reviews of tokens and access, `--modes Webhook,RBAC` the authorizers, `--anonymous false` and
// `--images allow` turn the usual settings over. `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's
// server; DIR is an absolute path. Uses the ports N to N + 13.
import { writeFileSync } from "node:fs";
import { auditPolicy, pluginsOff } from "./lib/policies/server-flags.mjs";
import { preparePair, printPair, startGatehouse, startOracle } from "./lib/server-pair.mjs";
import { selfSigned } from "./lib/webhook-reviews/stand-in.mjs";

/** Credentials of the servers at each webhook, as a kubeconfig has them. */
const users = {
  tokens: { token: "token-of-the-server" },
  access: { username: "server", password: "päss word" },
  images: {},
};

const pair = await preparePair(["audit-left.log", "audit-right.log"], {
  version: "v1",
  modes: "Webhook",
  anonymous: "true",
  images: "deny",
});
if (pair !== undefined) {
  await start(pair);
}

async function start({ file, port, left, right }) {
  const hook = selfSigned();
  writeFileSync(file("hook.key"), hook.key, { mode: 0o600 });
  writeFileSync(file("hook.crt"), hook.cert);
  writeFileSync(file("audit-policy.json"), JSON.stringify(auditPolicy));
  startOracle(pair, flagsOf("right", port + 13, pair));
  await startGatehouse(pair, flagsOf("left", port + 12, pair));
  console.log(`export AUDIT_LOGS=${file("audit-left.log")},${file("audit-right.log")}`);
  console.log(`export HOOKS=${file("hook.key")},${file("hook.crt")},${port + 12},${port + 13}`);
  printPair(left, right);
}

function flagsOf(side, hookPort, { file, flags }) {
  const kubeconfigs = Object.keys(users).map((name) => writeKubeconfig({ file, side, name, hookPort }));
  const [tokens, access, images] = kubeconfigs;
  const admission = file(`admission-${side}.json`);
  writeFileSync(admission, JSON.stringify(admissionConfiguration(images, flags.images === "allow")));
  return [
    `--authentication-token-webhook-config-file=${tokens}`,
    `--authentication-token-webhook-version=${flags.version}`,
    `--authorization-mode=${flags.modes}`,
    `--authorization-webhook-config-file=${access}`,
    `--authorization-webhook-version=${flags.version}`,
    `--anonymous-auth=${flags.anonymous}`,
    "--api-audiences=api,https://kubernetes.default.svc",
    "--enable-admission-plugins=ImagePolicyWebhook",
    `--disable-admission-plugins=${pluginsOff.join(",")}`,
    `--admission-control-config-file=${admission}`,
    `--audit-policy-file=${file("audit-policy.json")}`,
    `--audit-log-path=${file(`audit-${side}.log`)}`,
  ];
}

function writeKubeconfig({ file, side, name, hookPort }) {
  const cluster = { server: `https://127.0.0.1:${hookPort}/${name}`, "certificate-authority": file("hook.crt") };
  const path = file(`${name}-${side}.kubeconfig`);
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "hook", cluster }],
    users: [{ name: "server", user: users[name] }],
    contexts: [{ name: "hook", context: { cluster: "hook", user: "server" } }],
    "current-context": "hook",
  };
  writeFileSync(path, JSON.stringify(kubeconfig), { mode: 0o600 });
  return path;
}

function admissionConfiguration(kubeConfigFile, defaultAllow) {
  // Short delays: an answer that v1.29 asks for again is asked for five times.
  const imagePolicy = { kubeConfigFile, retryBackoff: 20, allowTTL: 60, denyTTL: 60, defaultAllow };
  return {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AdmissionConfiguration",
    plugins: [{ name: "ImagePolicyWebhook", configuration: { imagePolicy } }],
  };
}
