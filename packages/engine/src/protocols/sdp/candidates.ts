// Candidate lines. Of an answer: the library gathers what it sees locally; what peers can really reach (a public address, the
// host the page was opened with) is known to us. Of an offer: left out, so that the peer makes the first step.

export interface CandidateAddress {
  readonly ip: string;
  /** UDP port; the one the library bound when undefined. */
  readonly port?: number;
}

const candidateLine = /^a=candidate:(\S+) 1 udp (\d+) (\S+) (\d+) typ host(.*)$/i;
/** A browser with many network interfaces names some ten; more are no browser's. */
const maxHostPorts = 32;
/** Host candidates, IPv4, in the order given (RFC 8445 §5.1.2.1). */
const hostPriority = 2_130_706_431;

/**
 * The answer with one candidate per address in each media section that had candidates. With no addresses the answer is
 * returned as it came.
 */
export function replaceCandidates(answer: string, addresses: readonly CandidateAddress[]): string {
  if (addresses.length === 0) return answer;
  const lines = answer.split(/\r?\n/);
  const kept: string[] = [];
  let done = false;
  for (const line of lines) {
    if (line.startsWith('m=')) done = false;
    const match = candidateLine.exec(line);
    if (!match) {
      if (!/^a=candidate:/i.test(line)) kept.push(line);
      continue;
    }
    if (done) continue;
    done = true;
    const boundPort = Number(match[4]);
    addresses.forEach(({ ip, port }, index) => {
      kept.push(`a=candidate:${index + 1} 1 UDP ${hostPriority - index * 256} ${ip} ${port ?? boundPort} typ host`);
    });
  }
  return kept.join('\r\n');
}

/** `203.0.113.9` or `203.0.113.9:18000`; IPv6 in brackets when a port follows. */
export function toCandidateAddress(text: string): CandidateAddress {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text);
  return match ? { ip: match[1] ?? match[2]!, port: Number(match[3]) } : { ip: text.replace(/^\[|\]$/g, '') };
}

/** UDP ports of the offer's host candidates: browsers hide their address behind a name, and their port they tell. */
export function hostPorts(offer: string): ReadonlySet<number> {
  const lines = offer.matchAll(/^a=candidate:\S+ 1 udp \d+ \S+ (\d{1,5}) typ host\b/gim);
  return new Set([...lines].slice(0, maxHostPorts).map(([, port]) => Number(port)));
}

/**
 * The offer without its candidates. A server that is told none sends no checks of its own: it answers those of the peer,
 * which knows our address. So no packet goes to an address somebody merely wrote into an offer, and no check arrives before
 * the answer does (libdatachannel, which OBS publishes with, fails on that).
 */
export function withoutCandidates(offer: string): string {
  return offer.replace(/^a=(candidate:.*|end-of-candidates)\r?\n/gim, '');
}
