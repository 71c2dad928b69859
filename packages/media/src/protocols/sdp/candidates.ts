// Candidate lines. Of an answer: the library gathers what it sees locally; what peers can really reach (a public address, the
// host the page was opened with) is known to us. Of an offer: left out, so that the peer makes the first step.

export interface CandidateAddress {
  readonly ip: string;
  /** UDP port; the one the library bound when undefined. */
  readonly port?: number;
}

/** Ports of the server. */
export interface BoundPorts {
  /** All peers share it; 0: each has one of its own. */
  readonly udp: number;
  /** Where peers connect who cannot send UDP; undefined: nowhere. */
  readonly tcp?: number | undefined;
}

const candidateLine = /^a=candidate:(\S+) 1 udp (\d+) (\S+) (\d+) typ host(.*)$/i;
/** A browser with many network interfaces names some ten; more are no browser's. */
const maxHostPorts = 32;
/** Host candidates, IPv4, in the order given (RFC 8445 §5.1.2.1). */
const hostPriority = 2_130_706_431;
/**
 * Those of connections that the peer opens: behind all of UDP, because a lost packet holds up all that follow it (RFC 6544 §4.2: type
 * preference 90, direction preference 4).
 */
const tcpHostPriority = 90 * 2 ** 24 + (4 * 2 ** 13 + 2 ** 13 - 1) * 2 ** 8 + 255;

/** Fallback if the library finds only loopback: the client reached this server over it. */
const loopback: CandidateAddress = { ip: '127.0.0.1' };
/** Addresses one answer names: a machine has a few, and anyone may write more into a query. */
const maxAddresses = 16;
/** Addresses of an ICE-lite offer that are used: a server has one or two of each family, and anyone may write an offer. */
const maxNamedAddresses = 4;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const ipv6Letters = /^[0-9a-f:.]+$/i;

/**
 * The answer with one candidate per address in each media section that had candidates, or in the first one when the library
 * found none: it leaves out loopback, and then has nothing to name where there is no other network. Whatever is no address is
 * left out: anyone may write it into the query, and a line break in it would be a line of the answer. With none left the answer
 * keeps what the library found.
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

/** Candidates at the end of the first media section, before its `a=end-of-candidates` when it has one. */
function addFirst(lines: readonly string[], addresses: readonly CandidateAddress[], bound: BoundPorts): string {
  const start = lines.findIndex((line) => line.startsWith('m='));
  if (start < 0) return lines.join('\r\n');
  const length = lines.slice(start + 1).findIndex((line) => /^(m=|a=end-of-candidates|$)/.test(line));
  const end = length < 0 ? lines.length : start + 1 + length;
  return [...lines.slice(0, end), ...candidateLines(addresses, bound), ...lines.slice(end)].join('\r\n');
}

/**
 * In the order given; the transport in lower case, as media servers write it and clients look for it (RFC 8839 §5.1). An address with a port
 * of its own is mapped there, TCP as UDP where both have one number here.
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

/** `203.0.113.9` or `203.0.113.9:18000`; IPv6 in brackets when a port follows. */
export function toCandidateAddress(text: string): CandidateAddress {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text);
  return match ? { ip: match[1] ?? match[2]!, port: Number(match[3]) } : { ip: text.replace(/^\[|\]$/g, '') };
}

function isAddress({ ip, port = 1 }: CandidateAddress): boolean {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return false;
  return ipv4.test(ip) || (ip.includes(':') && ipv6Letters.test(ip) && URL.canParse(`http://[${ip}]/`));
}

/** UDP ports of the offer's host candidates: browsers hide their address behind a name, and their port they tell. */
export function hostPorts(offer: string): ReadonlySet<number> {
  const lines = offer.matchAll(/^a=candidate:\S+ 1 udp \d+ \S+ (\d{1,5}) typ host\b/gim);
  return new Set([...lines].slice(0, maxHostPorts).map(([, port]) => Number(port)));
}

/** Addresses that an ICE-lite offer names, in its order: such a peer makes no checks that would show where it is. */
export function namedAddresses(offer: string): { ip: string; port: number }[] {
  const lines = offer.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d{1,5}) typ \w+/gim);
  const named = [...lines].slice(0, maxHostPorts).map(([, ip = '', port]) => ({ ip, port: Number(port) }));
  return named.filter(isAddress).slice(0, maxNamedAddresses);
}

/**
 * The offer without its candidates. Without candidates a server sends no checks of its own and responds to those of the
 * peer, which has our address. So no packet is sent to an address merely because an offer names it, and no check
 * arrives before the answer (libdatachannel, which OBS uses to publish, fails on that).
 */
export function withoutCandidates(offer: string): string {
  return offer.replace(/^a=(candidate:.*|end-of-candidates)\r?\n/gim, '');
}
