// Statistics of one connection, named as in other SRT tools.

export interface SrtConnectionStats {
  readonly rttMs: number;
  readonly rttVarianceMs: number;
  readonly receivedPackets: number;
  readonly receivedBytes: number;
  /** Packets that were missing when a later packet arrived. */
  readonly lostPackets: number;
  readonly recoveredPackets: number;
  /** Packets that were too late, refused or discarded, in both directions. */
  readonly droppedPackets: number;
  readonly duplicatePackets: number;
  readonly undecryptedPackets: number;
  readonly sentPackets: number;
  readonly sentBytes: number;
  readonly retransmittedPackets: number;
  readonly flightPackets: number;
  readonly receivingBitrateBps: number;
  readonly sendingBitrateBps: number;
  readonly latencyMs: number;
}

/** Mutable counters for the statistics. */
export interface ConnectionCounters {
  receivedPackets: number;
  receivedBytes: number;
  lostPackets: number;
  recoveredPackets: number;
  droppedPackets: number;
  duplicatePackets: number;
  undecryptedPackets: number;
  sentPackets: number;
  sentBytes: number;
  retransmittedPackets: number;
}

export function createCounters(): ConnectionCounters {
  return {
    receivedPackets: 0,
    receivedBytes: 0,
    lostPackets: 0,
    recoveredPackets: 0,
    droppedPackets: 0,
    duplicatePackets: 0,
    undecryptedPackets: 0,
    sentPackets: 0,
    sentBytes: 0,
    retransmittedPackets: 0,
  };
}
