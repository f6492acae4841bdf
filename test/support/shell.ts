import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { BINARY, cleanEnvironment } from "./envoy.ts";
import { temporaryFolder } from "./project.ts";

/** Runs lines as one would type them: in a shell, with `envoy` on its path. */
export function inShell(cwd: string, lines: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const bin = join(temporaryFolder(), "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "envoy"), `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`);
  chmodSync(join(bin, "envoy"), 0o755);
  const env = cleanEnvironment({ PATH: `${bin}${delimiter}${process.env["PATH"]}` });
  return new Promise((done) => {
    const child = execFile("sh", ["-e", "-c", lines], { cwd, env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
