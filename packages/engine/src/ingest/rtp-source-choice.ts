// Selects the source of a track. Encoders that offer simulcast send several sources, some even when the answer accepts only one. The
// largest source that arrives complete is used until it is silent. Time is a parameter.
import { type RtpPacket, rtpSequenceDistance } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';

/** Time for comparing sources, milliseconds. Layers of one encoder start together, and their first packets are held for this time. */
const compareMs = 500;
/** A source that is silent for this time is replaced, milliseconds. Slide shows send a frame each second. */
const silenceMs = 1_500;
/** Maximum number of packets held for comparing. Half a second of 20 Mbit/s in all layers has 1,000. */
const maxHeldPackets = 2_048;
/** Maximum number of compared sources. Encoders send three layers. */
const maxSources = 8;
/** A source with a larger fraction of missing packets is incomplete. A smaller loss may still be repaired by retransmissions. */
const largestLoss = 0.05;

export interface ArrivedPacket {
  readonly packet: RtpPacket;
  readonly atMs: number;
}

interface Tally {
  readonly first: number;
  highest: number;
  received: number;
  bytes: number;
}

export class RtpSourceChoice {
  /** SSRC of the selected source; undefined during the comparison. */
  #chosen: number | undefined;
  #lastPacketMs = 0;
  #sinceMs = 0;
  #held: ArrivedPacket[] = [];
  readonly #tallies = new Map<number, Tally>();
  readonly #compares: boolean;

  /** @param compares true if the offer announced several sources; false: the first source is selected. */
  constructor(compares: boolean) {
    this.#compares = compares;
  }

  take(packet: RtpPacket, now: number): readonly ArrivedPacket[] {
    const arrived = { packet, atMs: now };
    if (packet.ssrc === this.#chosen) {
      this.#lastPacketMs = now;
      return [arrived];
    }
    if (this.#chosen !== undefined && now - this.#lastPacketMs < silenceMs) return [];
    this.#chosen = undefined;
    if (this.#held.length === 0) this.#sinceMs = now;
    if (this.#count(packet)) this.#held.push(arrived);
    return this.#decide(now);
  }

  /** Call regularly. Returns the held packets of the selected source at the end of the comparison. */
  tick(now: number): readonly ArrivedPacket[] {
    return this.#held.length > 0 ? this.#decide(now) : [];
  }

  /** Returns false when there are too many sources. */
  #count({ ssrc, sequence, payload }: RtpPacket): boolean {
    let tally = this.#tallies.get(ssrc);
    if (!tally) {
      if (this.#tallies.size === maxSources) return false;
      tally = { first: sequence, highest: sequence, received: 0, bytes: 0 };
      this.#tallies.set(ssrc, tally);
    }
    if (rtpSequenceDistance(sequence, tally.highest) > 0) tally.highest = sequence;
    tally.received++;
    tally.bytes += payload.length;
    return true;
  }

  #decide(now: number): readonly ArrivedPacket[] {
    const isOver = now - this.#sinceMs >= compareMs || this.#held.length >= maxHeldPackets;
    if (this.#held.length === 0 || (this.#compares && !isOver)) return [];
    const chosen = largestOf(this.#tallies);
    const ready = this.#held.filter(({ packet }) => packet.ssrc === chosen);
    this.#chosen = chosen;
    this.#lastPacketMs = ready.at(-1)?.atMs ?? now;
    this.#held = [];
    this.#tallies.clear();
    return ready;
  }
}

/** The largest complete source; the largest source if none is complete. */
function largestOf(tallies: ReadonlyMap<number, Tally>): number | undefined {
  const all = [...tallies].sort(([, a], [, b]) => b.bytes - a.bytes);
  return (all.find(([, tally]) => isWhole(tally)) ?? all[0])?.[0];
}

function isWhole({ first, highest, received }: Tally): boolean {
  const expected = rtpSequenceDistance(highest, first) + 1;
  return received >= expected * (1 - largestLoss);
}
