// The reader as the person of the demo (`--me`): in their own editor on a terminal, else wherever they save the form.
import { nextOf } from "./listen.mjs";

/** Until the form is accepted. What became of a save is asked of envoy, so that each standing of the gate gets one turn. */
export async function readerAnswers(stage, waiters, form) {
  const { stdin, stdout, env } = process;
  const editor = stdin.isTTY && stdout.isTTY ? env.VISUAL || env.EDITOR : undefined;
  const [, id] = /\((\w+)\)/.exec(await waiters[0].says("No person has answered yet"));
  const turn = `Your turn. Edit ${form}\nSet done: true at its end and save; the demo goes on by itself.`;
  stage.print(`\n${turn}`);
  let timesToldOf = 0;
  for (let event = editor ? "enter" : await nextOf(waiters); event !== "over";) {
    if (event === "enter") await stage.edit(editor, form);
    const next = nextOf(waiters);
    const gate = await standing(stage, id);
    if (gate.gate_status !== "open") return;
    if (event === "enter" || gate.times_handed_back > timesToldOf) {
      stage.print(`\nThe form ${gate.form === "handed_back" ? "came back to you" : "is not finished yet"}. ${turn}`);
      if (editor) stage.print("Press Enter to open it again.");
    }
    timesToldOf = gate.times_handed_back;
    event = await (editor ? Promise.race([next, enter()]).finally(leaveTerminal) : next);
  }
}

async function standing(stage, id) {
  const { document } = await stage.start(["show", id], { person: true, shown: false }).end;
  return document.data;
}

const enter = () => new Promise((pressed) => process.stdin.resume().once("data", () => pressed("enter")));

/** What is typed from now on is the editor's. */
const leaveTerminal = () => process.stdin.removeAllListeners("data").pause();
