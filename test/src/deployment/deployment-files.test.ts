import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { gatehouseScript } from "../support/programs.js";
import {
  deployFolder,
  execStartOf,
  readComposeFile,
  readImages,
  readUnit,
  type ServiceName,
  serviceNames,
  servicePorts,
  statefulServices,
} from "./deployment-files.js";

// What the files that people deploy with say must agree: images, compose, units. How they run is in deployment.test.ts,
// and kustomize has a test of its own.

const folder = mkdtempSync(join(tmpdir(), "gatehouse-deployment-files-"));
before(() => execFileSync(process.execPath, [gatehouseScript, "pki", `--directory=${folder}`]));
after(() => rmSync(folder, { recursive: true }));

const images = readImages();
const compose = readComposeFile();
const imageOf = (name: ServiceName) => images.get(`gatehouse-${name}`) ?? assert.fail(`no image of ${name}`);
const serviceOf = (name: string) => compose.services[`gatehouse-${name}`] ?? assert.fail(`no service ${name}`);

const credentialsOf = (name: ServiceName): string => `/run/gatehouse-${name}`;
const configOf = (name: ServiceName): string => `/etc/gatehouse/${name}`;
const stateOf = (name: ServiceName): string => `/var/lib/gatehouse-${name}`;

/** Files that the command line of a process names, and those that its documents do. */
function namedPaths(name: ServiceName): string[] {
  const documents = readdirSync(join(deployFolder, "config", name)).map((file) =>
    readFileSync(join(deployFolder, "config", name, file), "utf8"),
  );
  const text = [...imageOf(name).command.slice(2), ...documents].join("\n");
  return [...new Set(text.match(/\/(?:run|etc|var)\/[\w./-]+/g))];
}

describe("Images", () => {
  test("there is one for each process, and one that makes the certificates", () => {
    assert.deepEqual([...images.keys()].sort(), [...serviceNames, "pki"].map((name) => `gatehouse-${name}`).sort());
  });

  for (const name of serviceNames) {
    test(`gatehouse-${name} runs as nobody in particular, ends on SIGTERM, and says how it is`, () => {
      const { user, port, stopSignal, healthCheck, ownFolders } = imageOf(name);
      assert.deepEqual(
        { user, port, stopSignal },
        { user: "65532:65532", port: servicePorts[name], stopSignal: "SIGTERM" },
      );
      const caFile = `${credentialsOf(name)}/processes-ca.crt`;
      assert.deepEqual(healthCheck, ["node", "/usr/lib/gatehouse/ask-health.mjs", String(servicePorts[name]), caFile]);
      const state = statefulServices.includes(name) ? [stateOf(name)] : [];
      assert.deepEqual(ownFolders, [...state, credentialsOf(name)]);
    });

    test(`gatehouse-${name} is given each file that it names, and no secret but in files`, () => {
      for (const path of namedPaths(name)) {
        if (dirname(path) === credentialsOf(name)) {
          assert.ok(existsSync(join(folder, name, basename(path))), `nobody makes ${path}`);
        } else if (dirname(path) === configOf(name)) {
          assert.ok(existsSync(join(deployFolder, "config", name, basename(path))), `nobody writes ${path}`);
        } else {
          assert.ok(path.startsWith(`${stateOf(name)}/`), `${path} is nobody's to name`);
        }
      }
      const { command } = imageOf(name);
      const secrets = command.filter((word) => /(token|secret|password|key)=(?!\/)/.test(word));
      assert.deepEqual(secrets, []);
    });
  }
});

