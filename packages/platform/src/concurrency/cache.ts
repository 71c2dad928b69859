/** Shares a value among all callers until the value expires. Failures are not cached. */
export function createCache<T>(maxAgeMs: number, nowMs: () => number, read: () => Promise<T>): () => Promise<T> {
  let cached: { atMs: number; value: Promise<T> } | undefined;
  return () => {
    const atMs = nowMs();
    if (cached && Math.abs(atMs - cached.atMs) < maxAgeMs) return cached.value;
    const entry = { atMs, value: read() };
    cached = entry;
    entry.value.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return entry.value;
  };
}
