import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { setCommonEncoding } from "./common-encoding.js";

const first = Date.parse("2024-05-01T10:00:00Z");
const later = Date.parse("2024-05-01T11:00:00Z");

function withServers(...encodings: string[]): JsonObject {
  const storageVersions = encodings.map((encodingVersion, index) => ({
    apiServerID: `server-${index}`,
    encodingVersion,
  }));
  return { metadata: { name: "apps.deployments" }, status: { storageVersions } };
}

const agreed = {
  type: "AllEncodingVersionsEqual",
  status: "True",
  lastTransitionTime: "2024-05-01T10:00:00Z",
  reason: "CommonEncodingVersionSet",
  message: "Common encoding version set",
};
const disagreed = {
  type: "AllEncodingVersionsEqual",
  status: "False",
  lastTransitionTime: "2024-05-01T11:00:00Z",
  reason: "CommonEncodingVersionUnset",
  message: "Common encoding version unset",
};

function statusOf(version: JsonObject): JsonObject {
  const { storageVersions: _servers, ...rest } = version["status"] as JsonObject;
  return rest;
}

test("servers that agree have a common version, and the condition says so", () => {
  const version = withServers("apps/v1", "apps/v1");
  setCommonEncoding(version, first);
  assert.deepEqual(statusOf(version), { commonEncodingVersion: "apps/v1", conditions: [agreed] });
});

test("the time of the condition stays while nothing changes", () => {
  const version = withServers("apps/v1");
  setCommonEncoding(version, first);
  setCommonEncoding(version, later);
  assert.deepEqual(statusOf(version), { commonEncodingVersion: "apps/v1", conditions: [agreed] });
});

test("servers that disagree have no common version", () => {
  const version = withServers("apps/v1");
  setCommonEncoding(version, first);
  (version["status"] as { storageVersions: JsonObject[] }).storageVersions.push({
    apiServerID: "other",
    encodingVersion: "apps/v2",
  });
  setCommonEncoding(version, later);
  assert.deepEqual(statusOf(version), { conditions: [disagreed] });
});

test("another common version is told by the time of the condition", () => {
  const version = withServers("apps/v1");
  setCommonEncoding(version, first);
  (version["status"] as JsonObject)["storageVersions"] = [{ apiServerID: "a", encodingVersion: "apps/v2" }];
  setCommonEncoding(version, later);
  assert.deepEqual(statusOf(version), {
    commonEncodingVersion: "apps/v2",
    conditions: [{ ...agreed, lastTransitionTime: "2024-05-01T11:00:00Z" }],
  });
});

test("other conditions stay as they are", () => {
  const version = withServers();
  const other = { type: "Other", status: "True", reason: "r", message: "m" };
  (version["status"] as JsonObject)["conditions"] = [other];
  setCommonEncoding(version, later);
  assert.deepEqual(statusOf(version), { conditions: [other, disagreed] });
});
