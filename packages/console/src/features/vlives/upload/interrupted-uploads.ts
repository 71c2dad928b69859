// Lists uploads that a reload or a browser crash interrupted. The tus library stores the state of uploads in the browser.

export interface InterruptedUpload {
  storageKey: string;
  name: string;
  totalBytes: number;
  /** Epoch milliseconds. */
  startedMs: number;
}

/** Prefix of the tus library's storage keys. */
const keyPrefix = 'tus::';
/** Maximum age of a listed upload, milliseconds. The server deletes older uploads. */
const keptMs = 24 * 3_600_000;

/** Interrupted uploads, newest first, without unreadable and expired entries. */
export function interruptedUploads(storage: Storage, nowMs: number): InterruptedUpload[] {
  try {
    return Object.keys(storage)
      .filter((key) => key.startsWith(keyPrefix))
      .flatMap((key) => parse(key, storage.getItem(key) ?? ''))
      .filter(({ startedMs }) => nowMs - startedMs < keptMs)
      .sort((a, b) => b.startedMs - a.startedMs);
  } catch {
    return [];
  }
}

/** Removes an upload from the list only. The server later deletes the uploaded data. */
export function forgetInterrupted(storage: Storage, { storageKey }: InterruptedUpload): void {
  storage.removeItem(storageKey);
}

function parse(storageKey: string, text: string): InterruptedUpload[] {
  try {
    const entry = JSON.parse(text) as { size?: number; creationTime?: string; metadata?: { filename?: string } };
    const startedMs = Date.parse(entry.creationTime ?? '');
    const name = entry.metadata?.filename ?? '';
    if (name === '' || Number.isNaN(startedMs)) return [];
    return [{ storageKey, name, totalBytes: entry.size ?? 0, startedMs }];
  } catch {
    return [];
  }
}
