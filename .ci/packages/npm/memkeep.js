#!/usr/bin/env node
// Starts the binary that npm installed for this system, with the terminal as it is.
"use strict";

const { spawn } = require("node:child_process");

const system = `${process.platform}-${process.arch}`;
// The binary for macOS runs on both of its processors.
const name = `memkeep-${process.platform === "darwin" ? "darwin" : system}`;
let binary;
try {
  binary = require.resolve(`${name}/bin/memkeep`);
} catch {
  console.error(`memkeep: there is no package ${name}.`);
  console.error("It is for Linux and macOS on x64 and arm64. Do not install it with --omit=optional.");
  process.exit(2);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
// Ctrl-c reaches the binary from the terminal; the others are passed on. It decides how it ends.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP", "SIGQUIT"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`memkeep: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
