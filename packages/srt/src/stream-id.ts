// The access control syntax of stream ids: `#!::key=value,key=value` (SRT Access Control guidelines). Because encoders send
// `r=live/name?secret=X,m=publish`, a `?` separates like a comma, and `&` separates the parameters after it.

export interface StreamIdFields {
  /** Keys in order of appearance. For a repeated key, the last value applies. */
  readonly fields: ReadonlyMap<string, string>;
  /** All keys and values, also of repeated keys. */
  readonly pairs: readonly (readonly [key: string, value: string])[];
  /** True for the form `#!::…`. False for a plain resource name, which gets the key `r`. */
  readonly isStandard: boolean;
}

const prefix = '#!::';
/** Maximum length of a stream id, bytes (§3.2.1.3). */
export const maxStreamIdBytes = 512;

/** Splits a stream id. A piece without `=` gets an empty value. Never throws. */
export function parseStreamId(raw: string): StreamIdFields {
  // Some forms and scripts append a line break to the id. Some older encoders append zero bytes.
  const streamId = decodeEscapes(raw.replace(/^\s+|[\s\0]+$/g, ''));
  const isStandard = streamId.startsWith(prefix);
  const text = isStandard ? streamId.slice(prefix.length) : `r=${streamId}`;
  const pieces = text
    .split(/[,?&]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const pairs = pieces.map((piece): [string, string] => {
    const equals = piece.indexOf('=');
    return equals < 0 ? [piece, ''] : [toKey(piece.slice(0, equals)), piece.slice(equals + 1).trim()];
  });
  return { fields: new Map(pairs), pairs, isStandard };
}

/** Keys of the access control syntax. All other keys except `secret` are parameters with case-sensitive names. */
const standardKeys: readonly string[] = ['h', 'm', 'r', 's', 't', 'u'];

function toKey(text: string): string {
  const key = text.trim();
  const lower = key.toLowerCase();
  return standardKeys.includes(lower) || lower === 'secret' ? lower : key;
}

/** FFmpeg and others send the id as it is in the URL, so an escaped id arrives escaped. */
function decodeEscapes(streamId: string): string {
  if (!/^%23(!|%21)/i.test(streamId)) return streamId;
  try {
    return decodeURIComponent(streamId);
  } catch {
    return streamId;
  }
}
