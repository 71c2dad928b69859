// Measures the upload speed as the mean of the last seconds. The caller passes the time. Pure.

/** Averaging period, milliseconds. */
const windowMs = 5_000;

export interface UploadMeter {
  /** Records the bytes received by the server until `nowMs`, epoch milliseconds. */
  record(sentBytes: number, nowMs: number): void;
  /** Mean of the last seconds, Mbit/s; 0 before there are two values. */
  speedMbps(nowMs: number): number;
}

export function createUploadMeter(): UploadMeter {
  let samples: { bytes: number; atMs: number }[] = [];
  return {
    record(sentBytes, nowMs) {
      // A retry that resumes at a lower offset restarts the measurement.
      if (sentBytes < (samples.at(-1)?.bytes ?? 0)) samples = [];
      samples.push({ bytes: sentBytes, atMs: nowMs });
      while (samples.length > 2 && nowMs - samples[1]!.atMs >= windowMs) samples.shift();
    },
    speedMbps(nowMs) {
      const [first, last] = [samples[0], samples.at(-1)];
      if (first === undefined || last === undefined || first === last) return 0;
      const seconds = Math.max(nowMs - first.atMs, 1) / 1000;
      return ((last.bytes - first.bytes) * 8) / 1_000_000 / seconds;
    },
  };
}

/** Whole percent; 100 only after the last byte. */
export function percentOf(sentBytes: number, totalBytes: number): number {
  return totalBytes > 0 ? Math.min(100, Math.floor((sentBytes / totalBytes) * 100)) : 100;
}
