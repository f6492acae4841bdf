import { existsSync, readFileSync } from "node:fs";

/** A zombie has ended and waits only for its parent to ask. */
export function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) [ZX] /.test(readFileSync(stat, "utf8"));
}
