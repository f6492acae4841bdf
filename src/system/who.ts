import { execFile } from "node:child_process";
import { userInfo } from "node:os";

/** What is known of the person at this machine. It is no proof: an agent may share the account. */
export interface Person {
  user: string;
  email?: string;
}

const known = new Map<string, Promise<Person>>();

/** Asked early, it costs nothing when the answer is needed. */
export function whoIsHere(directory: string): Promise<Person> {
  const asked = known.get(directory) ?? ask(directory);
  known.set(directory, asked);
  return asked;
}

async function ask(directory: string): Promise<Person> {
  const { username: user } = userInfo();
  const email = await new Promise<string>((done) => {
    execFile("git", ["config", "--get", "user.email"], { cwd: directory }, (error, stdout) => done(error ? "" : stdout.trim()));
  });
  return { user, ...(email ? { email } : {}) };
}
