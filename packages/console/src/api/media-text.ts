// Fetches a text file of a media path, outside the API calls: the query of the address authorizes it.

/** Resolves with '' when the server refuses it. */
export async function fetchMediaText(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { signal });
  return response.ok ? response.text() : '';
}
