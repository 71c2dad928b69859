// Resolves the host names with which clients make WebRTC calls. A client can send any name, so the wait and the number of concurrent
// queries are limited. Avoids getaddrinfo, which shares threads with file reads.
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/**
 * Maximum wait of a call for an address, milliseconds. After this time, the call continues without an address. A nearby name server needs a
 * tenth of this time.
 */
const maxWaitMs = 300;
/** Cache time of an address, milliseconds. Dynamic names change within minutes. */
const foundForMs = 60_000;
/** Cache time of a name that was not found, milliseconds. */
const missingForMs = 10_000;
/** Maximum number of cached names (200 KB). A server has few names, but clients may send invented names. */
const maxNames = 1_000;
/** Maximum number of concurrent queries. A server has few names, and other hosts use the name servers, too. */
const maxQuestions = 32;
/** Timeout of a query to a name server, milliseconds. Each query is sent at most twice. A late result is used for the next call. */
const questionTimeoutMs = 1_000;
/** Timeout of all queries for a name, milliseconds: two name servers, queried twice. */
const maxQuestionMs = 4_000;
/** Cache time of the hosts file and of the list of name servers, milliseconds. Operators edit both. */
const systemFilesForMs = 5_000;
/** Valid host names (RFC 1123 §2.1, and underscores). */
const namePattern = /^[a-z0-9_](?:[a-z0-9_.-]{0,252})$/;

export interface NameSources {
  /** Queries name servers. Resolves with undefined for an unknown name. May reject, and may never settle. */
  resolve(name: string): Promise<string | undefined>;
  readHosts(): Promise<string>;
  /** Name of this machine, whose addresses are known without a query. */
  ownName(): string;
  /** Monotonic milliseconds. */
  now(): number;
}

/**
 * Resolves with the address of a name, with `own` for this machine's name, or with undefined when no address is known in time. Never
 * rejects.
 */
export type NameLookup = (name: string) => Promise<string | 'own' | undefined>;

interface Known {
  readonly address: string | undefined;
  readonly untilMs: number;
}

export function createNameLookup(sources: NameSources = systemSources()): NameLookup {
  const known = new Map<string, Known>();
  const questions = new Map<string, Promise<string | undefined>>();
  let hosts: { readonly byName: ReadonlyMap<string, string>; readonly untilMs: number } | undefined;

  const remember = (name: string, address: string | undefined): void => {
    known.delete(name);
    known.set(name, { address, untilMs: sources.now() + (address === undefined ? missingForMs : foundForMs) });
    if (known.size > maxNames) known.delete(known.keys().next().value as string);
  };

  const fromHosts = async (name: string): Promise<string | undefined> => {
    if (hosts === undefined || sources.now() >= hosts.untilMs) {
      const text = await sources.readHosts().catch(() => '');
      hosts = { byName: parseHosts(text), untilMs: sources.now() + systemFilesForMs };
    }
    return hosts.byName.get(name);
  };

  /** Queries a name. Concurrent callers share the query. Without a result, `before` (an expired address) is used. */
  const queryName = (name: string, before: string | undefined): Promise<string | undefined> => {
    const running = questions.get(name);
    if (running) return running;
    if (questions.size >= maxQuestions) return Promise.resolve(before);
    const response = fromHosts(name)
      .then((address) => address ?? sources.resolve(name))
      .catch(() => undefined);
    const question = within(maxQuestionMs, response, undefined).then((address) => {
      questions.delete(name);
      remember(name, address ?? before);
      return address ?? before;
    });
    questions.set(name, question);
    return question;
  };

  return async (text) => {
    const name = text.toLowerCase().replace(/\.$/, '');
    if (!namePattern.test(name)) return undefined;
    const own = sources.ownName().toLowerCase();
    if (name === own || name === `${own}.local`) return 'own';
    const entry = known.get(name);
    if (entry && sources.now() < entry.untilMs) {
      known.delete(name);
      known.set(name, entry); // names in use are evicted last
      return entry.address;
    }
    return await within(maxWaitMs, queryName(name, entry?.address), entry?.address);
  };
}

async function within<Value>(timeoutMs: number, value: Promise<Value>, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), timeoutMs);
  });
  return await Promise.race([value, late]).finally(() => clearTimeout(timer));
}

/**
 * Parses hosts(5): address, name, aliases. For a name with several addresses, uses the first IPv4 address. Without an IPv4 address, uses
 * the first IPv6 address.
 */
export function parseHosts(text: string): Map<string, string> {
  const byName = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!address) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      const before = byName.get(name);
      if (before === undefined || (before.includes(':') && !address.includes(':'))) byName.set(name, address);
    }
  }
  return byName;
}

function systemSources(): NameSources {
  let resolver: { readonly dns: Resolver; readonly untilMs: number } | undefined;
  const now = (): number => performance.now();
  const resolverNow = (): Resolver => {
    if (resolver === undefined || now() >= resolver.untilMs) {
      const dns = new Resolver({ timeout: questionTimeoutMs, tries: 2 });
      resolver = { dns, untilMs: now() + systemFilesForMs };
    }
    return resolver.dns;
  };
  return {
    now,
    ownName: hostname,
    readHosts: () => readFile('/etc/hosts', 'utf8'),
    async resolve(name) {
      const dns = resolverNow();
      const none = (): string[] => [];
      const [v4, v6] = [dns.resolve4(name).catch(none), dns.resolve6(name).catch(none)];
      return (await v4)[0] ?? (await v6)[0];
    },
  };
}
