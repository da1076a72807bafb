import assert from "node:assert/strict";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { decodeJwt } from "jose";
import {
  ended,
  execInfo,
  nearItsEnd,
  type PluginRun,
  type PluginUnderTest,
  preparePlugin,
} from "./plugin-run.test.support.js";
import { clientSecret, startTestProvider, type TestProvider } from "./provider.test.support.js";

let provider: TestProvider;
let plugin: PluginUnderTest;
const stderrOfAll: string[] = [];

before(async () => {
  provider = await startTestProvider();
});
after(async () => await provider[Symbol.asyncDispose]());
beforeEach(async () => {
  plugin = await preparePlugin(provider);
  provider.grants.length = 0;
});
afterEach(async () => {
  await plugin[Symbol.asyncDispose]();
  provider.onToken = undefined;
  for (const secret of provider.secrets) {
    assert.equal(
      stderrOfAll.some((text) => text.includes(secret)),
      false,
      "a secret was printed to standard error",
    );
  }
});

const kubectl = ["--client-id=kubectl"];

/** Resolves when the condition holds; rejects after a minute. */
async function until(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !condition(); ) {
    assert.ok(performance.now() < end, "the condition did not come to hold");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function run(...args: Parameters<PluginUnderTest["run"]>): Promise<PluginRun> {
  const outcome = await plugin.run(...args);
  stderrOfAll.push(outcome.stderr);
  return outcome;
}

/** The token of an answer. */
async function tokenOf(...args: Parameters<PluginUnderTest["run"]>): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout).status.token;
}

/** Returns the text on standard error of a run that gives no credential. */
async function refusal(...args: Parameters<PluginUnderTest["run"]>): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  return stderr;
}

test("a person logs in with a browser, and the answer is an ID token that was verified", async () => {
  for (const version of ["v1", "v1beta1"]) {
    const { code, stdout, stderr } = await run(kubectl, { info: execInfo(true, version) });
    assert.equal(code, 0, stderr);
    const answer = JSON.parse(stdout);
    const claims = decodeJwt(answer.status.token);
    assert.equal(claims.sub, "alice");
    assert.equal(claims.aud, "kubectl");
    const renewAt = new Date(((claims.exp ?? 0) - 60) * 1000).toISOString();
    assert.ok(Math.abs(Date.parse(answer.status.expirationTimestamp) - Date.parse(renewAt)) <= 1000);
    assert.deepEqual(answer, {
      kind: "ExecCredential",
      apiVersion: `client.authentication.k8s.io/${version}`,
      spec: { interactive: true },
      status: { expirationTimestamp: answer.status.expirationTimestamp, token: answer.status.token },
    });
  }
  assert.deepEqual(provider.grants, ["authorization_code"]);
});

test("what is kept is for its owner alone, and is not believed when others could have changed it", async () => {
  await tokenOf(kubectl);
  assert.equal((await stat(plugin.cacheFolder)).mode & 0o777, 0o700);
  const [name = "", ...others] = await readdir(plugin.cacheFolder);
  assert.deepEqual(others, []);
  const path = join(plugin.cacheFolder, name);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await chmod(path, 0o622);
  await tokenOf(kubectl);
  assert.deepEqual(provider.grants, ["authorization_code", "authorization_code"]);
  await writeFile(path, "half of it");
  await tokenOf(kubectl);
  assert.equal(provider.grants.length, 3);
});

test("a person logs in with a browser elsewhere, by a code", async () => {
  const { code, stdout, stderr } = await run([...kubectl, "--grant=device-code"]);
  assert.equal(code, 0, stderr);
  assert.equal(decodeJwt(JSON.parse(stdout).status.token).sub, "alice");
  assert.match(
    stderr,
    /^To log in, open this address in any browser:\n {2}https:\/\/127\.0\.0\.1:\d+\/device\nand enter the code:\n {2}[A-Z]{4}-[A-Z]{4}\n\(or, with the code in it: https:\/\/127\.0\.0\.1:\d+\/device\?user_code=[A-Z]{4}-[A-Z]{4}\)\n$/,
  );
  await plugin.changeCached(ended);
  await tokenOf([...kubectl, "--grant=device-code"], { info: execInfo(false) });
  assert.equal(provider.grants.at(-1), "refresh_token");
});

