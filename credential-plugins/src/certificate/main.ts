#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { pluginIo } from "../plugin/plugin-io.js";
import { certificatePlugin } from "./certificate-plugin.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await certificatePlugin.run(argv, pluginIo());
}

void main(process.argv.slice(2));
