// What a plan is not ready for.
import { EXIT, define } from "./error-definition.ts";

export const PLAN_ERRORS = {
  no_branch: define<{ directory: string }>({
    exit: EXIT.state,
    when: "HEAD is detached, so no branch says which plan is meant",
    message: (p) => `No branch is checked out in ${p.directory} (detached HEAD), so the plan is not known.`,
    suggestion: () => "Check out the feature branch, or name the plan's folder with `--plan-dir PATH`.",
  }),
  no_plan: define<{ directory: string; branch?: string }>({
    exit: EXIT.state,
    when: "there is no plan for this branch yet",
    message: (p) =>
      p.branch ? `There is no plan for the branch ${p.branch} (looked in ${p.directory}).` : `There is no plan in ${p.directory}.`,
    suggestion: () => "Run `envoy plan init`.",
  }),
  plan_not_found: define<{ plan: string; known: string[] }>({
    exit: EXIT.state,
    when: "no plan has this name",
    message: (p) => `There is no plan named ${JSON.stringify(p.plan)}.${p.known.length ? ` Plans: ${p.known.join(", ")}.` : ""}`,
    suggestion: () => "Run `envoy plan list`.",
  }),
  plan_not_written: define<{ file: string }>({
    exit: EXIT.state,
    when: "the plan has no plan.md yet",
    message: (p) => `The plan has no text yet: ${p.file} does not exist.`,
    suggestion: () => "Write it with `envoy plan write-plan --title … --objective … --input FILE`.",
  }),
  plan_in_use: define<{ plan: string; forms: string[] }>({
    exit: EXIT.state,
    when: "a plan with open forms is to be archived",
    message: (p) => `The plan ${p.plan} still has open forms: ${p.forms.join(", ")}.`,
    suggestion: () => "`envoy inbox` lists them; answer or withdraw them first.",
  }),
  finding_not_found: define<{ specialist: string; known: string[] }>({
    exit: EXIT.state,
    when: "this specialist has no findings",
    message: (p) =>
      `There are no findings of the specialist ${p.specialist}.${p.known.length ? ` Specialists: ${p.known.join(", ")}.` : ""}`,
    suggestion: (p) => `Run \`envoy plan write-finding ${p.specialist} --notes …\`.`,
  }),
  approach_not_found: define<{ specialist: string; approach_id: string; known: string[] }>({
    exit: EXIT.state,
    when: "the specialist has no approach with this number and variant",
    message: (p) => `${p.specialist} has no approach ${p.approach_id}.${p.known.length ? ` Approaches: ${p.known.join(", ")}.` : ""}`,
    suggestion: () => "Run `envoy plan get-findings`.",
  }),
  prompt_not_found: define<{ prompt_id: string; known: string[] }>({
    exit: EXIT.state,
    when: "there is no prompt with this number and variant",
    message: (p) => `There is no prompt ${p.prompt_id}.${p.known.length ? ` Prompts: ${p.known.join(", ")}.` : ""}`,
    suggestion: () => "Run `envoy plan list-prompts`.",
  }),
  standalone_exists: define<{ what: string; number: number; clear: string }>({
    exit: EXIT.state,
    when: "a variant is to be written where the number exists without variants",
    message: (p) => `${p.what} ${p.number} exists without variants; a number has either one standalone text or variants.`,
    suggestion: (p) => `Remove the standalone one first: \`${p.clear}\`.`,
  }),
  variants_exist: define<{ what: string; number: number; variants: string[]; clear: string }>({
    exit: EXIT.state,
    when: "a standalone text is to be written where the number has variants",
    message: (p) => `${p.what} ${p.number} has the variants ${p.variants.join(", ")}; a number has either one standalone text or variants.`,
    suggestion: (p) => `Name a variant, or remove them first: \`${p.clear}\` for each.`,
  }),
  tested_by_gate_only: define<{ prompt_id: string; command: string }>({
    exit: EXIT.state,
    when: "`tested` is to be set by hand on a prompt that a person must test",
    message: (p) => `Prompt ${p.prompt_id} requires manual testing; only a person's answer sets it to tested.`,
    suggestion: (p) => `Run \`${p.command}\`.`,
  }),
  prompt_in_use: define<{ prompt_id: string; branch: string }>({
    exit: EXIT.state,
    when: "a prompt that was started is to be removed",
    message: (p) => `Prompt ${p.prompt_id} was started on the branch ${p.branch}; its file is the only record of that.`,
    suggestion: () => "Add `--force` to remove the prompt; the branch and its worktree stay.",
  }),
  branch_exists: define<{ branch: string; prompt_id: string }>({
    exit: EXIT.state,
    when: "the branch that a prompt would get exists already and is not the prompt's",
    message: (p) => `The branch ${p.branch} exists already, but prompt ${p.prompt_id} was not started on it.`,
    suggestion: (p) => `Rename it away: \`git branch -m ${p.branch} ${p.branch}-old\`, then run the command again.`,
  }),
  path_taken: define<{ path: string; purpose: string }>({
    exit: EXIT.state,
    when: "the folder that envoy would make exists already",
    message: (p) => `${p.path} exists already and cannot become ${p.purpose}.`,
    suggestion: () => "Move it away or name another path with `--worktree PATH`.",
  }),
  not_in_git: define<{ directory: string }>({
    exit: EXIT.state,
    when: "a command that needs branches runs outside git",
    message: (p) => `${p.directory} is not in a git repository, and this command makes branches.`,
    suggestion: () => "Run it inside the project's repository (`git init` makes one).",
  }),
  no_commits: define<{ branch: string }>({
    exit: EXIT.state,
    when: "a branch is to be made from a branch without commits",
    message: (p) => `The branch ${p.branch} has no commit to start from.`,
    suggestion: () => "Make a first commit.",
  }),
};
