// The load tools refuse every address that is not on this machine.

/** Parses a URL of any scheme; ends the program when its host is not loopback. */
export function loopbackUrl(text: string): URL {
  // Node parses ports and hosts of unknown schemes differently, so the URL is parsed as HTTP.
  const url = new URL(text.replace(/^[a-z]+:/, 'http:'));
  if (/^(127\.\d+\.\d+\.\d+|localhost)$/.test(url.hostname)) return url;
  console.error(`loopback only: ${text}`);
  process.exit(2);
}