describe("The compose file", () => {
  test("has a service for each image, and changes nothing of what it runs", () => {
    assert.deepEqual(Object.keys(compose.services).sort(), [...images.keys()].sort());
    for (const [name, service] of Object.entries(compose.services)) {
      const { entrypoint, command, environment, env_file, build } = service;
      assert.deepEqual(
        [entrypoint, command, environment, env_file],
        [undefined, undefined, undefined, undefined],
        name,
      );
      assert.deepEqual(build, { context: "../..", dockerfile: "deploy/containers/Containerfile", target: name });
    }
  });

  test("lets no container become more than it is, or write but to its volumes", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      const { user, read_only, cap_drop, security_opt, privileged, cap_add } = service;
      assert.deepEqual(
        { user, read_only, cap_drop, security_opt, privileged, cap_add },
        {
          user: "65532:65532",
          read_only: true,
          cap_drop: ["ALL"],
          security_opt: ["no-new-privileges:true"],
          privileged: undefined,
          cap_add: undefined,
        },
        name,
      );
    }
  });

  test("mounts for each process its own configuration, credentials and state, and nothing else", () => {
    for (const name of serviceNames) {
      const state = statefulServices.includes(name) ? [`${name}-state:${stateOf(name)}`] : [];
      assert.deepEqual(serviceOf(name).volumes, [
        `../config/${name}:${configOf(name)}:ro`,
        `${name}-credentials:${credentialsOf(name)}:ro`,
        ...state,
      ]);
    }
  });

  test("has the certificates made where each process reads its own, in a container without a network", () => {
    const { volumes, network_mode: network } = serviceOf("pki");
    assert.equal(network, "none");
    const holders = readdirSync(folder).sort();
    const expected = holders.map((holder) => {
      const isService = serviceNames.some((name) => name === holder);
      return `${isService ? `${holder}-credentials` : holder}:/pki/${holder}`;
    });
    assert.deepEqual([...volumes].sort(), expected.sort());
    const others = serviceNames.flatMap((name) => serviceOf(name).volumes);
    assert.deepEqual(
      others.filter((volume) => /^(authorities|administrator|audit-reader):/.test(volume)),
      [],
    );
  });

  test("connects the API server with each server, and no two servers with each other", () => {
    const servers = serviceNames.filter((name) => name !== "apiserver");
    assert.deepEqual(serviceOf("apiserver").networks, ["clients", ...servers]);
    const outside = new Map([
      ["token-review", "issuers"],
      ["audit-sink", "auditors"],
    ]);
    for (const name of servers) {
      const way = outside.get(name);
      assert.deepEqual(serviceOf(name).networks, [...(way === undefined ? [] : [way]), name]);
      assert.equal(compose.networks[name]?.internal, true);
    }
  });

  test("gives them the names and ports by which the kubeconfigs call them", async () => {
    for (const name of serviceNames.filter((one) => one !== "apiserver" && one !== "admission")) {
      const { server } = await loadKubeconfig(join(folder, "apiserver", `${name}.kubeconfig`));
      assert.equal(server.host, `gatehouse-${name}:${servicePorts[name]}`);
    }
  });
});

describe("Units", () => {
  for (const name of serviceNames) {
    const unit = readUnit(name);

    test(`gatehouse-${name}.service has the command line of the image`, () => {
      const [program, ...words] = execStartOf(unit);
      assert.equal(program, "/usr/bin/node");
      assert.deepEqual(words, imageOf(name).command.slice(1));
      assert.equal(unit.value("Service", "Type"), "exec");
    });

    test(`gatehouse-${name}.service is given the credentials of its process, also when it is reloaded`, () => {
      const give = `+/usr/lib/gatehouse/deploy/systemd/give-credentials /etc/gatehouse/pki/${name} ${credentialsOf(name)}`;
      assert.deepEqual(unit.all("Service", "ExecStartPre"), [give]);
      assert.deepEqual(unit.all("Service", "ExecReload"), [give]);
      assert.equal(unit.value("Service", "RuntimeDirectory"), basename(credentialsOf(name)));
      const state = statefulServices.includes(name) ? `gatehouse-${name}` : undefined;
      assert.equal(unit.value("Service", "StateDirectory"), state);
      assert.deepEqual(unit.all("Service", "Environment"), []);
    });
  }

  const hasAnalyze = spawnSync("systemd-analyze", ["--version"]).status === 0;

  test("systemd finds nothing wrong with them, and little that they could still do", {
    skip: !hasAnalyze && "there is no systemd-analyze",
  }, () => {
    const units = serviceNames.map((name) => join(deployFolder, "systemd", `gatehouse-${name}.service`));
    const env = { ...process.env, SYSTEMD_UNIT_PATH: `${join(deployFolder, "systemd")}:` };
    const verified = spawnSync("systemd-analyze", ["verify", ...units], { env, encoding: "utf8" });
    const complaints = verified.stderr
      .split("\n")
      .filter((line) => /gatehouse/.test(line) && !/is not executable/.test(line));
    assert.deepEqual(complaints, []);
    // In tenths; a service that nothing is taken from has 9.6.
    const judged = spawnSync(
      "systemd-analyze",
      ["security", "--offline=true", "--threshold=20", "--no-pager", ...units],
      {
        env,
        encoding: "utf8",
      },
    );
    assert.equal(judged.status, 0, judged.stdout);
  });
});

test("every file of the configuration is one that a process names", () => {
  const files = serviceNames.flatMap((name) =>
    readdirSync(join(deployFolder, "config", name)).map((file) => join(name, file)),
  );
  const named = serviceNames.flatMap((name) => namedPaths(name).map((path) => relative("/etc/gatehouse", path)));
  assert.deepEqual(
    files.filter((file) => !named.includes(file)),
    [],
  );
});
