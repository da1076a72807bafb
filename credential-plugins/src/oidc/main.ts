#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { pluginIo } from "../plugin/plugin-io.js";
import { oidcPlugin } from "./oidc-plugin.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await oidcPlugin.run(argv, pluginIo());
}

void main(process.argv.slice(2));
