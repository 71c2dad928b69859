const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Units of 1024, with one decimal below 100: `1.2 GB`, `830 KB`. */
export function formatBytes(bytes: number, locale: string): string {
  const exponent = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** exponent;
  const digits = exponent === 0 || value >= 100 ? 0 : 1;
  return `${value.toLocaleString(locale, { maximumFractionDigits: digits })} ${units[exponent]}`;
}
