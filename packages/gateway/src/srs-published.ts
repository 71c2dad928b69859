// Which streams the SRS servers have now: an SRS never answers a viewer of one that nobody publishes, so the front has to.
import { get } from 'node:http';

/** One look serves all viewers for this long, milliseconds; a stream that is not in it is looked for again after … */
const freshMs = 1_000;
/** … this, so that the first viewer of a new stream is let in. */
const missMs = 250;
/** An SRS on the same machine answers in milliseconds; beyond this it hangs, and viewers are let through to it. */
const timeoutMs = 2_000;
/** Streams in one answer. */
const maxStreams = 10_000;
/** 10,000 streams of 1 KB. */
const maxAnswerBytes = 32 * 1024 ** 2;

export interface PublishedStreams {
  /** Index of the first server that has `path` (`app/stream`); the first server while none tells. Never rejects. */
  serverOf(path: string): Promise<number | undefined>;
  /** Index of the first server that answers; the first while none does. Never rejects. */
  living(): Promise<number>;
}

interface Look {
  readonly atMs: number;
  /** Undefined when it did not tell. */
  readonly paths: Promise<ReadonlySet<string> | undefined>;
}

/** @param apis of the servers, in the order in which they are asked for a stream. */
export function createPublishedStreams(apis: readonly URL[], nowMs = () => performance.now()): PublishedStreams {
  const servers = apis.map((api) => new ServerLooks(api, nowMs));
  const lookAtAll = (olderThanMs: number) => Promise.all(servers.map((server) => server.paths(olderThanMs)));
  return {
    async serverOf(path) {
      for (const olderThanMs of [freshMs, missMs]) {
        const looks = await lookAtAll(olderThanMs);
        if (looks.every((paths) => paths === undefined)) return 0;
        const found = looks.findIndex((paths) => paths?.has(path));
        if (found >= 0) return found;
      }
      return undefined;
    },
    async living() {
      if (servers.length === 1) return 0;
      return Math.max(
        0,
        (await lookAtAll(freshMs)).findIndex((paths) => paths !== undefined),
      );
    },
  };
}

/** What one server has. After a look without an answer nobody waits for the next. */
class ServerLooks {
  readonly #api: URL;
  readonly #nowMs: () => number;
  #look: Look | undefined;
  #isAway = false;
  #isLooking = false;

  constructor(api: URL, nowMs: () => number) {
    this.#api = api;
    this.#nowMs = nowMs;
  }

  async paths(olderThanMs: number): Promise<ReadonlySet<string> | undefined> {
    if (!this.#look || this.#nowMs() - this.#look.atMs >= olderThanMs) {
      this.#look = { atMs: this.#nowMs(), paths: this.#read() };
    }
    return this.#isAway && this.#isLooking ? undefined : this.#look.paths;
  }

  async #read(): Promise<ReadonlySet<string> | undefined> {
    this.#isLooking = true;
    const paths = await readPaths(this.#api);
    this.#isAway = paths === undefined;
    this.#isLooking = false;
    return paths;
  }
}

async function readPaths(api: URL): Promise<ReadonlySet<string> | undefined> {
  try {
    const answer = JSON.parse(await read(new URL(`/api/v1/streams/?start=0&count=${maxStreams}`, api))) as {
      streams: { app: string; name: string; publish: { active: boolean } }[];
    };
    return new Set(answer.streams.filter(({ publish }) => publish.active).map(({ app, name }) => `${app}/${name}`));
  } catch {
    return undefined;
  }
}

function read(url: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(timeoutMs) }, (answer) => {
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      answer.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes > maxAnswerBytes) request.destroy(new Error('the answer is too long'));
        else chunks.push(chunk);
      });
      answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      answer.on('error', reject);
    });
    request.on('error', reject);
  });
}
