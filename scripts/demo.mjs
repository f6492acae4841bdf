// Shows envoy's main job from end to end in a repository of its own: no question asked, nothing left behind.
// With `--me` the reader is the person: each form is named, opened in $VISUAL or $EDITOR where there is a terminal, and the
// demo waits until it is accepted.
import { findingsGate, loggingGate, planGate, testingGate, trail, variantsGate } from "./demo/gates.mjs";
import { findings, prompts, work } from "./demo/plan.mjs";
import { questions } from "./demo/questions.mjs";
import { qualityGates } from "./demo/quality.mjs";
import { openStage } from "./demo/stage.mjs";

const stage = openStage({ me: process.argv.includes("--me") });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => {
    stage.close();
    process.kill(process.pid, signal);
  });

try {
  await findings(stage);
  await findingsGate(stage);
  await prompts(stage);
  await planGate(stage);
  await loggingGate(stage);
  await work(stage);
  await testingGate(stage);
  await variantsGate(stage);
  await questions(stage);
  await qualityGates(stage);
  await trail(stage);
  stage.print("\nThe demo is over; its repository was temporary and is gone.");
} catch (error) {
  console.error(`\n${error.stack}`);
  process.exitCode = 1;
} finally {
  stage.close();
}
