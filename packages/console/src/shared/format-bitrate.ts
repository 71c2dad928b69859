const units = ['bps', 'kbps', 'Mbps', 'Gbps', 'Tbps'] as const;
/** Number of significant digits. More digits would change constantly. */
const digits = 3;

/** Three digits, with units of 1,000: `812 kbps`, `2.41 Mbps`, `5.85 Gbps`. */
export function formatBitrate(bitsPerSecond: number, locale: string): string {
  // Rounding before selecting the unit turns 999.6 kbps into 1 Mbps.
  const rounded = Number(bitsPerSecond.toPrecision(digits));
  const exponent = rounded < 1_000 ? 0 : Math.min(Math.floor(Math.log10(rounded) / 3), units.length - 1);
  const value = rounded / 1_000 ** exponent;
  return `${value.toLocaleString(locale, { maximumSignificantDigits: digits })} ${units[exponent]}`;
}
