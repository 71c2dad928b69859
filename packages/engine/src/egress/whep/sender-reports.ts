// Sender reports of a broadcast: they map both tracks to one wall clock, from which players synchronize audio and video. They are spread
// over their interval: reports to all viewers at once, and their responses, would delay a frame.
import { writeSenderReport } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { type Kind, kinds } from './fan-out.ts';

/**
 * Interval per viewer, milliseconds. One report would be enough to synchronize, because both clocks run evenly. Reports are repeated to
 * measure the round trip time, and because some players send reports only after they have received one.
 */
const intervalMs = 2_000;
/** Largest fraction of the viewers served at once after a pause. */
const largestShare = 1 / 10;
const ticksPerMs = { video: 90, audio: 48 } as const;

interface ReportViewer {
  sendReport(kind: Kind, report: Buffer): void;
}

interface Times {
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs: number;
  /** Wall clock minus media time, milliseconds. */
  readonly mediaToWallMs: number;
}

export class SenderReports<Viewer extends ReportViewer> {
  readonly #ssrcs: Readonly<Record<Kind, number>>;
  readonly #counts = { video: { packets: 0, bytes: 0 }, audio: { packets: 0, bytes: 0 } };
  #servedMs: number | undefined;
  /** Number of viewers that are due, including a fraction. */
  #due = 0;
  #next = 0;

  constructor(ssrcs: Readonly<Record<Kind, number>>) {
    this.#ssrcs = ssrcs;
  }

  count(kind: Kind, payloadBytes: number): void {
    this.#counts[kind].packets++;
    this.#counts[kind].bytes += payloadBytes;
  }

  /** Call with every packet: sends the reports that are due. */
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

  /** Sends reports of both tracks to these viewers now. */
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
