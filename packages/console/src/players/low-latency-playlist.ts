/** Whether the path has the suffix of low-latency playlists. */
export function isLowLatencyPlaylist(address: string): boolean {
  return /\.ll\.m3u8$/i.test(new URL(address).pathname);
}
