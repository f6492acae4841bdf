// A single question: the agent asks, is halted meanwhile, and the next worker on the task gets the answer once.
export async function questions({ title, envoy }) {
  title("An agent asks, goes on with other work, and is halted meanwhile");
  const ask = ["ask", "Which mail provider?", "--task", "login", "--choice", "SES", "--choice", "Postmark", "--no-wait"];
  const { question_id } = await envoy(ask);
  await envoy(["check"], { exit: 10 });

  title("A person answers; the agent may go on, and the next worker gets the answer once");
  await envoy(["answer", "login", "Postmark"], { person: true });
  await envoy(["wait", question_id]);
  await envoy(["check"]);
  await envoy(["context", "--task", "login", "--take"]);
}
