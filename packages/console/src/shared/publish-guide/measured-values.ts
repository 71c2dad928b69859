// Latency and load in the help texts: measured by the bench on one machine with two cores (bench/results/published.json; browser
// latency from the scenario `browser1`), rounded. The texts state the conditions.

/** Chromium to Chromium over WHIP and WHEP, 640×360 at 30 fps, from drawing a frame to showing it; milliseconds. */
export const browserLatency = { medianMs: 10, p99Ms: 31 } as const;

/** WebRTC viewers of 1 Mbps per core of the media process, measured with 100 viewers. */
export const webrtcViewersPerCore = 465;

/** SRT in, 2 Mbps, from the encoder's sending to the player's receiving; milliseconds at the 99th percentile. */
export const srtLatency = {
  /** Without packet loss: SRT latency setting, then the latency at an HTTP-FLV and at an SRT player. */
  clean: { settingMs: 120, flvMs: 155, srtMs: 176 },
  /** With 10 % packet loss in each direction and a round trip of 60 ms; every frame arrived. */
  lossy: { settingMs: 400, lossPercent: 10, roundTripMs: 60, flvMs: 466 },
} as const;
