// Shows envoy's main job from end to end in a repository of its own: no question asked, nothing left behind.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const binary = resolve(dirname(fileURLToPath(import.meta.url)), "../dist/bin/envoy.cjs");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "envoy-demo-")));
const environment = { ...process.env, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
for (const name of ["ENVOY_DIR", "ENVOY_PLAN_DIR"]) delete environment[name];

const git = (...args) =>
  execFileSync("git", ["-c", "user.name=Demo", "-c", "user.email=demo@example.invalid", ...args], { cwd: folder, env: environment });
const title = (text) => console.log(`\n── ${text} ${"─".repeat(Math.max(3, 70 - text.length))}`);

/** Shows a command as one would type it, and its JSON as the agent gets it. */
function envoy(args, input) {
  const shown = args.map((arg) => (/^[\w./,=-]+$/.test(arg) ? arg : `'${arg}'`)).join(" ");
  console.log(`\n$ envoy ${shown}${input === undefined ? "" : " < detail.md"}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...args], {
    cwd: folder,
    env: environment,
    input: input ?? "",
    encoding: "utf8",
  });
  if (stderr) process.stderr.write(stderr);
  const document = JSON.parse(stdout);
  console.log(JSON.stringify(document, null, 2).replaceAll(folder, "~/project"));
  if (status !== 0) console.log(`exit code ${status}`);
  return document;
}

try {
  git("init", "-q", "-b", "feature/login");
  git("commit", "-q", "--allow-empty", "-m", "Start");

  title("An agent begins a plan for its branch");
  envoy(["plan", "init"]);

  title("Two specialists write down what they found");
  const approaches = [
    { number: 1, description: "Sessions in Redis", required_clarifying_questions: [{ question: "Is Redis allowed in production?" }] },
  ];
  envoy(["plan", "write-finding", "backend", "--notes", "No sessions yet, see PR #12", "--approaches", JSON.stringify(approaches)]);
  envoy(
    ["plan", "write-approach", "frontend", "1", "--variant", "A", "--description", "Passkeys", "--files", "src/login.ts", "--input", "-"],
    "# Passkeys\n\nWebAuthn in the browser, no password field.\n",
  );
  envoy(["plan", "write-approach", "frontend", "1", "--variant", "B", "--description", "Magic link by mail"]);

  title("A number has variants or stands alone: envoy refuses the mixture");
  envoy(["plan", "write-approach", "frontend", "1", "--description", "Passwords"]);

  title("Reading back: open questions are for the person, not for agents");
  envoy(["plan", "get-findings"]);
  envoy(["plan", "get-finding-approach", "frontend", "1", "A"]);

  title("The plan and its prompts");
  envoy(["plan", "write-plan", "--title", "Login", "--objective", "People sign in without a password"]);
  envoy(["plan", "write-prompt", "1", "--description", "Session store", "--criteria", "A session survives a restart"]);
  envoy(["plan", "write-prompt", "2", "A", "--description", "Passkey form", "--depends-on", "1", "--requires-manual-testing"]);
  envoy(["plan", "next"]);

  title("Work on a prompt, in a branch and worktree of its own");
  envoy(["plan", "start-prompt", "1"]);
  envoy(["plan", "complete-prompt", "1"]);
  envoy(["plan", "set-prompt-status", "1", "--status", "tested"]);
  envoy(["plan", "next"]);

  title("Only a person may say that this one is tested");
  envoy(["plan", "set-prompt-status", "2", "A", "--status", "tested"]);

  title("What a person says later goes into the audit trail");
  envoy(["plan", "append-user-input", "Use the staging Redis, not the local one."]);
  console.log(
    `\n$ cat .envoy/plans/feature-login/user_input.md\n${execFileSync("cat", [join(folder, ".envoy/plans/feature-login/user_input.md")], { encoding: "utf8" })}`,
  );
  title("An agent asks, goes on with other work, and is halted meanwhile");
  const { data: asked } = envoy(["ask", "Which mail provider?", "--task", "login", "--choice", "SES", "--choice", "Postmark", "--no-wait"]);
  envoy(["check"]);

  title("A person answers; the agent may go on, and the next worker gets the answer once");
  envoy(["answer", "login", "Postmark"]);
  envoy(["wait", asked.question_id]);
  envoy(["check"]);
  envoy(["context", "--task", "login", "--take"]);

  console.log("The demo is over; its repository was temporary and is gone.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