test("nobody who logs in is waited for without end", async () => {
  const flags = [...kubectl, "--login-timeout=1s", "--user=nobody-at-the-browser"];
  assert.match(await refusal(flags), /\ngatehouse-credential-oidc: nobody has logged in in time\n$/);
});

test("a client logs in as itself, with its secret from a file or a variable, and needs no person", async () => {
  const robot = ["--client-id=robot", "--grant=client-credentials", "--scopes=email"];
  const env = { GATEHOUSE_OIDC_CLIENT_SECRET: clientSecret };
  const info = execInfo(false);
  const token = await tokenOf(robot, { env, info });
  assert.equal(await tokenOf(robot, { env, info }), token);
  assert.deepEqual(provider.grants, ["client_credentials"]);
  assert.match(
    await refusal([...robot, "--user=other"], { env: { GATEHOUSE_OIDC_CLIENT_SECRET: "wrong" }, info }),
    /^gatehouse-credential-oidc: logging in: the provider answered 401 invalid_client\n$/,
  );
});

test("a token that is near its end is refreshed, without a person", async () => {
  await tokenOf(kubectl);
  await plugin.changeCached(nearItsEnd);
  assert.equal(decodeJwt(await tokenOf(kubectl, { info: execInfo(false) })).sub, "alice");
  assert.deepEqual(provider.grants, ["authorization_code", "refresh_token"]);
  // The provider rotates: what was refreshed can be refreshed again.
  await plugin.changeCached(ended);
  await tokenOf(kubectl, { info: execInfo(false) });
  assert.deepEqual(provider.grants, ["authorization_code", "refresh_token", "refresh_token"]);
});

test("a token that cannot be refreshed is used until its end, and the provider is left in peace meanwhile", async () => {
  const token = await tokenOf(kubectl);
  await plugin.changeCached(nearItsEnd);
  let asked = 0;
  provider.onToken = async (context) => {
    asked++;
    context.status = 503;
    context.body = "out of order";
  };
  const { stdout, stderr } = await run(kubectl, { info: execInfo(false) });
  assert.equal(stderr, "");
  const { status } = JSON.parse(stdout);
  assert.equal(status.token, token);
  assert.ok(Date.parse(status.expirationTimestamp) - Date.now() <= 20_000);
  assert.equal(await tokenOf(kubectl), token);
  assert.equal(asked, 1);
  await plugin.changeCached((entry) => {
    ended(entry);
    delete entry.failure;
  });
  assert.match(
    await refusal(kubectl),
    /^gatehouse-credential-oidc: refreshing the token: unexpected HTTP response status code \(503\)\n$/,
  );
});

test("a new refresh token is kept, also when the ID token that came with it is refused", async () => {
  await tokenOf(kubectl);
  await plugin.changeCached(ended);
  provider.onToken = async (context, next) => {
    await next();
    const answer: { id_token: string } = Object(context.body);
    answer.id_token = `${answer.id_token.slice(0, -20)}${"A".repeat(20)}`;
  };
  assert.equal(
    await refusal(kubectl, { info: execInfo(false) }),
    "gatehouse-credential-oidc: the ID token of the provider is not valid: signature verification failed\n",
  );
  provider.onToken = undefined;
  await tokenOf(kubectl, { info: execInfo(false) });
  assert.deepEqual(provider.grants, ["authorization_code", "refresh_token", "refresh_token"]);
});

test("when the provider takes the refresh token no more, somebody must log in", async () => {
  await tokenOf(kubectl);
  await plugin.changeCached((entry) => {
    ended(entry);
    entry.kept = { refreshToken: "of-yesterday", subject: "alice" };
  });
  assert.equal(
    await refusal(kubectl, { info: execInfo(false) }),
    "gatehouse-credential-oidc: somebody must log in, but nobody is at a terminal: run a command such as `kubectl auth whoami` in one\n",
  );
  await tokenOf(kubectl);
  assert.deepEqual(provider.grants, ["authorization_code", "refresh_token", "authorization_code"]);
});

