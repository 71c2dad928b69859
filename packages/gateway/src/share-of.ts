// Selects the gateway of a machine that handles a stream. All gateways compute the same result.

/** Returns 0 to `count` - 1 (FNV-1a, 32 bits). */
export function shareOf(stream: string, count: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(stream)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % count;
}
