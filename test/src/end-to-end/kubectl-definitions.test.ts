import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";
import type { KubectlShell } from "../support/kubectl-shell.js";
import { until } from "../support/until.js";
import { waitEstablished } from "../support/wait-established.js";

/** A definition as people write it; every test has a group of its own. */
function crontabs(group: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.${group}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, categories: [${group.replaceAll(".", "-")}]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: Spec, type: string, jsonPath: .spec.cronSpec, description: The schedule.}
    schema:
      openAPIV3Schema:
        type: object
        description: A table of jobs.
        properties:
          spec:
            type: object
            description: What runs when.
            properties:
              cronSpec: {type: string, description: The schedule.}
              replicas: {type: integer}
`;
}

function crontab(group: string, name: string): string {
  return `apiVersion: ${group}/v1
kind: CronTab
metadata: {name: ${name}}
spec: {cronSpec: "* * * * */5", replicas: 1}
`;
}

async function install(shell: KubectlShell, group: string): Promise<void> {
  assert.equal(
    await shell.ok("kubectl create -f -", crontabs(group)),
    `customresourcedefinition.apiextensions.k8s.io/crontabs.${group} created\n`,
  );
  assert.equal(
    await waitEstablished(shell, `crd/crontabs.${group}`),
    `customresourcedefinition.apiextensions.k8s.io/crontabs.${group} condition met\n`,
  );
}

await describeKubectl("kubectl and definitions of custom resources", (matrix) => {
  matrix.test(
    "a definition is made, its objects are made, shown and removed, and it goes with them",
    modern("every"),
    async ({ shell, namespace }) => {
      const group = `${namespace}.example.com`;
      await install(shell, group);
      assert.equal(await shell.ok("kubectl create -f -", crontab(group, "a")), `crontab.${group}/a created\n`);
      assert.equal(await shell.ok("kubectl create -f -", crontab(group, "b")), `crontab.${group}/b created\n`);
      assert.equal(
        await shell.ok(`kubectl get crontabs.${group}`),
        "NAME   SPEC\na      * * * * */5\nb      * * * * */5\n",
      );
      assert.equal(
        await shell.ok(`kubectl get ${group.replaceAll(".", "-")} -o name`),
        `crontab.${group}/a\ncrontab.${group}/b\n`,
      );
      assert.equal(await shell.ok(`kubectl delete crontab.${group} a`), `crontab.${group} "a" deleted\n`);
      assert.equal(
        await shell.ok(`kubectl delete crd crontabs.${group}`),
        `customresourcedefinition.apiextensions.k8s.io "crontabs.${group}" deleted\n`,
      );
      // kubectl remembers for a while what there was.
      const stderr = await shell.fails(`kubectl get --raw /apis/${group}/v1`);
      assert.match(stderr, /NotFound|404 page not found|could not find the requested resource/);
    },
  );

  matrix.test(
    "a definition is explained and listed among the resources",
    modern("every"),
    async ({ shell, namespace }) => {
      const group = `${namespace}.example.com`;
      await install(shell, group);
      const explained = await shell.ok(`kubectl explain crontabs.spec --api-version=${group}/v1`);
      assert.match(explained, /KIND: +CronTab\nVERSION: +/);
      assert.match(explained, /What runs when\./);
      assert.match(explained, /cronSpec\t<string>\n +The schedule\.\n/);
      assert.match(
        await shell.ok(`kubectl api-resources --api-group=${group} --no-headers`),
        new RegExp(`^crontabs +${group}/v1 +true +CronTab\n$`),
      );
      assert.match(await shell.ok("kubectl api-versions"), new RegExp(`^${group}/v1$`, "m"));
      await shell.ok(`kubectl delete crd crontabs.${group}`);
    },
  );

  matrix.test("what is wrong with a definition is told in v1.29's words", "chosen", async ({ shell, namespace }) => {
    const group = `${namespace}.example.com`;
    const wrong = crontabs(group).replace("type: integer", "type: number, minimum: 1, pattern: '['");
    assert.equal(
      await shell.fails("kubectl create -f -", wrong.replace("plural: crontabs", "plural: Crontabs")),
      `The CustomResourceDefinition "crontabs.${group}" is invalid: \n` +
        `* metadata.name: Invalid value: "crontabs.${group}": must be spec.names.plural+"."+spec.group\n` +
        `* spec.names.plural: Invalid value: "Crontabs": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n` +
        `* spec.validation.openAPIV3Schema.properties[spec].properties[replicas].pattern: Invalid value: "[": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: \`[\`\n`,
    );
  });

  matrix.test("a definition with held objects waits, and says what for", "newest", async ({ shell, namespace }) => {
    const group = `${namespace}.example.com`;
    await install(shell, group);
    await shell.ok(
      "kubectl create -f -",
      crontab(group, "held").replace("{name: held}", "{name: held, finalizers: [example.com/x]}"),
    );
    await shell.ok(`kubectl delete crd crontabs.${group} --wait=false`);
    const condition = `kubectl get crd crontabs.${group} -o jsonpath='{.status.conditions[?(@.type=="Terminating")].message}'`;
    await until("it says so", async () => (await shell.ok(condition)) === "CustomResource deletion is in progress");
    await shell.ok(`kubectl patch crontab.${group} held --type=merge -p '{"metadata":{"finalizers":null}}'`);
    await shell.ok(`kubectl wait --for=delete crd/crontabs.${group} --timeout=60s`);
  });
});
