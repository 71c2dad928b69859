// Speed of an upload: the mean of the last seconds, so that the number is readable. Pure; the clock is a parameter.

/** Period over which the speed is averaged, milliseconds. */
const windowMs = 5_000;

export interface UploadMeter {
  /** Records the bytes that the server has received at `nowMs`, epoch milliseconds. */
  record(sentBytes: number, nowMs: number): void;
  /** Mbit/s over the last seconds; 0 before there are two values. */
  speedMbps(nowMs: number): number;
}

export function createUploadMeter(): UploadMeter {
  let samples: { bytes: number; atMs: number }[] = [];
  return {
    record(sentBytes, nowMs) {
      // A retry may resume at a lower offset, from which the speed is measured anew.
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

/** Whole percent; 100 only if every byte was received. */
export function percentOf(sentBytes: number, totalBytes: number): number {
  return totalBytes > 0 ? Math.min(100, Math.floor((sentBytes / totalBytes) * 100)) : 100;
}
