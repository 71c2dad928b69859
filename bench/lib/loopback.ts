// Guards the load tools: they refuse every address that is not on this machine.

/** Parses a URL of any scheme. Ends the program when the host is not loopback. */
export function loopbackUrl(text: string): URL {
  // Node parses ports and hosts of unknown schemes differently, so the scheme is replaced by HTTP.
  const url = new URL(text.replace(/^[a-z]+:/, 'http:'));
  if (/^(127\.\d+\.\d+\.\d+|localhost)$/.test(url.hostname)) return url;
  console.error(`loopback only: ${text}`);
  process.exit(2);
}
