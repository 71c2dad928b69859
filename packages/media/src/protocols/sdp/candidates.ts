// Rewrites ICE candidate lines. In an answer, addresses that peers can reach replace the local candidates of the WebRTC library. In an
// offer, all candidates are removed, so that the peer sends the first check.

export interface CandidateAddress {
  readonly ip: string;
  /** UDP port; undefined for the port that the server bound. */
  readonly port?: number;
}

/** Ports of the server. */
export interface BoundPorts {
  /** UDP port shared by all peers; 0 if each peer has its own port. */
  readonly udp: number;
  /** Port for peers that cannot use UDP; undefined for none. */
  readonly tcp?: number | undefined;
}

const candidateLine = /^a=candidate:(\S+) 1 udp (\d+) (\S+) (\d+) typ host(.*)$/i;
/** Maximum number of host ports read from an offer. A browser with many network interfaces has about ten. */
const maxHostPorts = 32;
/** Priority of the first host candidate. Each further candidate has a lower priority (RFC 8445 §5.1.2.1). */
const hostPriority = 2_130_706_431;
/**
 * Priority of TCP candidates (RFC 6544 §4.2: type preference 90, direction preference 4). UDP has a higher priority, because over TCP a
 * lost packet delays all later packets.
 */
const tcpHostPriority = 90 * 2 ** 24 + (4 * 2 ** 13 + 2 ** 13 - 1) * 2 ** 8 + 255;

/** Fallback if there is no other address. The client has then reached this server over loopback. */
const loopback: CandidateAddress = { ip: '127.0.0.1' };
/** Maximum number of addresses in an answer. A machine has a few, and a client may add addresses in the query. */
const maxAddresses = 16;
/** Maximum number of addresses used from an ICE-lite offer. A server has one or two per family, and offers are untrusted. */
const maxNamedAddresses = 4;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const ipv6Letters = /^[0-9a-f:.]+$/i;

/**
 * Replaces the candidates of each media section by those of the given addresses. Without candidates in the answer, only the first section
 * gets candidates. Invalid addresses are skipped: query values are untrusted, and a line break would add a line to the answer. Without a
 * valid address, existing candidates remain.
 */
export function replaceCandidates(answer: string, given: readonly CandidateAddress[], bound: BoundPorts): string {
  const addresses = given.filter(isAddress).slice(0, maxAddresses);
  const lines = answer.split(/\r?\n/);
  const isAnyFound = lines.some((line) => candidateLine.test(line));
  if (!isAnyFound)
    return bound.udp === 0 ? answer : addFirst(lines, addresses.length > 0 ? addresses : [loopback], bound);
  if (addresses.length === 0) return answer;
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
    kept.push(...candidateLines(addresses, { udp: Number(match[4]), tcp: bound.tcp }));
  }
  return kept.join('\r\n');
}

/** Adds candidates to the end of the first media section, before `a=end-of-candidates`. */
function addFirst(lines: readonly string[], addresses: readonly CandidateAddress[], bound: BoundPorts): string {
  const start = lines.findIndex((line) => line.startsWith('m='));
  if (start < 0) return lines.join('\r\n');
  const length = lines.slice(start + 1).findIndex((line) => /^(m=|a=end-of-candidates|$)/.test(line));
  const end = length < 0 ? lines.length : start + 1 + length;
  return [...lines.slice(0, end), ...candidateLines(addresses, bound), ...lines.slice(end)].join('\r\n');
}

/**
 * Candidate lines in the order of the addresses. The transport is in lower case, as clients expect (RFC 8839 §5.1). The port of an address
 * applies to UDP, and to TCP if `udp` equals `tcp`.
 */
export function candidateLines(addresses: readonly CandidateAddress[], { udp, tcp }: BoundPorts): string[] {
  const lines = addresses.map(
    ({ ip, port }, index) =>
      `a=candidate:${index + 1} 1 udp ${hostPriority - index * 256} ${ip} ${port ?? udp} typ host`,
  );
  if (tcp === undefined) return lines;
  const connected = addresses.map(({ ip, port = tcp }, index) => {
    const head = `a=candidate:${addresses.length + index + 1} 1 tcp ${tcpHostPriority - index * 256}`;
    return `${head} ${ip} ${tcp === udp ? port : tcp} typ host tcptype passive`;
  });
  return [...lines, ...connected];
}

/** Accepts `203.0.113.9` or `203.0.113.9:18000`. IPv6 with a port needs brackets. */
export function toCandidateAddress(text: string): CandidateAddress {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text);
  return match ? { ip: match[1] ?? match[2]!, port: Number(match[3]) } : { ip: text.replace(/^\[|\]$/g, '') };
}

function isAddress({ ip, port = 1 }: CandidateAddress): boolean {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return false;
  return ipv4.test(ip) || (ip.includes(':') && ipv6Letters.test(ip) && URL.canParse(`http://[${ip}]/`));
}

/** UDP ports of the host candidates in an offer. Browsers hide their address behind an mDNS name, but not their port. */
export function hostPorts(offer: string): ReadonlySet<number> {
  const lines = offer.matchAll(/^a=candidate:\S+ 1 udp \d+ \S+ (\d{1,5}) typ host\b/gim);
  return new Set([...lines].slice(0, maxHostPorts).map(([, port]) => Number(port)));
}

/** Addresses in an ICE-lite offer, in order. An ICE-lite peer sends no checks that would show its address. */
export function namedAddresses(offer: string): { ip: string; port: number }[] {
  const lines = offer.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d{1,5}) typ \w+/gim);
  const named = [...lines].slice(0, maxHostPorts).map(([, ip = '', port]) => ({ ip, port: Number(port) }));
  return named.filter(isAddress).slice(0, maxNamedAddresses);
}

/**
 * Removes the candidates of an offer, so that the server only responds to checks of the peer. The server thus never sends packets to an
 * address just because an offer names it. The removal also prevents checks before the answer, which make libdatachannel (used by OBS) fail.
 */
export function withoutCandidates(offer: string): string {
  return offer.replace(/^a=(candidate:.*|end-of-candidates)\r?\n/gim, '');
}
