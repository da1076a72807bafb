import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Answer, ApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  deleteConfigMap,
  freshNamespace,
  namesOf,
  versionOf,
} from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

/**
 * A collection with a past. At `then` it held a, b and c, each at its first state. Since then b has changed, c is gone
 * and d has come.
 */
interface History {
  readonly client: ApiClient;
  readonly namespace: string;
  /** Version of the collection then. */
  readonly past: string;
  /** Version of the last change. */
  readonly latest: string;
  /** Token of a first page of two objects, made then. */
  readonly token: string;
}

describe("Resource version semantics, List", { concurrency: 16 }, () => {
  let history: History;
  before(async () => {
    history = await makeHistory();
  });

  const list = (query: string): Promise<Answer> => history.client.get(configMapsPath(history.namespace, "", query));

  const row = "Resource version semantics, List";

  it(`${row}, match unset and limit unset, version unset: the most recent state`, async () => {
    assertIsNow(await list(""));
  });
  it(`${row}, match unset and limit unset, version 0: any state`, async () => {
    assertIsAny(await list("resourceVersion=0"));
  });
  it(`${row}, match unset and limit unset, other version: not older than it`, async () => {
    assertIsNow(await list(`resourceVersion=${history.latest}`));
    assertIsNotOlderThan(await list(`resourceVersion=${history.past}`), history.past);
  });
  it(`${row}, match unset and limit unset, other version: 504 when it does not come`, async () => {
    assertTooLarge(await list("resourceVersion=900000000000"), "900000000000");
    // Of events v1.29 has no cache that could still be behind.
    const events = `/api/v1/namespaces/${history.namespace}/events`;
    for (const path of [events, `${events}/absent`]) {
      const answer = await history.client.get(`${path}?resourceVersion=900000000000`);
      assertTooLarge(answer, "900000000000", 0);
    }
  });
  it(`${row}, match unset and limit unset, other version: waits for one that is about to come`, async () => {
    const { client } = history;
    const namespace = await freshNamespace(client);
    const next = String(Number(versionOf((await client.get(configMapsPath(namespace))).document)) + 1);
    const waiting = client.get(configMapsPath(namespace, "", `resourceVersion=${next}`));
    await createConfigMap(client, namespace, "late");
    assertIsNotOlderThan(await waiting, next);
  });

  it(`${row}, match unset, limit set and continue unset, version unset: the most recent state`, async () => {
    const answer = await list("limit=2");
    assertCode(answer, 200);
    assert.deepEqual(namesOf(answer.document), ["a", "b"]);
    assert.ok(Number(versionOf(answer.document)) >= Number(history.latest));
    assert.equal(answer.document.metadata.remainingItemCount, 1);
  });
  it(`${row}, match unset, limit set and continue unset, version 0: any state`, async () => {
    const answer = await list("limit=2&resourceVersion=0");
    assertCode(answer, 200);
    assert.ok(answer.document.items.length >= 2, "v1.29 may leave the limit unheeded here, but loses nothing");
  });
  it(`${row}, match unset, limit set and continue unset, other version: exactly that one`, async () => {
    const answer = await list(`limit=2&resourceVersion=${history.past}`);
    assertIsFirstPageThen(answer);
    const rest = await list(`limit=2&continue=${answer.document.metadata.continue}`);
    assertIsLastPageThen(rest);
  });
  it(`${row}, match unset, limit set and continue unset, other version: 504 when it does not come`, async () => {
    assertTooLarge(await list("limit=2&resourceVersion=900000000000"), "900000000000");
  });

  it(`${row}, match unset, limit set and continue unset, other version, of one name: not older than it, as in v1.29`, async () => {
    const oneName = "limit=1&fieldSelector=metadata.name%3Db";
    const answer = await list(`${oneName}&resourceVersion=${history.past}`);
    assertIsNotOlderThan(answer, history.latest);
    assert.deepEqual(statesOf(answer), ["b=2"]);
    assertTooLarge(await list(`${oneName}&resourceVersion=900000000000`), "900000000000", 0);
    const exact = await list(`${oneName}&resourceVersion=${history.past}&resourceVersionMatch=Exact`);
    assert.deepEqual([versionOf(exact.document), statesOf(exact)], [history.past, ["b=1"]]);
    // In all namespaces, a name may be that of several objects.
    const everywhere = await history.client.get(`/api/v1/configmaps?${oneName}&resourceVersion=${history.past}`);
    assertCode(everywhere, 200);
    assert.equal(versionOf(everywhere.document), history.past);
  });

  it(`${row}, match unset, limit set and continue set, version unset: the version of the token, exactly`, async () => {
    assertIsLastPageThen(await list(`limit=2&continue=${history.token}`));
  });
  it(`${row}, match unset, limit set and continue set, version 0: treated as the version of the token`, async () => {
    assertIsLastPageThen(await list(`limit=2&continue=${history.token}&resourceVersion=0`));
  });
  it(`${row}, match unset, limit set and continue set, other version: 400`, async () => {
    assertStatus(await list(`limit=2&continue=${history.token}&resourceVersion=${history.past}`), {
      code: 400,
      reason: "BadRequest",
      message: "specifying resource version is not allowed when using continue",
    });
  });

  for (const [limits, paging] of [
    ["limit unset", ""],
    ["limit set and continue unset", "&limit=2"],
  ] as const) {
    it(`${row}, match Exact and ${limits}, version unset: invalid`, async () => {
      assertForbidden(await list(`resourceVersionMatch=Exact${paging}`), [
        "resourceVersionMatch is forbidden unless resourceVersion is provided",
      ]);
    });
    it(`${row}, match Exact and ${limits}, version 0: invalid`, async () => {
      assertForbidden(await list(`resourceVersionMatch=Exact&resourceVersion=0${paging}`), [
        'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ]);
    });
    it(`${row}, match Exact and ${limits}, other version: exactly that one`, async () => {
      const answer = await list(`resourceVersionMatch=Exact&resourceVersion=${history.past}${paging}`);
      if (paging === "") {
        assertCode(answer, 200);
        assert.equal(versionOf(answer.document), history.past);
        assert.deepEqual(statesOf(answer), ["a=1", "b=1", "c=1"]);
      } else {
        assertIsFirstPageThen(answer);
      }
    });
    it(`${row}, match Exact and ${limits}, other version: 504 when it does not come`, async () => {
      const query = `resourceVersionMatch=Exact&resourceVersion=900000000000${paging}`;
      assertTooLarge(await list(query), "900000000000");
    });

    it(`${row}, match NotOlderThan and ${limits}, version unset: invalid`, async () => {
      assertForbidden(await list(`resourceVersionMatch=NotOlderThan${paging}`), [
        "resourceVersionMatch is forbidden unless resourceVersion is provided",
      ]);
    });
    it(`${row}, match NotOlderThan and ${limits}, version 0: any state`, async () => {
      const answer = await list(`resourceVersionMatch=NotOlderThan&resourceVersion=0${paging}`);
      assertCode(answer, 200);
      assert.ok(answer.document.items.length >= 2);
    });
    it(`${row}, match NotOlderThan and ${limits}, other version: not older than it`, async () => {
      const old = await list(`resourceVersionMatch=NotOlderThan&resourceVersion=${history.past}${paging}`);
      assertIsNotOlderThan(old, history.past);
      const recent = await list(`resourceVersionMatch=NotOlderThan&resourceVersion=${history.latest}${paging}`);
      assertIsNotOlderThan(recent, history.latest);
      assert.deepEqual(statesOf(recent), ["a=1", "b=2", "d=1"].slice(0, paging === "" ? 3 : 2));
    });
    it(`${row}, match NotOlderThan and ${limits}, other version: 504 when it does not come`, async () => {
      const query = `resourceVersionMatch=NotOlderThan&resourceVersion=900000000000${paging}`;
      // With a limit the store is asked, and it knows at once: v1.29 then tells no time to wait.
      assertTooLarge(await list(query), "900000000000", paging === "" ? 1 : 0);
    });
  }

  it(`${row}: a match with a continue token is invalid`, async () => {
    for (const match of ["Exact", "NotOlderThan"]) {
      const query = `limit=2&continue=${history.token}&resourceVersionMatch=${match}&resourceVersion=${history.past}`;
      assertForbidden(await list(query), ["resourceVersionMatch is forbidden when continue is provided"]);
    }
  });
  it(`${row}: an unknown match is invalid`, async () => {
    const message = 'Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""';
    assertStatus(await list("resourceVersionMatch=Newest&resourceVersion=1"), {
      code: 422,
      reason: "Invalid",
      message: `ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: ${message}`,
      details: {
        group: "meta.k8s.io",
        kind: "ListOptions",
        causes: [{ reason: "FieldValueNotSupported", message, field: "resourceVersionMatch" }],
      },
    });
  });
  it(`${row}: a match without version and with a token is invalid for both reasons`, async () => {
    assertForbidden(await list(`resourceVersionMatch=Exact&continue=${history.token}`), [
      "resourceVersionMatch is forbidden unless resourceVersion is provided",
      "resourceVersionMatch is forbidden when continue is provided",
    ]);
  });
  it(`${row}: a version that is no number is refused`, async () => {
    assertStatus(await list("resourceVersion=abc"), {
      code: 400,
      reason: "BadRequest",
      message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    });
  });

  function assertIsNow(answer: Answer): void {
    assertIsNotOlderThan(answer, history.latest);
    assert.deepEqual(statesOf(answer), ["a=1", "b=2", "d=1"]);
    assert.equal(answer.document.metadata.continue, undefined);
    assert.equal(answer.document.metadata.remainingItemCount, undefined);
  }

  function assertIsAny(answer: Answer): void {
    assertCode(answer, 200);
    assert.equal(answer.document.kind, "ConfigMapList");
    assert.match(versionOf(answer.document), /^\d+$/);
  }

  function assertIsFirstPageThen(answer: Answer): void {
    assertCode(answer, 200);
    assert.equal(versionOf(answer.document), history.past);
    assert.deepEqual(statesOf(answer), ["a=1", "b=1"]);
    assert.equal(answer.document.metadata.remainingItemCount, 1);
    assert.notEqual(answer.document.metadata.continue ?? "", "");
  }

  function assertIsLastPageThen(answer: Answer): void {
    assertCode(answer, 200);
    assert.equal(versionOf(answer.document), history.past);
    assert.deepEqual(statesOf(answer), ["c=1"]);
    assert.equal(answer.document.metadata.remainingItemCount, undefined);
    assert.equal(answer.document.metadata.continue, undefined);
  }
});

async function makeHistory(): Promise<History> {
  const client = await serverWith();
  const namespace = await freshNamespace(client);
  for (const name of ["a", "b", "c"]) {
    await createConfigMap(client, namespace, name, { data: { state: "1" } });
  }
  const firstPage = (await client.get(configMapsPath(namespace, "", "limit=2"))).document;
  await changeConfigMap(client, namespace, "b", { state: "2" });
  await deleteConfigMap(client, namespace, "c");
  const last = await createConfigMap(client, namespace, "d", { data: { state: "1" } });
  const token = String(firstPage.metadata.continue);
  return { client, namespace, past: versionOf(firstPage), latest: versionOf(last), token };
}

/** `name=state` of each item. */
function statesOf(answer: Answer): string[] {
  return answer.document.items.map((item) => `${item.metadata.name}=${item.data?.["state"]}`);
}

function assertIsNotOlderThan(answer: Answer, version: string): void {
  assertCode(answer, 200);
  assert.ok(Number(versionOf(answer.document)) >= Number(version));
}

function assertTooLarge(answer: Answer, version: string, retryAfterSeconds = 1): void {
  const current = /current: (\d+)$/.exec(String(answer.document.message))?.[1];
  assertStatus(answer, {
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${version}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  });
  assert.equal(answer.headers["retry-after"], retryAfterSeconds > 0 ? String(retryAfterSeconds) : undefined);
}

/** 422 whose causes are these, all of them about resourceVersionMatch. */
function assertForbidden(answer: Answer, reasons: readonly string[]): void {
  const field = "resourceVersionMatch";
  const texts = reasons.map((reason) => `${field}: Forbidden: ${reason}`);
  assertStatus(answer, {
    code: 422,
    reason: "Invalid",
    message: `ListOptions.meta.k8s.io "" is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`}`,
    details: {
      group: "meta.k8s.io",
      kind: "ListOptions",
      causes: reasons.map((reason) => ({ reason: "FieldValueForbidden", message: `Forbidden: ${reason}`, field })),
    },
  });
}
