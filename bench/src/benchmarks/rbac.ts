import type { Benchmark } from "../benchmark.js";
import { withClient } from "../certificates.js";
import { benchNamespace, collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { answeredRounds } from "../load/answered-rounds.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { indexOf, namespacesWithBindings, postAll, reader, roleBindings } from "../role-bindings.js";
import { interleave } from "../rounds.js";

const byRoles = ["--authorization-mode=Node,RBAC"];
const bindings = 5000;

/** Measures the cost of deciding about a request by roles. */
export const getUnderRolesBenchmark: Benchmark = {
  name: "get-rbac",
  what: `get a 1 KB ConfigMap under RBAC with ${bindings} bindings, 500 of them for the user's groups`,
  limit: "the same under AlwaysAllow",
  unit: "requests/s",
  wanted: { atLeast: 0.9 },
  async run(environment) {
    const { roundMs } = environment;
    const certificates = await withClient(environment.certificates, { user: reader.username, groups: reader.groups });
    const path = `${collectionPath}/${configMapName(0)}`;
    const start = async (flags: readonly string[]) => {
      const gatehouse = await startGatehouse(environment, undefined, flags);
      await gatehouse.request("POST", collectionPath, configMapJson(configMapName(0)));
      await postAll(gatehouse, roleBindings(bindings));
      return gatehouse;
    };
    await using strict = await start(byRoles);
    await using open = await start([]);
    await using load = startLoadGenerator();
    const side = ({ port, pid }: { readonly port: number; readonly pid: number }) =>
      answeredRounds(load, { port, certificates, pids: [pid] }, { request: { method: "GET", path }, roundMs });
    return await interleave(environment.rounds, side(strict), side(open));
  },
};

/** Measures a verdict alone. */
export const verdictsBenchmark: Benchmark = {
  name: "rbac-verdicts",
  what: `verdicts of RBAC, pure: ${bindings} bindings, 500 of them for the user's groups, 1,000 names`,
  limit: "1,000,000 a second",
  unit: "verdicts/s",
  wanted: { atLeast: 1 },
  async run({ rounds, roundMs }) {
    const index = indexOf(roleBindings(bindings));
    const user = { username: reader.username, groups: [...reader.groups, "system:authenticated"] };
    const questions = Array.from({ length: 1000 }, (_, number) => ({
      isResourceRequest: true,
      verb: "get",
      group: "",
      resource: "configmaps",
      subresource: "",
      namespace: benchNamespace,
      name: `name-${number}`,
      path: "",
    }));
    return await interleave(
      rounds,
      async () => {
        const started = performance.now();
        let verdicts = 0;
        while (performance.now() - started < roundMs) {
          for (const question of questions) {
            if (!index.decide(user, question).allowed) {
              throw new Error("the reader may not read");
            }
          }
          verdicts += questions.length;
        }
        return { value: (verdicts / (performance.now() - started)) * 1000 };
      },
      async () => ({ value: 1_000_000 }),
    );
  },
};

/** Measures the start of a server with the roles of a large cluster. */
export const startUnderRolesBenchmark: Benchmark = {
  name: "start-rbac",
  what: "1,000 namespaces x 20 bindings stored: process start to /readyz",
  limit: "the same store without RBAC",
  unit: "ms",
  wanted: { atMost: 1.3 },
  async run(environment) {
    const directory = await environment.makeDirectory();
    {
      await using gatehouse = await startGatehouse(environment, directory, byRoles);
      await postAll(gatehouse, namespacesWithBindings(environment.quick ? 100 : 1000, 20));
    }
    const start = (flags: readonly string[]) => async () => {
      await using gatehouse = await startGatehouse(environment, directory, flags);
      return { value: gatehouse.readyAfterMs };
    };
    return await interleave(environment.quick ? 3 : 2 * environment.rounds + 1, start(byRoles), start([]));
  },
};
