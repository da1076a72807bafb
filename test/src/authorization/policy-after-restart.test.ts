import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { send } from "../support/sample-definition.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const bindings = `${rbac}/clusterrolebindings`;
const roles = `${rbac}/clusterroles`;
const keptByHand = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
const everybody = (group: string) => ({ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: group });

describe("roles and bindings that a server makes anew when it starts", () => {
  it("give nobody what an administrator has taken from him in the binding that they were a part of", async () => {
    await using server = await startTestServer({ flags: ["--authorization-mode=RBAC"] });
    const { body: discovery } = await send(server, "GET", `${bindings}/system:discovery`);
    const put = await send(server, "PUT", `${bindings}/system:discovery`, {
      ...discovery,
      metadata: { ...(discovery["metadata"] as JsonObject), annotations: keptByHand, labels: { own: "label" } },
      subjects: [everybody("system:authenticated")],
    });
    assert.equal(put.status, 200, put.text);
    assert.equal((await send(server, "DELETE", `${bindings}/system:public-info-viewer`)).status, 200);

    await server.restart();
    const { body: made } = await send(server, "GET", `${bindings}/system:public-info-viewer`);
    const { annotations, labels } = made["metadata"] as JsonObject;
    assert.deepEqual(
      [annotations, labels, made["subjects"], (made["roleRef"] as JsonObject)["name"]],
      [keptByHand, { own: "label" }, [everybody("system:authenticated")], "system:public-info-viewer"],
    );
  });

  it("keep the rules of a role that did not aggregate in the part that is made of it", async () => {
    await using server = await startTestServer({ flags: ["--authorization-mode=RBAC"] });
    const own = { verbs: ["get"], apiGroups: ["example.com"], resources: ["widgets"] };
    const { body: view } = await send(server, "GET", `${roles}/view`);
    // Written whatever its version: the server may still be putting the rules of its parts together.
    const { aggregationRule: _rule, metadata, ...rest } = view;
    const { resourceVersion: _version, ...meta } = metadata as JsonObject;
    const put = await send(server, "PUT", `${roles}/view`, { ...rest, metadata: meta, rules: [own] });
    assert.equal(put.status, 200, put.text);
    assert.equal((await send(server, "DELETE", `${roles}/system:aggregate-to-view`)).status, 200);

    await server.restart();
    const { body: part } = await send(server, "GET", `${roles}/system:aggregate-to-view`);
    assert.deepEqual((part["rules"] as JsonObject[])[0], own);
    await until("the role has the rules of its part again", async () => {
      const { body: again } = await send(server, "GET", `${roles}/view`);
      return again["aggregationRule"] !== undefined && JSON.stringify(again["rules"]).includes("widgets");
    });
  });
});
