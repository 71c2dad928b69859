// A block of loopback ports for the servers under test. Set BENCH_PORTS to the start of a free block if a port is in use.

const base = Number(process.env.BENCH_PORTS ?? 28_000);

export const ports = {
  http: base + 80,
  rtmp: base + 35,
  rtsp: base + 54,
  /** RTP of RTSP viewers over UDP; RTCP is on the next port. */
  rtspUdp: base + 56,
  srt: base + 90,
  /** Port to which srt-live-transmit sends the stream. */
  srtOut: base + 91,
  rtc: base + 92,
  srsApi: base + 85,
  relay: base + 93,
  pushTarget: base + 94,
  cameras: base + 95,
  /** Port of the WebRTC viewer that is killed and then reconnects. */
  deadViewer: base + 777,
} as const;
