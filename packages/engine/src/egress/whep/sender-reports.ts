// Sender reports of a broadcast: they put both tracks on one wall clock, which is how players keep lips and voice together. They are
// spread over their interval: reports to everybody at once, and everybody's answers to them, would delay a picture.
import { writeSenderReport } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { type Kind, kinds } from './fan-out.ts';

/**
 * A viewer gets them this often, milliseconds. All tell the same: both clocks run evenly. What they are repeated for is the
 * round trip and the answers of players that report only when they are reported to.
 */
const intervalMs = 2_000;
/** After a pause no more than this share of the viewers is served at once. */
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
  /** Viewers whose turn has come, and the fraction of the next one. */
  #due = 0;
  #next = 0;

  constructor(ssrcs: Readonly<Record<Kind, number>>) {
    this.#ssrcs = ssrcs;
  }

  count(kind: Kind, payloadBytes: number): void {
    this.#counts[kind].packets++;
    this.#counts[kind].bytes += payloadBytes;
  }

  /** Call with every packet: serves those of the viewers whose turn has come. */
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

  /** Reports of both tracks to these viewers, now. */
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
