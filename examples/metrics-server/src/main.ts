#!/usr/bin/env node
import { runExtensionServer } from "@gatehouse/apiserver/extension";
import { metricsProgram, usageFrom } from "./program.js";

const { METRICS_SOURCE: place = "metrics.prom" } = process.env;
await runExtensionServer(metricsProgram(usageFrom(place)), process.argv.slice(2));
