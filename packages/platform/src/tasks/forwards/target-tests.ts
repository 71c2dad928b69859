// Tests of forward targets: a gateway connects to the target like a forward, and reports the result of each step. The gateway reads its
// order from a file, which is deleted when the test has started or could not start.
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, because, type TargetTest, type TargetTestRequest, toWirePhrase } from '@srs-stack/contract';
import type { SrsPushTestRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { type PushTestFile, pushTestsFolder } from '@srs-stack/process/push-tests.ts';
import type { StreamSources } from '../../streams/stream-sources.ts';
import { createMask, type Mask, maskedDetail } from '../../workers/mask.ts';
import { pushDetailOf } from '../../workers/transfers/push-run.ts';
import { codecStepOf } from '../push/platform-codecs.ts';
import { checkPush, secretsOfTarget } from '../push/push-targets.ts';
import { toPushWish } from '../push/push-wish.ts';
import type { PushAddress } from '../secret-in-key.ts';
import type { Forwards } from './forwards.ts';

/** Mode of the order files: they contain a stream key. */
const fileMode = 0o600;
/** Maximum number of readable test results. The oldest result is removed first. */
const maxKept = 16;
/** Maximum time for a gateway to start a test, and polling interval, milliseconds. */
const beginMs = 3_000;
const beginPollMs = 50;

export interface TargetTests {
  start(request: TargetTestRequest): Promise<{ id: string; sends: PushTestFile['sends'] }>;
  query(id: string): Promise<TargetTest>;
}

export interface TargetTestsDeps {
  /** Absolute path of the folder `run/`. */
  readonly folder: string;
  readonly gateways: {
    startPushTest(id: string): Promise<(() => Promise<SrsPushTestRow | undefined>) | undefined>;
  };
  readonly forwards: Pick<Forwards, 'targets'>;
  readonly sources: Pick<StreamSources, 'choose'>;
}

interface StartedTest {
  readonly address: string;
  readonly codec: string;
  readonly mask: Mask;
  readonly read: () => Promise<SrsPushTestRow | undefined>;
}

/** Resolves after files of an earlier process are deleted. */
export async function openTargetTests(deps: TargetTestsDeps): Promise<TargetTests> {
  const folder = join(deps.folder, pushTestsFolder);
  await rm(folder, { recursive: true, force: true });
  return new GatewayTargetTests(folder, deps);
}

class GatewayTargetTests implements TargetTests {
  readonly #folder: string;
  readonly #deps: TargetTestsDeps;
  readonly #tests = new Map<string, StartedTest>();

  constructor(folder: string, deps: TargetTestsDeps) {
    this.#folder = folder;
    this.#deps = deps;
  }

  async start({ server, secret, stream, sends: wanted }: TargetTestRequest) {
    checkPush({ server, secret });
    const wish = toPushWish({ server, secret }, { vhost: '', app: '', stream: '' });
    if (!wish) throw new AppError('invalidRequest', because('target.not-testable'));
    // Sends nothing while a forward uses this key: a second publisher would end the forward.
    const sends = (await this.#isRunning(server, secret)) ? 'nothing' : wanted;
    const codec = await this.#codecOf(stream);
    const id = randomUUID();
    const read = await this.#hand(id, { server: wish.server, key: wish.key, sends });
    this.#tests.set(id, { address: server, codec, mask: createMask(secretsOfTarget({ server, secret })), read });
    const [oldest] = this.#tests.keys();
    if (this.#tests.size > maxKept && oldest !== undefined) this.#tests.delete(oldest);
    return { id, sends };
  }

  async query(id: string): Promise<TargetTest> {
    const test = this.#tests.get(id);
    const row = await test?.read();
    if (!test || !row) throw new AppError('notFound', because('target.no-test'));
    return toTargetTest(row, test);
  }

  async #hand(id: string, file: PushTestFile): Promise<StartedTest['read']> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, `${id}.json`);
    await writeFile(path, JSON.stringify(file), { mode: fileMode });
    try {
      const read = await this.#deps.gateways.startPushTest(id);
      if (!read) throw new AppError('invalidRequest', because('target.tests-missing'));
      for (let waitedMs = 0; waitedMs < beginMs; waitedMs += beginPollMs) {
        if (await read()) return read;
        await sleep(beginPollMs);
      }
      throw new AppError('invalidRequest', because('target.tests-busy'));
    } finally {
      await rm(path, { force: true });
    }
  }

  async #isRunning(server: string, secret: string): Promise<boolean> {
    const targets = Object.values(await this.#deps.forwards.targets());
    return targets.some((target) => target.enabled && isSamePublisher(target, { server, secret }));
  }

  async #codecOf(name: string): Promise<string> {
    const choice = await this.#deps.sources.choose(({ stream }) => name === '' || stream === name);
    return choice.kind === 'found' ? choice.source.videoCodec : '';
  }
}

/** Whether a platform treats both addresses as one channel. Ignores the query of the key, which contains settings of the stream. */
export function isSamePublisher(a: PushAddress, b: PushAddress): boolean {
  const [first, second] = [a, b].map(({ server, secret }) => [
    server.trim().replace(/\/+$/, '').toLowerCase(),
    secret.trim().replace(/^\/+/, '').replace(/\?.*/s, ''),
  ]);
  return first?.join(' ') === second?.join(' ');
}

function toTargetTest({ isDone, steps, failure, fourCcs }: SrsPushTestRow, test: StartedTest): TargetTest {
  const detail = failure && maskedDetail(pushDetailOf(failure), test.mask);
  const failed = detail &&
    failure && { reason: failure.reason, reasonDetail: detail.text, detail: toWirePhrase(detail) };
  const shown = steps.map((each) => ({ ...each, ...(each.state === 'failed' && failed) }));
  const codec = isDone ? codecStepOf(test.address, test.codec, fourCcs) : { state: 'pending' as const };
  return { isDone, steps: [...shown, { step: 'codec', ms: 0, ...codec }] };
}
