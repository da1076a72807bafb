import assert from "node:assert/strict";
import { test } from "node:test";
import { type ObjectObserver, type ObservedStorage, observeCache } from "@gatehouse/apiserver/client";
import { RevisionCompactedError } from "@gatehouse/apiserver/errors";
import { newEntryTree, noDamage, Snapshot } from "@gatehouse/apiserver/storage";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane } from "../control-plane.test.support.js";
import { configMaps } from "./core-resources.js";

function recorder(): ObjectObserver & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    onList: (objects) => seen.push(...objects.map(({ namespace, name }) => `LISTED ${namespace}/${name}`)),
    onEvent: ({ type, namespace, name }) => seen.push(`${type} ${namespace}/${name}`),
    onError: (error) => seen.push(`ERROR ${(error as Error).message}`),
  };
}

function configMap(name: string) {
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { namespace: "a", name } };
}

test("an observer is told of everything once, and then of every change in order", async () => {
  await using plane = await openTestControlPlane();
  const { client, signal } = plane;
  await plane.makeNamespace("a");
  for (let index = 0; index < 2500; index += 500) {
    await Promise.all(Array.from({ length: 500 }, (_, item) => plane.make(configMaps, configMap(`c${index + item}`))));
  }
  const observer = recorder();
  const observing = client.observe(configMaps, observer, signal);
  await plane.make(configMaps, configMap("meanwhile"));
  await observing;
  await client.update(configMaps, { namespace: "a", name: "c0" }, (object) => ({ ...object, data: { x: "y" } }));
  await client.delete(configMaps, "a", "c0");
  await eventually(() => assert.equal(observer.seen.length, 2503));
  assert.equal(new Set(observer.seen).size, 2503);
  assert.ok(observer.seen.some((line) => line.endsWith(" a/meanwhile")));
  assert.deepEqual(observer.seen.slice(-2), ["MODIFIED a/c0", "DELETED a/c0"]);
});

test("a fault of an observer is its own: others and what comes next are not touched", async () => {
  await using plane = await openTestControlPlane();
  const { client, signal } = plane;
  await plane.makeNamespace("a");
  const sound = recorder();
  const faulty = recorder();
  const broken = (): never => {
    throw new Error("broken");
  };
  await client.observe(configMaps, { ...faulty, onList: broken, onEvent: broken }, signal);
  await client.observe(configMaps, sound, signal);
  await plane.make(configMaps, configMap("c"));
  await eventually(() => assert.deepEqual(sound.seen, ["ADDED a/c"]));
  assert.deepEqual(faulty.seen, ["ERROR broken", "ERROR broken"]);
  assert.deepEqual(plane.errors, []);
});

test("after the abort nothing is told any more", async () => {
  await using plane = await openTestControlPlane();
  const { client } = plane;
  await plane.makeNamespace("a");
  const stopping = new AbortController();
  const observer = recorder();
  await client.observe(configMaps, observer, stopping.signal);
  stopping.abort();
  await plane.make(configMaps, configMap("c"));
  await client.catchUp();
  assert.deepEqual(observer.seen, []);
});

/** Returns a cache whose watches end with the given errors, one after the other, and then go on. */
function endingStorage(errors: Error[]): ObservedStorage & { watches: number } {
  const storage = {
    watches: 0,
    prefix: "/registry/configmaps/",
    namespaced: true,
    cache: {
      ready: async () => {
        if (errors[0]?.message === "not ready") {
          throw errors.shift();
        }
      },
      snapshot: () => new Snapshot(1, newEntryTree(), noDamage),
      watch: () => {
        storage.watches++;
        const error = errors.shift();
        return {
          next: () => {
            if (error !== undefined) {
              throw error;
            }
            return [];
          },
          close: () => {},
        };
      },
    },
  };
  return storage as unknown as ObservedStorage & { watches: number };
}

test("an error that ends the watch is reported, and everything is told anew; nothing is thrown where nobody catches it", async () => {
  const stop = new AbortController();
  const storage = endingStorage([
    new Error("the log is damaged"),
    new Error("not ready"),
    new RevisionCompactedError(7),
  ]);
  let missed = 0;
  const observer = { ...recorder(), onMissed: () => void missed++ };
  await observeCache(storage, observer, stop.signal);
  await eventually(() => assert.equal(missed, 2));
  stop.abort();
  assert.equal(storage.watches, 3);
  assert.deepEqual(observer.seen, ["ERROR the log is damaged", "ERROR not ready"]);
});
