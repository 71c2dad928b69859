// A text of a media path, beside the calls: who may have it is decided by its query.

/** Resolves with '' when the server refuses it. */
export async function fetchMediaText(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { signal });
  return response.ok ? response.text() : '';
}
