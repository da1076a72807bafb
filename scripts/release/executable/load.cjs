// Imports a module by path or URL, from a file: what is part of an executable can import built-in modules alone.
"use strict";
const { isAbsolute } = require("node:path");
const { pathToFileURL } = require("node:url");

module.exports = (module) => import(isAbsolute(module) ? pathToFileURL(module).href : module);
