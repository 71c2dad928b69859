// The access control syntax of stream ids: `#!::key=value,key=value` (SRT Access Control guidelines). A `?` separates like
// a comma and `&` separates parameters after it, because encoders send `r=live/name?secret=X,m=publish`.

export interface StreamIdFields {
  /** Keys in the order they came; the last value of a repeated key wins. */
  readonly fields: ReadonlyMap<string, string>;
  /** The same with every value of a repeated key. */
  readonly pairs: readonly (readonly [key: string, value: string])[];
  /** True for the `#!::` form; false for a plain resource name, which is then under the key `r`. */
  readonly isStandard: boolean;
}

const prefix = '#!::';
/** Longest stream id of the protocol, bytes (§3.2.1.3). */
export const maxStreamIdBytes = 512;

/** Splits a stream id; never throws. Pieces without `=` get an empty value. */
export function parseStreamId(raw: string): StreamIdFields {
  const streamId = decodeEscapes(raw);
  const isStandard = streamId.startsWith(prefix);
  const text = isStandard ? streamId.slice(prefix.length) : `r=${streamId}`;
  const pieces = text.split(/[,?&]/).filter((piece) => piece !== '');
  const pairs = pieces.map((piece): [string, string] => {
    const equals = piece.indexOf('=');
    return equals < 0 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
  });
  return { fields: new Map(pairs), pairs, isStandard };
}

/** FFmpeg and others send what stands in the URL as it is: an escaped id arrives escaped. */
function decodeEscapes(streamId: string): string {
  if (!/^%23(!|%21)/i.test(streamId)) return streamId;
  try {
    return decodeURIComponent(streamId);
  } catch {
    return streamId;
  }
}
