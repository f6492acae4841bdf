import { type TaskRow, taskData, taskRows } from "../../src/questions/task-view.ts";
import { defineCommand } from "../command.ts";
import { openSettledHouse } from "../settled-house.ts";
import { TASK_COLUMNS, taskCells, taskTone } from "./rows.ts";

interface Node {
  row: TaskRow;
  children: Node[];
}

export const command = defineCommand({
  summary: "Tasks below their parents",
  example: "envoy task tree",
  async run(_input, context) {
    const roots = treeOf(await taskRows(await openSettledHouse(context)));
    const lines = roots.flatMap((node) => linesOf(node, { lead: "", own: "" }));
    const table = {
      columns: TASK_COLUMNS,
      sparse: true,
      rows: lines.map(({ row, lead }) => taskCells(row, lead)),
      tones: lines.map(({ row }) => taskTone(row)),
      empty: "No tasks yet. Make one with `envoy task set <id>`.",
    };
    return { data: { tasks: roots.map(dataOf) }, table };
  },
});

/** A task whose parent is unknown, or whose ancestors go in a circle, stands at the top. */
function treeOf(rows: readonly TaskRow[]): Node[] {
  const nodes = new Map(rows.map((row) => [row.task.task_id, { row, children: [] as Node[] }]));
  const parentOf = (id: string) => nodes.get(nodes.get(id)?.row.task.parent ?? "");
  const roots: Node[] = [];
  for (const [id, node] of nodes) {
    const parent = parentOf(id);
    if (parent && reachesTop(id, parentOf)) parent.children.push(node);
    else roots.push(node);
  }
  return roots;
}

function reachesTop(id: string, parentOf: (id: string) => Node | undefined): boolean {
  const seen = new Set([id]);
  for (let at = parentOf(id); at; at = parentOf(at.row.task.task_id)) {
    if (seen.has(at.row.task.task_id)) return false;
    seen.add(at.row.task.task_id);
  }
  return true;
}

function linesOf({ row, children }: Node, { lead, own }: { lead: string; own: string }): { row: TaskRow; lead: string }[] {
  const below = children.flatMap((child, i) => {
    const last = i === children.length - 1;
    return linesOf(child, { lead: lead + (last ? "   " : "│  "), own: `${lead}${last ? "└─ " : "├─ "}` });
  });
  return [{ row, lead: own }, ...below];
}

const dataOf = ({ row, children }: Node): object => ({ ...taskData(row), children: children.map(dataOf) });
