// Bitrates as text.

const units = ['bps', 'kbps', 'Mbps', 'Gbps', 'Tbps'] as const;
/** Number of significant digits: more would change constantly. */
const digits = 3;

/** `812 kbps`, `2.41 Mbps`, `5.85 Gbps`: powers of 1,000, as networks count, three digits. */
export function formatBitrate(bitsPerSecond: number, locale: string): string {
  // Rounded first, so that 999.6 kbps becomes 1 Mbps.
  const rounded = Number(bitsPerSecond.toPrecision(digits));
  const exponent = rounded < 1_000 ? 0 : Math.min(Math.floor(Math.log10(rounded) / 3), units.length - 1);
  const value = rounded / 1_000 ** exponent;
  return `${value.toLocaleString(locale, { maximumSignificantDigits: digits })} ${units[exponent]}`;
}
