// Which streams an SRS has now: it never answers a viewer of one that nobody publishes, so the front has to.
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
  /** `path`: `app/stream`. True too while the SRS does not tell. Never rejects. */
  has(path: string): Promise<boolean>;
}

interface Look {
  readonly atMs: number;
  /** Undefined when it did not tell. */
  readonly paths: Promise<ReadonlySet<string> | undefined>;
}

/** @param api of the SRS. */
export function createPublishedStreams(api: URL, nowMs = () => performance.now()): PublishedStreams {
  let look: Look | undefined;
  const lookAgain = (olderThanMs: number): Look => {
    if (!look || nowMs() - look.atMs >= olderThanMs) look = { atMs: nowMs(), paths: readPaths(api) };
    return look;
  };
  return {
    async has(path) {
      const paths = await lookAgain(freshMs).paths;
      if (!paths || paths.has(path)) return true;
      return (await lookAgain(missMs).paths)?.has(path) ?? true;
    },
  };
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
