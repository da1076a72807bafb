#!/usr/bin/env node
import { runExtensionServer } from "@gatehouse/apiserver/extension";
import { wardle } from "./wardle.js";

await runExtensionServer(wardle, process.argv.slice(2));
