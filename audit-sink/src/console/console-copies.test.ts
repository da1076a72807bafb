import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { pageModule } from "./page-modules.test.support.js";

const { shellQuote } = await pageModule<typeof import("../../console/src/detail/shell-quote.js")>("detail/shell-quote");
const { kubectlCommand } =
  await pageModule<typeof import("../../console/src/detail/kubectl-command.js")>("detail/kubectl-command");
const { csvField } = await pageModule<typeof import("../../console/src/export/csv.js")>("export/csv");

const words = [
  "plain",
  "two words",
  "it's",
  "$(id) `id` $HOME",
  'a"b',
  "-x",
  "",
  "line\nbreak",
  "\u001b[201~",
  "a\u202eb",
  "\\",
  "!!",
  "ü€",
];
for (const word of words) {
  test(`a shell reads a quoted text as it was: ${JSON.stringify(word)}`, () => {
    const command = `LC_ALL=C.UTF-8; printf %s ${shellQuote(word)}`;
    assert.equal(spawnSync("bash", ["-c", command], { encoding: "utf8" }).stdout, word);
    assert.doesNotMatch(shellQuote(word), /[\p{Cc}\p{Cf}]/u);
  });
}

const web = { apiGroup: "apps", resource: "deployments", namespace: "shop", name: "web" };
const uri = "/apis/apps/v1/namespaces/shop/deployments/web";
const commands: readonly [string, object, string | undefined][] = [
  ["a get", { verb: "get", objectRef: web, requestURI: uri }, "kubectl get deployments.apps web --namespace=shop"],
  [
    "a list with selectors",
    { verb: "list", objectRef: { resource: "pods" }, requestURI: "/api/v1/pods?labelSelector=app%3Dit%27s&limit=500" },
    "kubectl get pods --all-namespaces --selector='app=it'\\''s'",
  ],
  [
    "a watch",
    { verb: "watch", objectRef: { resource: "pods", namespace: "shop" }, requestURI: "/api/v1/pods?watch=1" },
    "kubectl get pods --namespace=shop --watch",
  ],
  [
    "a creation, impersonated and tried only",
    {
      verb: "create",
      objectRef: { resource: "configmaps", namespace: "shop" },
      requestURI: "/api/v1/namespaces/shop/configmaps?dryRun=All",
      impersonatedUser: { username: "jane doe", groups: ["dev"] },
      requestObject: { kind: "ConfigMap" },
    },
    `printf %s '{"kind":"ConfigMap"}' | kubectl create --namespace=shop --dry-run=server --as='jane doe' --as-group=dev --filename=-`,
  ],
  [
    "a patch of a built-in kind",
    { verb: "patch", objectRef: web, requestURI: uri, requestObject: { spec: { replicas: 2 } } },
    `kubectl patch deployments.apps web --namespace=shop --type=strategic --patch='{"spec":{"replicas":2}}'`,
  ],
  [
    "a JSON patch of a subresource",
    { verb: "patch", objectRef: { ...web, subresource: "status" }, requestURI: uri, requestObject: [] },
    "kubectl patch deployments.apps web --namespace=shop --subresource=status --type=json --patch='[]'",
  ],
  [
    "a server-side apply",
    {
      verb: "patch",
      objectRef: web,
      requestURI: `${uri}?fieldManager=helm&force=true`,
      requestObject: { apiVersion: "apps/v1", kind: "Deployment" },
    },
    `printf %s '{"apiVersion":"apps/v1","kind":"Deployment"}' | kubectl apply --server-side --namespace=shop --filename=- --field-manager=helm --force-conflicts`,
  ],
  [
    "a deletion of a collection",
    { verb: "deletecollection", objectRef: { resource: "pods", namespace: "shop" }, requestURI: "/api/v1/pods" },
    "kubectl delete pods --all --namespace=shop",
  ],
  ["a path that is no resource", { verb: "get", requestURI: "/version?x='" }, "kubectl get --raw='/version?x='\\'''"],
  ["a name like a flag", { verb: "get", objectRef: { resource: "pods", name: "--kubeconfig=x" } }, undefined],
  ["a write without its body", { verb: "create", objectRef: web, requestURI: uri }, undefined],
];
for (const [name, event, command] of commands) {
  test(`the kubectl command of ${name} is ${command === undefined ? "not offered" : "written for a shell"}`, () => {
    assert.equal(kubectlCommand(event), command);
  });
}

const cells: readonly [string, string][] = [
  ["plain", '"plain"'],
  ['say "hi", please', '"say ""hi"", please"'],
  ["=HYPERLINK(1)", `"'=HYPERLINK(1)"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1", `"'\t=1"`],
  ["  =1", `"'  =1"`],
  ["＝1", `"'＝1"`],
  ["a=b", '"a=b"'],
];
for (const [text, field] of cells) {
  test(`a cell of an exported table is text for every spreadsheet: ${JSON.stringify(text)}`, () => {
    assert.equal(csvField(text), field);
  });
}
