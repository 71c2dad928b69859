// Checks before an order that the authority can reach this server. The domain must have an address, and port 80 must serve a test file of
// this server. Authorities limit failed orders per hour, and their error messages are less clear.
import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { AppError, because, type RefusalDetail } from '@srs-stack/contract';
import { Agent, get } from '@srs-stack/process/node-http.ts';
import type { ChallengeFiles } from './challenge-files.ts';

/** Timeout of a DNS query in milliseconds, and number of attempts. */
const dnsTry = { timeout: 3_000, tries: 2 };
/** Timeout of the request to the domain, milliseconds. */
const httpTimeoutMs = 5_000;
/** Longest response, bytes. The test file is one short line. */
const maxResponseBytes = 256;

export interface DomainCheckOptions {
  /** Port to which the authority connects; differs from 80 only for a test authority. */
  readonly httpPort: number;
  /** DNS servers, `address` or `address:port`; empty for the system's servers. */
  readonly dnsServers: readonly string[];
  readonly challenges: ChallengeFiles;
}

export type DomainCheck = (domain: string) => Promise<void>;

/** The returned function throws `domainUnresolved` or `domainElsewhere`. */
export function createDomainCheck({ httpPort, dnsServers, challenges }: DomainCheckOptions): DomainCheck {
  return async (domain) => {
    const addresses = await resolveDomain(domain, dnsServers);
    const token = `check-${randomBytes(16).toString('hex')}`;
    await challenges.put(token, token);
    try {
      await checkReachable({ domain, addresses, port: httpPort, token });
    } finally {
      await challenges.remove(token);
    }
  };
}

async function resolveDomain(domain: string, servers: readonly string[]): Promise<string[]> {
  const resolver = new Resolver(dnsTry);
  if (servers.length > 0) resolver.setServers([...servers]);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(domain), resolver.resolve6(domain)]);
  const found = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (found.length > 0) return found;
  const code = v4.status === 'rejected' ? (v4.reason as NodeJS.ErrnoException).code : undefined;
  const isUnknown = code === 'ENOTFOUND' || code === 'ENODATA';
  throw new AppError(
    'domainUnresolved',
    isUnknown ? because('domain.unknown', { domain }) : because('domain.dns-silent', { code: code ?? '' }),
  );
}

interface Reachable {
  readonly domain: string;
  readonly addresses: readonly string[];
  readonly port: number;
  readonly token: string;
}

/** Checks the addresses of the domain. One address that serves the test file is enough, because the authority also tries several. */
async function checkReachable({ domain, addresses, port, token }: Reachable): Promise<void> {
  const findings: RefusalDetail[] = [];
  for (const address of addresses) {
    const finding = await whyNotOurs({ domain, address, port, token });
    if (finding === undefined) return;
    findings.push(finding);
  }
  throw new AppError('domainElsewhere', because('domain.elsewhere', { domain, findings }));
}

interface Probe {
  readonly domain: string;
  readonly address: string;
  readonly port: number;
  readonly token: string;
}

/**
 * Returns undefined when the address serves the test file, or when the test is inconclusive: many routers do not let a server reach its own
 * public address, and a proxy may redirect everything to HTTPS.
 */
async function whyNotOurs(probe: Probe): Promise<RefusalDetail | undefined> {
  const { address, port } = probe;
  try {
    const { status, text } = await ask(probe);
    if (status >= 300 && status < 400) return undefined;
    if (status === 200 && text.trim() === probe.token) return undefined;
    return status === 200
      ? because('domain.another-server', { address })
      : because('domain.another-answer', { address, status });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ABORT_ERR', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'].includes(code)) return undefined;
    if (code === 'ECONNREFUSED') return because('domain.port-closed', { address, port });
    return because('domain.unusable-answer', { address, problem: code || (error as Error).message });
  }
}

function ask({ domain, address, port, token }: Probe): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = get({
      host: address,
      port,
      path: `/.well-known/acme-challenge/${token}`,
      headers: { host: port === 80 ? domain : `${domain}:${port}` },
      agent: new Agent({ keepAlive: false }),
      signal: AbortSignal.timeout(httpTimeoutMs),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      readStart(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    });
  });
}

async function readStart(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.length > maxResponseBytes) break;
  }
  return text.slice(0, maxResponseBytes);
}
