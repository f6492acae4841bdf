import { spawn } from "node:child_process";
import { EnvoyError } from "../../schemas/errors.ts";
import type { Environment } from "./environment.ts";

/** Opens the person's editor on a file and waits for it. As git does, so that `code --wait` works. */
export async function editFile(file: string, { ENVOY_EDITOR, VISUAL, EDITOR }: Environment): Promise<void> {
  const editor = ENVOY_EDITOR ?? VISUAL ?? EDITOR ?? "vi";
  const code = await new Promise<number | null>((done) => {
    const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: ["inherit", 2, 2] });
    child.on("error", () => done(null));
    child.on("close", done);
  });
  if (code !== 0) throw new EnvoyError("editor_failed", { editor, code });
}
