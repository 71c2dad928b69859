// Delivery directives of low-latency playlist requests (RFC 8216bis §6.2.5): wait for a position, skip older segments.

export interface DeliveryDirectives {
  /** Position to wait for; undefined: none. `part` undefined: the whole segment. */
  readonly place: { readonly mediaSequence: number; readonly part: number | undefined } | undefined;
  readonly isDelta: boolean;
}

/** Parameters with this prefix are for the server only. No URL in a playlist contains them. */
export const directivePrefix = '_HLS_';
/** Numbers of twelve digits are exact, and enough for a thousand years. */
const numberPattern = /^\d{1,12}$/;

/** Parses a query; undefined if a directive is invalid. Unknown directives are ignored. @param query with its question mark. */
export function parseDeliveryDirectives(query: string): DeliveryDirectives | undefined {
  const parameters = new URLSearchParams(query);
  const [msn, part, skip] = ['msn', 'part', 'skip'].map((name) => parameters.get(directivePrefix + name));
  if ((msn !== null && !numberPattern.test(msn!)) || (part !== null && (msn === null || !numberPattern.test(part!))))
    return undefined;
  return {
    place: msn === null ? undefined : { mediaSequence: Number(msn), part: part === null ? undefined : Number(part) },
    isDelta: skip === 'YES' || skip === 'v2',
  };
}
