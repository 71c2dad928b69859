// RTCP sender reports of a broadcast, by which players synchronize audio and video. The reports to different viewers are spread over time,
// because a burst of reports and responses would delay a frame.
import { writeSenderReport } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { type Kind, kinds } from './fan-out.ts';

/**
 * Interval per viewer, milliseconds. One report is enough to synchronize, because both clocks run evenly. Repeated reports measure the
 * round trip time. Some players also send reports only after receiving a report.
 */
const intervalMs = 2_000;
/** Maximum fraction of the viewers served at once after a pause. */
const largestShare = 1 / 10;
const ticksPerMs = { video: 90, audio: 48 } as const;

interface ReportViewer {
  sendReport(kind: Kind, report: Buffer): void;
}

interface Times {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Wall clock minus media time, milliseconds. */
  readonly mediaToWallMs: number;
}

export class SenderReports<Viewer extends ReportViewer> {
  readonly #ssrcs: Readonly<Record<Kind, number>>;
  readonly #counts = { video: { packets: 0, bytes: 0 }, audio: { packets: 0, bytes: 0 } };
  #servedMs: number | undefined;
  /** Number of due viewers, with a fraction. */
  #due = 0;
  #next = 0;

  constructor(ssrcs: Readonly<Record<Kind, number>>) {
    this.#ssrcs = ssrcs;
  }

  count(kind: Kind, payloadBytes: number): void {
    this.#counts[kind].packets++;
    this.#counts[kind].bytes += payloadBytes;
  }

  /** Call with every packet; sends the due reports. */
  serve(viewers: readonly Viewer[], times: Times): void {
    const elapsedMs = times.nowMs - (this.#servedMs ?? times.nowMs);
    this.#servedMs = times.nowMs;
    const share = Math.min(largestShare, Math.max(0, elapsedMs) / intervalMs);
    this.#due = Math.min(viewers.length, this.#due + viewers.length * share);
    const count = Math.floor(this.#due);
    if (count === 0) return;
    this.#due -= count;
    this.send(
      Array.from({ length: count }, (_, index) => viewers[(this.#next + index) % viewers.length]!),
      times,
    );
    this.#next = (this.#next + count) % viewers.length;
  }

  send(viewers: readonly Viewer[], times: Times): void {
    for (const kind of kinds) {
      if (this.#counts[kind].packets === 0) continue;
      const report = this.#write(kind, times);
      for (const viewer of viewers) viewer.sendReport(kind, report);
    }
  }

  #write(kind: Kind, { nowMs, mediaToWallMs }: Times): Buffer {
    return writeSenderReport({
      ssrc: this.#ssrcs[kind],
      ntpMs: nowMs,
      rtpTimestamp: Math.round((nowMs - mediaToWallMs) * ticksPerMs[kind]),
      packetCount: this.#counts[kind].packets,
      octetCount: this.#counts[kind].bytes,
    });
  }
}