test("ten that start at once cause one refresh", async () => {
  await tokenOf(kubectl);
  await plugin.changeCached(ended);
  provider.grants.length = 0;
  const runs = await Promise.all(Array.from({ length: 10 }, () => plugin.start(kubectl).ended));
  assert.deepEqual(
    runs.map(({ code, stderr }) => ({ code, stderr })),
    runs.map(() => ({ code: 0, stderr: "" })),
  );
  assert.equal(new Set(runs.map(({ stdout }) => stdout)).size, 1);
  assert.deepEqual(provider.grants, ["refresh_token"]);
});

test("kill -9 of the one that refreshes leaves the others to do it", async () => {
  await tokenOf(kubectl);
  await plugin.changeCached(ended);
  provider.grants.length = 0;
  let asked = 0;
  let askedFirst = (): void => {};
  const first = new Promise<void>((resolve) => {
    askedFirst = resolve;
  });
  provider.onToken = async (_, next) => {
    if (asked++ === 0) {
      askedFirst();
      await victim.ended;
      return;
    }
    await next();
  };
  const victim = plugin.start(kubectl);
  await first;
  const others = Array.from({ length: 3 }, () => plugin.start(kubectl).ended);
  victim.child.kill("SIGKILL");
  for (const { code, stderr } of await Promise.all(others)) {
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  }
  assert.equal(asked, 2);
  assert.deepEqual(
    (await readdir(plugin.cacheFolder)).filter((name) => !name.endsWith(".json")),
    [],
  );
});

test("those that wait for one that fails fail with it, and do not ask again", async () => {
  await tokenOf(kubectl);
  await plugin.changeCached(ended);
  let asked = 0;
  const waits = "Another process asks for the same credential; waiting for it.\n";
  provider.onToken = async (context) => {
    asked++;
    await until(() => started.filter(({ stderr }) => stderr() === waits).length === 3);
    context.status = 400;
    context.body = { error: "temporarily_unavailable", error_description: "closed \u001b[31m for today" };
  };
  const started = Array.from({ length: 4 }, () => plugin.start(kubectl, execInfo(true)));
  const runs = await Promise.all(started.map(({ ended }) => ended));
  const message =
    "gatehouse-credential-oidc: refreshing the token: the provider answered temporarily_unavailable (closed [31m for today)\n";
  assert.deepEqual(
    runs.sort((one, other) => one.stderr.length - other.stderr.length),
    ["", waits, waits, waits].map((before) => ({ code: 1, stdout: "", stderr: before + message })),
  );
  assert.equal(asked, 1);
});

test("logout forgets the login, and the provider forgets its refresh token", async () => {
  await tokenOf(kubectl);
  let entry = "";
  await plugin.changeCached((cached) => {
    entry = JSON.stringify(cached);
  });
  assert.deepEqual(await run(["logout", ...kubectl]), { code: 0, stdout: "", stderr: "Logged out.\n" });
  assert.deepEqual(await readdir(plugin.cacheFolder), []);
  assert.deepEqual(await run(["logout", ...kubectl]), { code: 0, stdout: "", stderr: "There was no login.\n" });
  await tokenOf(kubectl);
  await plugin.changeCached((cached) => {
    Object.assign(cached, JSON.parse(entry));
    ended(cached);
  });
  assert.match(await refusal(kubectl, { info: execInfo(false) }), /somebody must log in/);
});

test("users of one machine keep their logins apart, and a login as somebody else is refused", async () => {
  await tokenOf(kubectl);
  await tokenOf([...kubectl, "--user=alice@example.com"]);
  assert.match(
    await refusal([...kubectl, "--user=bob"]),
    /\ngatehouse-credential-oidc: somebody else than bob has logged in \(--user\)\n$/,
  );
  assert.deepEqual(provider.grants, ["authorization_code", "authorization_code", "authorization_code"]);
});

