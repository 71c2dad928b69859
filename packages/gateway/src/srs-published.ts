// Finds out which streams the SRS servers have. SRS never responds to viewers of an unpublished stream, so the front must respond.
import { get } from '@srs-stack/process/node-http.ts';

/** Cache time of the list of streams, milliseconds. All viewers share the list. */
const freshMs = 1_000;
/** Cache time for a stream that is not in the list, milliseconds. Short, so that viewers of a new stream are admitted soon. */
const missMs = 250;
/** Timeout of an SRS server, milliseconds. On this machine, SRS responds within milliseconds. After a timeout, viewers are admitted. */
const timeoutMs = 2_000;
/** Maximum number of streams in a response. */
const maxStreams = 10_000;
/** Largest response, bytes: 10,000 streams of 3 KB. */
const maxResponseBytes = 32 * 1024 ** 2;

export interface PublishedStreams {
  /**
   * Index of the first server that has `path` (`app/stream`); undefined when `path` is not published, 0 when no server responds. Never
   * rejects.
   */
  serverOf(path: string): Promise<number | undefined>;
  /** As `serverOf`, but returns the first server that responds when no server has the stream or `path` is undefined. Never rejects. */
  serverFor(path: string | undefined): Promise<number>;
}

type Streams = ReadonlyMap<string, { readonly isCopy: boolean }>;

interface Look {
  readonly atMs: number;
  readonly streams: Promise<Streams | undefined>;
}

/** @param apis HTTP APIs of the servers, in search order. */
export function createPublishedStreams(apis: readonly URL[], nowMs = () => performance.now()): PublishedStreams {
  const servers = apis.map((api) => new ServerLooks(api, nowMs, apis.length > 1));
  const lookAtAll = (olderThanMs: number) => Promise.all(servers.map((server) => server.streams(olderThanMs)));
  const published: PublishedStreams = {
    async serverOf(path) {
      for (const olderThanMs of [freshMs, missMs]) {
        const looks = await lookAtAll(olderThanMs);
        if (looks.every((streams) => streams === undefined)) return 0;
        // An edge also lists streams that have no publisher but waiting viewers. A stream counts as published when a server has the stream,
        // and not as a copy.
        const isPublished = looks.some((streams) => streams?.get(path)?.isCopy === false);
        if (isPublished) return looks.findIndex((streams) => streams?.has(path));
      }
      return undefined;
    },
    async serverFor(path) {
      if (servers.length === 1) return 0;
      const found = path === undefined ? undefined : await published.serverOf(path);
      if (found !== undefined) return found;
      const looks = await lookAtAll(freshMs);
      return Math.max(
        0,
        looks.findIndex((streams) => streams !== undefined),
      );
    },
  };
  return published;
}

/** Streams of one SRS server. While the server is unavailable, requests do not wait for a query. */
class ServerLooks {
  readonly #api: URL;
  readonly #nowMs: () => number;
  /** True when the server may have copies. */
  readonly #isOneOfSeveral: boolean;
  /** Whether a stream is a copy, by the client id of its publisher. */
  #copies = new Map<string, boolean>();
  #look: Look | undefined;
  #isAway = false;
  #isLooking = false;

  constructor(api: URL, nowMs: () => number, isOneOfSeveral: boolean) {
    this.#api = api;
    this.#nowMs = nowMs;
    this.#isOneOfSeveral = isOneOfSeveral;
  }

  async streams(olderThanMs: number): Promise<Streams | undefined> {
    if (!this.#look || this.#nowMs() - this.#look.atMs >= olderThanMs) {
      this.#look = { atMs: this.#nowMs(), streams: this.#read() };
    }
    return this.#isAway && this.#isLooking ? undefined : this.#look.streams;
  }

  async #read(): Promise<Streams | undefined> {
    this.#isLooking = true;
    const rows = await readRows(this.#api);
    this.#isAway = rows === undefined;
    this.#isLooking = false;
    if (!rows) return undefined;
    const known = this.#copies;
    const copies = await Promise.all(
      rows.map(
        async ({ cid }): Promise<[string, boolean]> => [
          cid,
          known.get(cid) ?? (this.#isOneOfSeveral && (await isPlayer(this.#api, cid))),
        ],
      ),
    );
    this.#copies = new Map(copies);
    return new Map(rows.map(({ path, cid }) => [path, { isCopy: this.#copies.get(cid) ?? false }]));
  }
}

async function readRows(api: URL): Promise<{ path: string; cid: string }[] | undefined> {
  try {
    const response = JSON.parse(await read(new URL(`/api/v1/streams/?start=0&count=${maxStreams}`, api))) as {
      streams: { app: string; name: string; publish: { active: boolean; cid?: string } }[];
    };
    return response.streams
      .filter(({ publish }) => publish.active)
      .map(({ app, name, publish }) => ({ path: `${app}/${name}`, cid: publish.cid ?? '' }));
  } catch {
    return undefined;
  }
}

/** An edge lists its first viewer as the publisher of a pulled stream. */
async function isPlayer(api: URL, cid: string): Promise<boolean> {
  try {
    const url = new URL(`/api/v1/clients/${encodeURIComponent(cid)}`, api);
    const { client } = JSON.parse(await read(url)) as { client?: { publish?: boolean } };
    return client?.publish === false;
  } catch {
    return false;
  }
}

function read(url: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      response.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes > maxResponseBytes) request.destroy(new Error('the response of the media server is too long'));
        else chunks.push(chunk);
      });
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
