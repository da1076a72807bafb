import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { openCallbackListener } from "./callback-listener.js";
import { callbackPage } from "./callback-page.js";

/** The status with which a visit is answered. */
function visit(url: string, options: { readonly method?: string; readonly host?: string } = {}): Promise<number> {
  const { method = "GET", host = new URL(url).host } = options;
  return new Promise((resolve, reject) => {
    request(url, { method, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

test("only the browser that was sent out is waited for; others are shown out", async () => {
  await using listener = await openCallbackListener({ port: 0, state: "s" });
  const { redirectUri } = listener;
  const port = new URL(redirectUri).port;
  assert.equal(redirectUri, `http://127.0.0.1:${port}/callback`);
  assert.equal(await visit(`http://127.0.0.1:${port}/`), 404);
  assert.equal(await visit(redirectUri), 400);
  assert.equal(await visit(`${redirectUri}?state=t&code=c`), 400);
  assert.equal(await visit(`${redirectUri}?state=s&code=c`, { method: "POST" }), 400);
  // A page whose own name was made to point here.
  assert.equal(await visit(`${redirectUri}?state=s&code=c`, { host: `evil.example.com:${port}` }), 404);
  const shown = visit(`${redirectUri}?state=s&code=mine`);
  const callback = await listener.callback(AbortSignal.timeout(10_000));
  assert.equal(callback.url.searchParams.get("code"), "mine");
  // The code is taken once.
  assert.equal(await visit(`${redirectUri}?state=s&code=again`), 400);
  await callback.answer(callbackPage("succeeded"));
  assert.equal(await shown, 200);
});

test("connections over which nothing is asked keep the browser neither out nor from its answer", async () => {
  await using listener = await openCallbackListener({ port: 0, state: "s" });
  const { redirectUri } = listener;
  const idle: Socket[] = [];
  const closed: Promise<unknown>[] = [];
  const openIdle = async (count: number): Promise<void> => {
    for (let opened = 0; opened < count; opened++) {
      const socket = connect({ port: Number(new URL(redirectUri).port), host: "127.0.0.1" });
      socket.on("error", () => {}).resume();
      idle.push(socket);
      closed.push(once(socket, "close"));
      await once(socket, "connect");
    }
  };
  try {
    await openIdle(100);
    const shown = visit(`${redirectUri}?state=s&code=mine`);
    const callback = await listener.callback(AbortSignal.timeout(60_000));
    await openIdle(100);
    // The last of those that make room for others: by then the browser's own connection would be closed as well.
    await closed[130];
    await callback.answer(callbackPage("succeeded"));
    assert.equal(await shown, 200);
  } finally {
    for (const socket of idle) {
      socket.destroy();
    }
  }
});

test("nobody is waited for without end, and a port that is taken is told of", async () => {
  await using listener = await openCallbackListener({ port: 0, state: "s" });
  await assert.rejects(listener.callback(AbortSignal.timeout(10)), {
    name: "CredentialError",
    message: "nobody has logged in in time",
  });
  const port = Number(new URL(listener.redirectUri).port);
  await assert.rejects(openCallbackListener({ port, state: "s" }), {
    name: "CredentialError",
    message: `cannot listen on 127.0.0.1 port ${port} for the browser (EADDRINUSE)`,
  });
});
