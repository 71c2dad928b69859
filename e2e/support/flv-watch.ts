// An HTTP-FLV viewer that records arrival times. A test can detect missing or late media.

export interface FlvWatch {
  /**
   * Largest step between the timestamps of consecutive video tags, milliseconds. A missing frame makes a step larger
   * than a frame interval.
   */
  longestStepMs(): number;
  /** Longest time without a byte, milliseconds. */
  longestPauseMs(): number;
  /** Reason why playback ended; undefined while the viewer plays. */
  ended(): string | undefined;
  forget(): void;
  close(): void;
}

const fileHeaderBytes = 13;
const tagHeaderBytes = 11;
const tagTrailerBytes = 4;
const videoTag = 9;

/** Resolves when the first byte has arrived. */
export async function watchFlv(url: string): Promise<FlvWatch> {
  const leave = new AbortController();
  const response = await fetch(url, { signal: leave.signal });
  if (!response.ok || !response.body) throw new Error(`${url} returned ${response.status}`);
  let [longestStepMs, longestPauseMs, lastVideoMs] = [0, 0, undefined as number | undefined];
  let lastByteAt = performance.now();
  let ended: string | undefined;
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let isStarted = false;

  const readTags = (): void => {
    if (!isStarted && rest.length < fileHeaderBytes) return;
    if (!isStarted) rest = rest.subarray(fileHeaderBytes);
    isStarted = true;
    while (rest.length >= tagHeaderBytes) {
      const size = rest.readUIntBE(1, 3) + tagHeaderBytes + tagTrailerBytes;
      if (rest.length < size) return;
      const atMs = rest.readUIntBE(4, 3) + (rest[7] ?? 0) * 2 ** 24;
      if (rest[0] === videoTag) {
        if (lastVideoMs !== undefined) longestStepMs = Math.max(longestStepMs, atMs - lastVideoMs);
        lastVideoMs = atMs;
      }
      rest = rest.subarray(size);
    }
  };
  const read = async (): Promise<void> => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      longestPauseMs = Math.max(longestPauseMs, performance.now() - lastByteAt);
      lastByteAt = performance.now();
      rest = Buffer.concat([rest, chunk]);
      readTags();
    }
    ended = 'the server ended it';
  };
  read().catch((error: Error) => {
    ended = error.message;
  });
  return {
    longestStepMs: () => longestStepMs,
    longestPauseMs: () => Math.max(longestPauseMs, performance.now() - lastByteAt),
    ended: () => ended,
    forget: () => {
      [longestStepMs, longestPauseMs, lastByteAt] = [0, 0, performance.now()];
    },
    close: () => leave.abort(),
  };
}
