import assert from "node:assert/strict";
import { test } from "node:test";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { StandInFront } from "./stand-in-front.test.support.js";
import { startExtensionServer } from "./start-extension-server.js";

const { signal } = new AbortController();

test("reviews that an extension API server asks for are counted and timed by the status of the answer", async () => {
  await using front = new StandInFront();
  const gone = new StandInFront();
  const [client, nobody] = [await front.start(), await gone.start()];
  await gone[Symbol.asyncDispose]();
  front.reviewAccess = () => ({ allowed: true });
  for (const [authentication, reviewStatus, code] of [
    [client, 201, "201"],
    [client, 422, "422"],
    [nobody, 201, "<error>"],
  ] as const) {
    await using server = await startExtensionServer({
      groups: [],
      front: { authentication, authorization: client, lookup: "skipped" },
    });
    using caller = createHttpClient({
      config: {
        server: new URL(server.url),
        certificateAuthorityPem: server.certificateAuthority,
        insecureSkipTlsVerify: false,
      },
    });
    const get = (path: string, headers: Record<string, string> = {}) =>
      caller.request({ path, headers, signal, timeoutMs: 10_000, maxResponseBytes: 1 << 20 });
    front.reviewStatus = reviewStatus;
    assert.equal((await get("/apis", { authorization: "Bearer unknown" })).status, 401);
    assert.equal((await get("/apis")).status, reviewStatus === 201 ? 200 : 500);
    front.reviewStatus = 201;
    const text = (await get("/metrics")).body.toString();
    const series = (name: string): string[] =>
      [...text.matchAll(new RegExp(`^apiserver_delegated_${name}(\\{.*\\} \\d+)$`, "gm"))].map(([, line = ""]) => line);
    assert.deepEqual(series("authn_request_total"), [`{code="${code}"} 1`]);
    assert.deepEqual(series("authn_request_duration_seconds_count"), [`{code="${code}"} 1`]);
    const ofAccess = reviewStatus === 201 ? ['{code="201"} 2'] : ['{code="422"} 1', '{code="201"} 1'];
    assert.deepEqual(series("authz_request_total"), ofAccess);
    assert.deepEqual(series("authz_request_duration_seconds_count"), ofAccess);
    const buckets = [...text.matchAll(/^apiserver_delegated_authn_request_duration_seconds_bucket\{.*le="(.*)"\}/gm)];
    assert.deepEqual(
      buckets.map(([, bound]) => bound),
      ["0.25", "0.5", "0.7", "1", "1.5", "3", "5", "10", "+Inf"],
    );
  }
});
