import { Lexer } from "yaml";

/**
 * Whether a text nests too deep or has too many keys, found with the lexer alone: a few kilobytes of `[` or `? ` abort
 * the process inside the parser, where nothing can be caught. Gives up where a limit is passed.
 */
export function beyondLimits(
  text: string,
  { maxDepth, maxPairs }: { maxDepth: number; maxPairs: number },
): { offset: number; what: "depth" | "pairs" } | undefined {
  if (surelyWithin(text, { maxDepth, maxPairs })) return undefined;
  const columns: number[] = []; // of the open block collections, outermost first
  let flow = 0;
  let offset = 0;
  let column = 0;
  let pairs = 0;
  for (const token of new Lexer().lex(text)) {
    if (isMarker(token)) continue; // the lexer's own signs have no place in the text
    const first = token[0];
    if (first === "[" || first === "{") flow++;
    else if (first === "]" || first === "}") flow = Math.max(0, flow - 1);
    else if (flow === 0 && opensBlock(token)) {
      while (columns.length && columns[columns.length - 1]! > column) columns.pop();
      if (columns[columns.length - 1] !== column) columns.push(column);
    }
    if (flow + columns.length > maxDepth) return { offset, what: "depth" };
    if (token === ":" && ++pairs > maxPairs) return { offset, what: "pairs" };
    offset += token.length;
    const newline = token.lastIndexOf("\n");
    column = newline < 0 ? column + token.length : token.length - newline - 1;
  }
  return undefined;
}

const isMarker = (token: string) => token === "\u0002" || token === "\u0018" || token === "\u001f" || token === "\ufeff";

const opensBlock = (token: string) => !/^[\s#,:]/.test(token);

/**
 * A look at single characters that never says yes wrongly, several times faster than the lexer: no more levels than the
 * deepest indentation, the dashes, question marks and colons of one line, and the brackets of the whole text allow.
 */
function surelyWithin(text: string, { maxDepth, maxPairs }: { maxDepth: number; maxPairs: number }): boolean {
  let colons = 0;
  let brackets = 0;
  let deepest = 0;
  let line = 0;
  let indenting = true;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || c === 13) {
      line = 0;
      indenting = true;
      continue;
    }
    if (c === 32 || c === 9) {
      if (indenting) line++;
      continue;
    }
    if (c === 45 || c === 63 || c === 58) line++;
    indenting = c === 45 || c === 63; // what follows a dash is indented by it
    if (c === 58) colons++;
    else if ((c === 91 && text.charCodeAt(i + 1) !== 93) || (c === 123 && text.charCodeAt(i + 1) !== 125)) brackets++;
    if (line > deepest) deepest = line;
  }
  return colons <= maxPairs && deepest + brackets + 1 < maxDepth;
}
