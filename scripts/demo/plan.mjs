// What agents do before and between the gates: findings, a plan, prompts, work in branches of their own.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export async function findings({ title, envoy, git }) {
  git("init", "-q", "-b", "feature/login");
  git("commit", "-q", "--allow-empty", "-m", "Start");

  title("An agent begins a plan for its branch; two specialists write down what they found");
  await envoy(["plan", "init"]);
  const approaches = [{ number: 1, description: "Sessions in Redis, see PR #12" }];
  await envoy(["plan", "write-finding", "backend", "--notes", "No sessions yet", "--approaches", JSON.stringify(approaches)]);
  const passkeys = ["--variant", "A", "--description", "Passkeys", "--files", "src/login.ts", "--question", "Which browsers must work?"];
  await envoy(["plan", "write-approach", "frontend", "1", ...passkeys]);
  await envoy(["plan", "write-approach", "frontend", "1", "--variant", "B", "--description", "Passwords"]);

  title("Reading back: open questions are for the person, not for agents");
  await envoy(["plan", "get-findings"]);
}

export async function prompts({ title, envoy }) {
  title("The plan and its prompts; number 2 is built in two variants");
  await envoy(["plan", "write-plan", "--title", "Login", "--objective", "People sign in without a password"]);
  await envoy(["plan", "write-prompt", "1", "--description", "Session store", "--kind", "debug"]);
  const tested = ["--criteria", "A registered passkey logs in", "--requires-manual-testing"];
  await envoy(["plan", "write-prompt", "2", "A", "--description", "Passkeys by WebAuthn", ...tested]);
  await envoy(["plan", "write-prompt", "2", "B", "--description", "Passkeys by a service"]);
}

export async function work({ title, envoy, folder, git }) {
  title("Each variant is built in a branch and a worktree of its own");
  for (const variant of ["A", "B"]) {
    await envoy(["plan", "start-prompt", "2", variant]);
    const worktree = join(folder, ".envoy/worktrees", `feature-login--2${variant}`);
    writeFileSync(join(worktree, "login.ts"), `export const variant = "${variant}";\n`);
    git("-C", worktree, "add", "login.ts");
    git("-C", worktree, "commit", "-q", "-m", `Variant ${variant}`);
    await envoy(["plan", "complete-prompt", "2", variant]);
  }
  title("Only a person may say that this one is tested");
  await envoy(["plan", "set-prompt-status", "2", "A", "--status", "tested"], { exit: 3 });
}
