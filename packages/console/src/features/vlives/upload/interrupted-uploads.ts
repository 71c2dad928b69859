// Uploads that were interrupted by a reload or a crash of the browser. The upload library stores their state in the browser.

export interface InterruptedUpload {
  storageKey: string;
  name: string;
  totalBytes: number;
  /** Epoch milliseconds. */
  startedMs: number;
}

/** Prefix of the keys that the upload library stores. */
const keyPrefix = 'tus::';
/** Age at which an interrupted upload is omitted, milliseconds: the server has then deleted it. */
const keptMs = 24 * 3_600_000;

/** The interrupted uploads, newest first; unreadable and expired ones are omitted. */
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

/** Removes the upload from the list; the server deletes its data by itself. */
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
