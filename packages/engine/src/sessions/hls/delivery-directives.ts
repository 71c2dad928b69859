// Delivery directives of a low-latency playlist request, RFC 8216bis §6.2.5: wait for a position, skip older segments.

export interface DeliveryDirectives {
  /** Undefined: do not wait. `part` undefined: the whole segment. */
  readonly place: { readonly mediaSequence: number; readonly part: number | undefined } | undefined;
  readonly isDelta: boolean;
}

/** Parameters with this prefix are for the server only and never part of a URL in a playlist. */
export const directivePrefix = '_HLS_';
/** Twelve digits are exact, and more than a stream makes in a thousand years. */
const numberPattern = /^\d{1,12}$/;

/** @param query with its question mark. Undefined when a directive is invalid; unknown ones are ignored. */
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
