// Detects playlists that consist of parts.

/** The addresses of low-latency playlists end so. */
export function isLowLatencyPlaylist(address: string): boolean {
  return /\.ll\.m3u8$/i.test(new URL(address).pathname);
}
