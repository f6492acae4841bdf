import { Lexer } from "yaml";

/**
 * How deep a text nests, found with the lexer alone: a few kilobytes of `[` or `? ` abort the process inside
 * the parser, where nothing can be caught. Gives up at `limit` and returns the offset where it was passed.
 */
export function nestingBeyond(text: string, limit: number): number | undefined {
  const columns: number[] = []; // of the open block collections, outermost first
  let flow = 0;
  let offset = 0;
  let column = 0;
  for (const token of new Lexer().lex(text)) {
    if (isMarker(token)) continue; // the lexer's own signs have no place in the text
    const first = token[0];
    if (first === "[" || first === "{") flow++;
    else if (first === "]" || first === "}") flow = Math.max(0, flow - 1);
    else if (flow === 0 && opensBlock(token)) {
      while (columns.length && columns[columns.length - 1]! > column) columns.pop();
      if (columns[columns.length - 1] !== column) columns.push(column);
    }
    if (flow + columns.length > limit) return offset;
    offset += token.length;
    const newline = token.lastIndexOf("\n");
    column = newline < 0 ? column + token.length : token.length - newline - 1;
  }
  return undefined;
}

const isMarker = (token: string) => token === "\u0002" || token === "\u0018" || token === "\u001f" || token === "\ufeff";

const opensBlock = (token: string) => !/^[\s#,:]/.test(token);
