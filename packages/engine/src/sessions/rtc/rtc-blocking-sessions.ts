// Finds sessions of disconnected peers that block a returning peer. The library passes every packet of an address and port to the first
// session with it. A browser that was killed and returns from the same port therefore cannot connect until its old session ends.

/** State of a session, from which the rule decides. */
export interface RtcSessionState {
  /** Address of the peer's HTTP request. */
  readonly ip: string;
  /** UDP ports in its offer; none without candidates. */
  readonly ports: ReadonlySet<number>;
  /** How long it has been connecting, milliseconds; 0 once it is connected. */
  readonly connectingMs: number;
  /**
   * How long a connected peer with video has been silent, milliseconds; it reports about once a second. 0 for audio only, where reports may
   * take 7.5 s (RFC 3550 §6.2).
   */
  readonly silentMs: number;
}

/** Connecting takes a tenth of a second: a session that takes this long may be blocked, milliseconds. */
const stuckMs = 500;
/** A peer without reports for this time counts as disconnected when another session is blocked, milliseconds. */
const suspectSilenceMs = 3_000;

/**
 * Sessions to end: silent, with an address and port from which another session cannot connect. Others of the same address are kept: a whole
 * office can be silent because of its connection.
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
