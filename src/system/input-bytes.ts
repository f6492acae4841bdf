/** What envoy takes as input at most, from a file or from stdin. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** Reads to the end, or until it is clear that there is too much (`/dev/zero`, a log that never ends). */
export async function readInputBytes(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    total += (chunk as Buffer).length;
    if (total > MAX_INPUT_BYTES) break;
  }
  return Buffer.concat(chunks);
}
