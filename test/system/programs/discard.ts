// Discards what PLAN says and prints the result: discard COMMON_DIR PLAN.
import { discardBranch, type DiscardPlan } from "../../../src/system/git-discard.ts";

const [commonDir = "", plan = ""] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await discardBranch(commonDir, JSON.parse(plan) as DiscardPlan)));
