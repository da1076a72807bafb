import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type DocumentHeaders, sendDocument } from "./send-document.js";
import { type ServedRoutes, serveRoutes } from "./serve-routes.test.support.js";

const bytes = Buffer.from("0123456789");
const etag = '"tag"';
const lastModified = "Mon, 01 Jan 2024 00:00:00 GMT";
const headers: DocumentHeaders = {
  "Content-Type": "text/plain",
  "Last-Modified": lastModified,
  "Accept-Ranges": "bytes",
};
const later = "Tue, 02 Jan 2024 00:00:00 GMT";
const earlier = "Sun, 31 Dec 2023 00:00:00 GMT";

suite("a document that does not change", () => {
  let served: ServedRoutes;
  before(async () => {
    served = await serveRoutes((path) => (context) => {
      const tagged = path === "/tagged" ? { ...headers, ETag: etag } : headers;
      const isTypeGuessed = path === "/guessed";
      return sendDocument(context, tagged, { bytes, gzip: () => Buffer.from("compressed"), isTypeGuessed });
    });
  });
  after(() => served[Symbol.asyncDispose]());

  for (const [what, path, conditions, status] of [
    ["is sent to who knows another state", "/tagged", { "If-None-Match": '"other"' }, 200],
    ["is not sent to who knows it", "/tagged", { "If-None-Match": `"other", W/${etag}` }, 304],
    ["is not sent to who knows any state", "/dated", { "If-None-Match": "*" }, 304],
    [
      "is sent when its tag is unknown, whatever its date",
      "/tagged",
      { "If-None-Match": "x", "If-Modified-Since": later },
      200,
    ],
    ["is not sent when it has not changed since", "/dated", { "If-Modified-Since": lastModified }, 304],
    ["is sent when it has changed since", "/dated", { "If-Modified-Since": earlier }, 200],
    ["is sent when the date is none", "/dated", { "If-Modified-Since": "yesterday" }, 200],
    ["is not what the client wants to go on with", "/tagged", { "If-Match": '"other"' }, 412],
    ["is what the client wants to go on with", "/tagged", { "If-Match": etag }, 200],
    ["has changed since the client looked", "/dated", { "If-Unmodified-Since": earlier }, 412],
    ["has not changed since the client looked", "/dated", { "If-Unmodified-Since": later }, 200],
  ] as const) {
    test(`${what}: ${JSON.stringify(conditions)} is answered with ${status}`, async () => {
      const response = await served.get(path, { ...conditions, "Accept-Encoding": "identity" });
      assert.deepEqual([response.status, await response.text()], [status, status === 200 ? "0123456789" : ""]);
    });
  }

  test("an answer without the document tells its state, by the tag if there is one", async () => {
    const tagged = await served.get("/tagged", { "If-None-Match": "*" });
    assert.deepEqual([tagged.headers.get("etag"), tagged.headers.get("last-modified")], [etag, null]);
    const dated = await served.get("/dated", { "If-None-Match": "*" });
    assert.deepEqual([dated.headers.get("last-modified"), dated.headers.get("content-type")], [lastModified, null]);
  });

  test("an answer that the client's conditions do not hold has no range, and no type that is guessed from the body", async () => {
    const headersOf = async (path: string): Promise<readonly unknown[]> => {
      const { headers: sent, status } = await served.get(path, { "If-Match": '"other"' });
      return [status, sent.get("content-type"), sent.get("accept-ranges"), sent.get("last-modified")];
    };
    assert.deepEqual(await headersOf("/tagged"), [412, headers["Content-Type"], null, lastModified]);
    assert.deepEqual(await headersOf("/guessed"), [412, null, null, lastModified]);
  });

  for (const [range, text, contentRange] of [
    ["bytes=0-3", "0123", "bytes 0-3/10"],
    ["bytes=8-", "89", "bytes 8-9/10"],
    ["bytes=8-99", "89", "bytes 8-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
    ["bytes=,1-2", "12", "bytes 1-2/10"],
    ["bytes=20-,1-2", "12", "bytes 1-2/10"],
    ["bytes=-0", "", "bytes 10-9/10"],
  ] as const) {
    test(`${range} is a part, and never compressed`, async () => {
      const response = await served.get("/tagged", { Range: range });
      assert.deepEqual([response.status, await response.text()], [206, text]);
      assert.equal(response.headers.get("content-range"), contentRange);
      assert.equal(response.headers.get("content-encoding"), null);
    });
  }

  for (const range of ["bytes=3-1", "bytes=0-1,x", "lines=1-2", "bytes=-", "bytes=1", `bytes=${"9".repeat(40)}-`]) {
    test(`${range.slice(0, 20)} is refused as Go's library refuses it`, async () => {
      const response = await served.get("/tagged", { Range: range });
      assert.deepEqual([response.status, await response.text()], [416, "invalid range\n"]);
      assert.equal(response.headers.get("content-range"), null);
      assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
      assert.equal(response.headers.get("etag"), etag);
    });
  }

  for (const range of ["bytes=0-1,3-4", "bytes="]) {
    test(`${range} asks for no single part: all is sent`, async () => {
      const response = await served.get("/tagged", { Range: range, "Accept-Encoding": "identity" });
      assert.deepEqual([response.status, await response.text()], [200, "0123456789"]);
    });
  }

  test("a part behind the end is none", async () => {
    for (const range of ["bytes=10-", "bytes=10-,20-"]) {
      const response = await served.get("/tagged", { Range: range });
      assert.deepEqual([response.status, await response.text()], [416, "invalid range: failed to overlap\n"]);
      assert.equal(response.headers.get("content-range"), "bytes */10");
    }
  });

  test("the rest of another state is not sent", async () => {
    const ask = (condition: string) =>
      served.get("/tagged", { Range: "bytes=8-", "If-Range": condition, "Accept-Encoding": "identity" });
    assert.equal((await ask(etag)).status, 206);
    assert.equal((await ask(lastModified)).status, 206);
    assert.equal((await ask('"other"')).status, 200);
  });
});
