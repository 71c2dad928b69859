// Resolves the host names under which WebRTC calls arrive. Callers choose the name freely, so a call waits only briefly, and few queries
// run at a time. getaddrinfo is never used, because it shares threads with file reads.
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Longest wait of a call for an address, milliseconds; it then continues without one. A nearby resolver needs a tenth of this. */
const maxWaitMs = 300;
/** Cache time of an address, milliseconds: dynamic names change within minutes. */
const foundForMs = 60_000;
/** Cache time of a name that was not found, milliseconds. */
const missingForMs = 10_000;
/** Maximum number of cached names, 200 KB: a server has a few, but callers may invent others. */
const maxNames = 1_000;
/** Maximum number of concurrent queries: a server has few names, and shares its name servers with others. */
const maxQuestions = 32;
/** Timeout of one query to one name server, milliseconds; each query is sent twice. A late result is used for the next call. */
const questionTimeoutMs = 1_000;
/** Total timeout of a name, milliseconds: two name servers queried twice. */
const maxQuestionMs = 4_000;
/** Cache time of the hosts file and of the list of name servers, milliseconds: operators edit them. */
const systemFilesForMs = 5_000;
/** Valid host names (RFC 1123 §2.1, and underscores). */
const namePattern = /^[a-z0-9_](?:[a-z0-9_.-]{0,252})$/;

export interface NameSources {
  /** Queries name servers; undefined when there is no such name. May reject, and may never settle. */
  resolve(name: string): Promise<string | undefined>;
  /** Text of the hosts file. May reject. */
  readHosts(): Promise<string>;
  /** Name of this machine, whose addresses are known without a query. */
  ownName(): string;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Resolves with the address of a name, with `own` for this machine's name, or with undefined when none is known in time. Never rejects. */
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

  /** Queries a name; all callers of that name share the query. Without a result, an expired address is used. */
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

/** Parses hosts(5): address, name, aliases. The first line of a name is used, IPv4 before IPv6. */
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
