// Detects playlists that consist of parts.

/** Suffix of the addresses of low-latency playlists. */
export function isLowLatencyPlaylist(address: string): boolean {
  return /\.ll\.m3u8$/i.test(new URL(address).pathname);
}
