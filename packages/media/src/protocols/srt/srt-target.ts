// SRT address of a caller: host, port, and query options with FFmpeg's names.

export interface SrtTarget {
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly streamId: string;
  readonly passphrase: string | undefined;
  /** Length of the key, bytes; undefined for the shortest. */
  readonly keyLength: 16 | 24 | 32 | undefined;
  /** Latency requested from the listener, milliseconds; undefined for the default. */
  readonly latencyMs: number | undefined;
}

const serverPattern = /^srt:\/\/(?:[^/?#]*@)?(\[[0-9a-f:.]+\]|[^/?#:@[\]]+):(\d{1,5})(?:[/?#]|$)/i;
const highestPort = 65_535;
/** FFmpeg uses microseconds; smaller values are milliseconds, as users of libsrt enter them. */
const smallestMicroseconds = 10_000;
const longestLatencyMs = 60_000;
const passphraseLength = { shortest: 10, longest: 79 } as const;

/** Returns undefined for an address without a port, and for a passphrase of an invalid length. Ignores other invalid options. */
export function parseSrtTarget(address: string): SrtTarget | undefined {
  const [, host = '', portText = ''] = serverPattern.exec(address) ?? [];
  const port = Number(portText);
  if (host === '' || port < 1 || port > highestPort) return undefined;
  const options = readOptions(address.includes('?') ? address.slice(address.indexOf('?') + 1) : '');
  const passphrase = options.get('passphrase') || undefined;
  const isUsable =
    passphrase === undefined ||
    (passphrase.length >= passphraseLength.shortest && passphrase.length <= passphraseLength.longest);
  if (!isUsable) return undefined;
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port,
    streamId: options.get('streamid') ?? '',
    passphrase,
    keyLength: keyLengthOf(options.get('pbkeylen')),
    latencyMs: latencyOf(options.get('latency') ?? options.get('peerlatency')),
  };
}

/** The first `=` ends the option name. The value may contain `=`. */
function readOptions(query: string): ReadonlyMap<string, string> {
  return new Map(
    query.split('&').map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair.toLowerCase(), ''] : [pair.slice(0, at).toLowerCase(), decoded(pair.slice(at + 1))];
    }),
  );
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function keyLengthOf(text: string | undefined): SrtTarget['keyLength'] {
  const length = Number(text);
  return length === 16 || length === 24 || length === 32 ? length : undefined;
}

function latencyOf(text: string | undefined): number | undefined {
  const value = Number(text);
  if (!text || !Number.isFinite(value) || value < 0) return undefined;
  return Math.min(value >= smallestMicroseconds ? value / 1_000 : value, longestLatencyMs);
}
