const bytesPerMegabyte = 1024 * 1024;

/** `12.3 MB`: one decimal. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / bytesPerMegabyte).toFixed(1)} MB`;
}

/** `61.5 s`: one decimal. */
export function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}
