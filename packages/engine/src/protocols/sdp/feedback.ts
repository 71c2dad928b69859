// What an answer asks the peer to report back.

/**
 * A player's answer without the request for bitrate estimates (REMB): one encoder serves everybody here, so nobody's estimate is
 * heeded, and Chromium would send one five times per second, each as much work for the server as ten packets sent.
 */
export function withoutBitrateEstimates(answer: string): string {
  return answer.replace(/^a=rtcp-fb:\S+ goog-remb\r?\n/gim, '');
}
