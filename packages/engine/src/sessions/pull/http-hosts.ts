// Keep-alive connections and cookies of one HLS source by host. Only a few hosts are kept, because a source may use another host for each
// segment.
import { Agent as TlsAgent } from 'node:https';
import { Agent } from '@srs-stack/process/node-http.ts';

/** Maximum number of kept hosts: of playlists, of segments, and their mirrors. */
const maxHosts = 8;
/** Maximum size of the cookies of one host, bytes. */
const maxCookieBytes = 4_096;
/** Two sockets: one request at a time, and a previous response that may still be closing. */
const connections = { keepAlive: true, maxSockets: 2, maxFreeSockets: 1 } as const;

interface KnownHost {
  readonly agent: Agent;
  readonly tlsAgent: TlsAgent;
  cookie: string;
}

export class HttpHosts {
  readonly #acceptsAnyCertificate: boolean;
  /** In order of use, the most recently used host last. */
  readonly #known = new Map<string, KnownHost>();

  constructor(acceptsAnyCertificate: boolean) {
    this.#acceptsAnyCertificate = acceptsAnyCertificate;
  }

  agentFor({ host, protocol }: URL): Agent | TlsAgent {
    const { agent, tlsAgent } = this.#use(host);
    return protocol === 'https:' ? tlsAgent : agent;
  }

  cookieFor({ host }: URL): string {
    return this.#use(host).cookie;
  }

  keepCookies({ host }: URL, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const used = this.#use(host);
    const known = new Map(used.cookie.split('; ').map(nameAndPair));
    for (const line of lines) known.set(...nameAndPair(line.split(';', 1)[0] ?? ''));
    known.delete('');
    const cookie = [...known.values()].join('; ');
    if (cookie.length <= maxCookieBytes) used.cookie = cookie;
  }

  close(): void {
    for (const { agent, tlsAgent } of this.#known.values()) {
      agent.destroy();
      tlsAgent.destroy();
    }
    this.#known.clear();
  }

  /** Removes the least recently used host if there are too many. */
  #use(host: string): KnownHost {
    const used = this.#known.get(host) ?? this.#create();
    this.#known.delete(host);
    this.#known.set(host, used);
    const [oldest] = this.#known;
    if (this.#known.size > maxHosts && oldest) {
      this.#known.delete(oldest[0]);
      oldest[1].agent.destroy();
      oldest[1].tlsAgent.destroy();
    }
    return used;
  }

  #create(): KnownHost {
    const tlsAgent = new TlsAgent({ ...connections, rejectUnauthorized: !this.#acceptsAnyCertificate });
    return { agent: new Agent(connections), tlsAgent, cookie: '' };
  }
}

function nameAndPair(pair: string): [name: string, pair: string] {
  return [pair.split('=', 1)[0]?.trim() ?? '', pair.trim()];
}