test("an issuer that differs by a slash is refused before anybody logs in", async () => {
  assert.equal(
    await refusal([...kubectl, `--issuer-url=${provider.issuer}/`]),
    `gatehouse-credential-oidc: the provider calls itself ${provider.issuer}; --issuer-url must be exactly that\n`,
  );
  assert.deepEqual(provider.grants, []);
});

test("a provider that cannot be reached, or is not trusted, is told of", async () => {
  assert.equal(
    await refusal([...kubectl, "--issuer-url=https://127.0.0.1:1"]),
    "gatehouse-credential-oidc: asking https://127.0.0.1:1 what it can do: the provider cannot be reached (no connection to 127.0.0.1 port 1 (ECONNREFUSED))\n",
  );
  const foreign = await startTestProvider();
  await using _ = foreign;
  assert.match(
    await refusal([...kubectl, `--issuer-url=${foreign.issuer}`]),
    /the provider cannot be reached \(.*trusted.*\)\n$/,
  );
});

test("wrong flags are told all at once", async () => {
  const robot = [
    "--grant=client-credentials",
    "--issuer-url=http://a",
    "--extra-parameters=state=1",
    "--proxy-url=ftp://b",
  ];
  assert.equal(
    await refusal([...robot, "--ca-file=/nowhere/ca.crt"]),
    `gatehouse-credential-oidc: flags: 6 problems:
  - --issuer-url: must be an https URL without query and fragment
  - --client-id: is required
  - --extra-parameters: state is not for others to set
  - --client-secret-file: is required for client-credentials
  - --ca-file: /nowhere/ca.crt cannot be read (ENOENT)
  - --proxy-url: must be a URL such as http://proxy.example.com:3128
`,
  );
});

test("setup writes a user that runs the plugin with the same flags, and leaves the rest alone", async () => {
  const kubeconfig = join(plugin.cacheFolder, "..", "kubeconfig");
  const before = `# Mine.
apiVersion: v1
kind: Config
clusters:
- name: home # small
  cluster:
    server: https://127.0.0.1:6443
contexts:
- name: admin
  context: {cluster: home, user: admin}
current-context: admin
users:
- name: admin
  user: {token: t}
`;
  await writeFile(kubeconfig, before, { mode: 0o600 });
  const flags = [...kubectl, "--scopes=openid,email", "--login-timeout=90s", `--kubeconfig=${kubeconfig}`];
  assert.deepEqual(await run(["setup", ...flags, "--user-name=me", "--use"]), {
    code: 0,
    stdout: "",
    stderr: `Wrote user me and context me@home to ${kubeconfig}.\n`,
  });
  const [issuer = "", ca = "", cache = "", openBrowser = ""] = plugin.flags;
  const args = [
    issuer,
    "--client-id=kubectl",
    ca,
    "--scopes=openid",
    "--scopes=email",
    "--login-timeout=1m30s",
    openBrowser,
    cache,
  ];
  assert.equal(
    await readFile(kubeconfig, "utf8"),
    `# Mine.
apiVersion: v1
kind: Config
clusters:
- name: home # small
  cluster:
    server: https://127.0.0.1:6443
contexts:
- name: admin
  context: { cluster: home, user: admin }
- name: me@home
  context:
    cluster: home
    user: me
current-context: me@home
users:
- name: admin
  user: { token: t }
- name: me
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: gatehouse-credential-oidc
      args:
${args.map((text) => `      - ${text}\n`).join("")}      env:
      - name: KUBERNETES_EXEC_INFO
        value: '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}}'
      installHint: "Install it with: npm install --global @gatehouse/credential-plugins"
      interactiveMode: IfAvailable
      provideClusterInfo: false
`,
  );
  assert.match(
    await refusal(["setup", ...flags, "--cluster=away"]),
    /there is no cluster away; name one of its clusters\n$/,
  );
});
