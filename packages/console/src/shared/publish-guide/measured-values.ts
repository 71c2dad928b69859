// Measurements quoted in help texts, rounded; measured on one machine with two cores.

/** WHIP to WHEP in Chromium, 640×360 at 30 fps, from drawing to displaying a frame, milliseconds (scenario `browser1`). */
export const browserLatency = { medianMs: 10, p99Ms: 31 } as const;

/** Number of WebRTC viewers per CPU core of the media process, each at 1 Mbps; measured with 100 viewers. */
export const webrtcViewersPerCore = 465;

/** SRT input at 2 Mbps, from sending to receiving, 99th percentile, milliseconds. */
export const srtLatency = {
  /** Without packet loss: the SRT latency setting, and the latency of HTTP-FLV and SRT players. */
  clean: { settingMs: 120, flvMs: 155, srtMs: 176 },
  /** With 10 % packet loss in each direction and a round trip of 60 ms; no frame was lost. */
  lossy: { settingMs: 400, lossPercent: 10, roundTripMs: 60, flvMs: 466 },
} as const;
