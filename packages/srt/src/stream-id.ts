// The access control syntax of stream ids: `#!::key=value,key=value` (SRT Access Control guidelines). A `?` separates like
// a comma and `&` separates parameters after it, because encoders send `r=live/name?secret=X,m=publish`.

export interface StreamIdFields {
  /** Keys in order of appearance; the last value of a repeated key applies. */
  readonly fields: ReadonlyMap<string, string>;
  /** Like `fields`, but with every value of a repeated key. */
  readonly pairs: readonly (readonly [key: string, value: string])[];
  /** True for the `#!::` form; false for a plain resource name, which has the key `r`. */
  readonly isStandard: boolean;
}

const prefix = '#!::';
/** Longest stream id of the protocol, bytes (§3.2.1.3). */
export const maxStreamIdBytes = 512;

/** Splits a stream id; never throws. Pieces without `=` get an empty value. */
export function parseStreamId(raw: string): StreamIdFields {
  // Some forms and scripts append a line break to the id; some older encoders pad it with zero bytes.
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

/** Keys of the access control syntax; the others are parameters, whose names are case-sensitive. */
const standardKeys: readonly string[] = ['h', 'm', 'r', 's', 't', 'u'];

function toKey(text: string): string {
  const key = text.trim();
  const lower = key.toLowerCase();
  return standardKeys.includes(lower) || lower === 'secret' ? lower : key;
}

/** FFmpeg and others send the id from the URL unchanged, so an escaped id arrives escaped. */
function decodeEscapes(streamId: string): string {
  if (!/^%23(!|%21)/i.test(streamId)) return streamId;
  try {
    return decodeURIComponent(streamId);
  } catch {
    return streamId;
  }
}
