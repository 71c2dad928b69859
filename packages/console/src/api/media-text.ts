// Fetches a text file of a media path. The query of the address authorizes the request.

/** Resolves with the text, or '' if the server refuses the request. */
export async function fetchMediaText(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { signal });
  return response.ok ? response.text() : '';
}
