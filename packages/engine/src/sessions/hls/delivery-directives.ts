// What a player asks of a low-latency playlist in its query, RFC 8216bis §6.2.5: to wait for a place, to leave out what it has.

export interface DeliveryDirectives {
  /** Undefined: as it is now. `part` undefined: the whole segment. */
  readonly place: { readonly mediaSequence: number; readonly part: number | undefined } | undefined;
  readonly isDelta: boolean;
}

/** Names that begin so are for the server alone and never part of an address in a playlist. */
export const directivePrefix = '_HLS_';
/** Twelve digits are exact, and more than a stream makes in a thousand years. */
const numberPattern = /^\d{1,12}$/;

/** @param query with its question mark. Undefined when a directive is not as it must be; unknown ones are ignored. */
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
