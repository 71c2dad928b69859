// Finds sessions of disconnected peers that block a returning peer. libdatachannel passes all packets from one address and port to the
// first session. A browser that was killed and returns with the same port cannot connect until the old session ends.

/** State of a session for `blockingSessions`. */
export interface RtcSessionState {
  readonly ip: string;
  /** UDP ports in the peer's offer; empty for an offer without candidates. */
  readonly ports: ReadonlySet<number>;
  /** Time since the start of the session, milliseconds; 0 once the peer is connected. */
  readonly connectingMs: number;
  /**
   * Silence of a connected peer with video, milliseconds. Such a peer sends an RTCP report about once a second. 0 for a peer with audio
   * only: RTCP reports may be 7.5 s apart (RFC 3550 §6.2).
   */
  readonly silentMs: number;
}

/** A session that needs this time to connect may be blocked, milliseconds. Connecting usually takes a tenth of a second. */
const stuckMs = 500;
/** When another session is blocked, a peer that has sent nothing for this time counts as disconnected, milliseconds. */
const suspectSilenceMs = 3_000;

/**
 * Returns the silent sessions that use the address and a port of a session that cannot connect. Other silent sessions are kept: a network
 * interruption can silence a whole office.
 */
export function blockingSessions<Session extends RtcSessionState>(sessions: readonly Session[]): Session[] {
  const wanted = new Set<string>();
  for (const { ip, ports, connectingMs } of sessions) {
    if (connectingMs < stuckMs) continue;
    for (const port of ports) wanted.add(placeOf(ip, port));
  }
  if (wanted.size === 0) return [];
  return sessions.filter(
    ({ ip, ports, connectingMs, silentMs }) =>
      connectingMs === 0 && silentMs >= suspectSilenceMs && [...ports].some((port) => wanted.has(placeOf(ip, port))),
  );
}

function placeOf(ip: string, port: number): string {
  return `${ip} ${port}`;
}
