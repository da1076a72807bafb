import assert from "node:assert/strict";
import { describeKubectl } from "../support/kubectl-matrix.js";

/** `auth whoami` asks for a version that this server has from 1.28 on. */
const withWhoAmI = { of: "chosen", minor: 28 } as const;

await describeKubectl("kubectl and who is asking", (matrix) => {
  matrix.test("create token gives one that logs in", withWhoAmI, async (given) => {
    const { shell, server, namespace } = given;
    await shell.ok("kubectl create serviceaccount robot");
    const token = (
      await shell.ok("kubectl create token robot --duration=20m --audience=https://kubernetes.default.svc")
    ).trim();
    const asRobot = `kubectl --kubeconfig /dev/null --server ${server.url} --insecure-skip-tls-verify --token ${token}`;
    const user = `system:serviceaccount:${namespace}:robot`;
    assert.match(
      await shell.ok(`${asRobot} auth whoami -o jsonpath={.status.userInfo.username}`),
      new RegExp(`^${user}$`),
    );
    const bound = await shell.run("kubectl create token robot --bound-object-kind=Secret --bound-object-name=nope");
    assert.equal(bound.stderr, 'error: failed to create token: secrets "nope" not found\n');
    const short = await shell.run("kubectl create token robot --duration=1m");
    assert.equal(
      short.stderr,
      'error: failed to create token: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes\n',
    );
  });

  matrix.test("--as takes on another identity", withWhoAmI, async ({ shell }) => {
    const who = "auth whoami -o jsonpath='{.status.userInfo}'";
    const user = JSON.parse(
      await shell.ok(`kubectl --as=jürgen --as-group=a --as-group='b, c' --as-uid=7 ${who}`),
    ) as object;
    assert.deepEqual(user, { username: "jürgen", uid: "7", groups: ["a", "b, c", "system:authenticated"] });
    const account = await shell.ok(`kubectl --as=system:serviceaccount:a:b ${who}`);
    assert.deepEqual(JSON.parse(account), {
      username: "system:serviceaccount:a:b",
      groups: ["system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"],
    });
    const nobody = await shell.run("kubectl --as-group=a get namespaces");
    assert.match(nobody.stderr, /without impersonating a user/);
  });
});
