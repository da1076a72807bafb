import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { ShopProject } from "../support/deployed-extension.js";
import { describeBuiltExtension } from "./built-extension.js";
import { describeBuiltExtensionInFront } from "./built-extension-in-front.js";

// In one process, since to pack the packages of the project costs ten seconds of processor time.

const folder = await mkdtemp(join(tmpdir(), "gatehouse-built-extensions-"));
after(() => rm(folder, { recursive: true, force: true }));

const [made, onVolume, inFront] = ["made", "on-volume", "in-front"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
await Promise.all([made, onVolume, inFront].map((path) => mkdir(path)));
const shop = new ShopProject(made);

await describeBuiltExtension(onVolume, shop);
await describeBuiltExtensionInFront(inFront, shop);
