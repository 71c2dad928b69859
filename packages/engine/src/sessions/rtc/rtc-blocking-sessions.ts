// Dead sessions that keep their address from a peer who came back: the library hands every packet of an address and port to the
// session that had it first, so a killed browser which returns from the same port is not heard until that session ends.

/** A session as this rule sees it. */
export interface RtcSessionState {
  /** Address of the peer's HTTP request. */
  readonly ip: string;
  /** UDP ports its offer named; none when it told no candidates. */
  readonly ports: ReadonlySet<number>;
  /** How long it has been connecting, milliseconds; 0 once it is connected. */
  readonly connectingMs: number;
  /**
   * How long a connected peer with video has been silent, milliseconds: it reports about each second. 0 for those with sound
   * alone, which may take 7.5 s (RFC 3550 §6.2).
   */
  readonly silentMs: number;
}

/** Connecting takes a tenth of a second: one that takes this long may be kept from its port, milliseconds. */
const stuckMs = 500;
/** A peer that missed this much of its reports is taken for dead when somebody waits, milliseconds. */
const suspectSilenceMs = 3_000;

/**
 * Sessions to end at once: silent, and of an address and port from which another session cannot get through. Others of the same
 * address are left alone: a whole office can be silent because its line is.
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
