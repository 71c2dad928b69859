// Live transcoding: one worker converts the newest stream to a stream with the given codecs and bitrates.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  because,
  changed,
  switched,
  type TranscodeConfig,
  type TranscodeTask,
  transcodeConfig,
  transcodePictureDefaults,
  type WatermarkImage,
  workerDetail,
} from '@srs-stack/contract';
import { encoderLimits } from '@srs-stack/process/programs/media-limits.ts';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import { pushSchemes } from '../../network/address-rule.ts';
import { type OwnAddresses, streamPath } from '../../network/own-addresses.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import type { StreamSources } from '../../streams/stream-sources.ts';
import { joinAddress, pushOutput } from '../../workers/ffmpeg-args/address.ts';
import { transcodeArgs } from '../../workers/ffmpeg-args/transcode-args.ts';
import type { PlannedTask, PlannedTasks, PlanResult } from '../../workers/worker-plan.ts';
import type { WorkerRegistry } from '../../workers/worker-registry.ts';
import { refusedHost, secretsOfTarget } from '../push/push-targets.ts';
import type { PushAddress } from '../secret-in-key.ts';
import { factOf, statusOf } from '../worker-rows.ts';
import { checkSwitchedOff, checkTranscode } from './transcode-rules.ts';
import type { Watermarks } from './watermarks.ts';

const transcodeDocument: DocumentType<TranscodeConfig> = {
  key: 'transcode',
  schema: transcodeConfig,
  empty: transcodeConfig.parse({}),
  secret: true,
};

export const transcodeWorkerId = 'transcode';
const watermarkMissing: PlanResult = {
  kind: 'fail',
  reason: 'file-missing',
  detail: workerDetail('watermark-missing'),
  needsOperator: true,
};

export interface Transcode {
  current(): Promise<TranscodeConfig>;
  apply(config: TranscodeConfig, actor: Actor): Promise<void>;
  /** Changes the destination. A running process keeps its destination; the next process uses the new destination. */
  changeAddress(change: (address: PushAddress) => PushAddress): Promise<void>;
  task(): Promise<TranscodeTask>;
  /** Stores a Base64 image. Settings refer to the image by its id. */
  receiveWatermark(base64: string): Promise<WatermarkImage>;
  findWatermark(id: string): Promise<WatermarkImage & { picture: string }>;
  /** The worker by id, if transcoding is enabled. */
  wanted(): Promise<PlannedTasks>;
}

export interface TranscodeDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly workers: WorkerRegistry;
  readonly sources: StreamSources;
  readonly ownAddresses: OwnAddresses;
  readonly watermarks: Watermarks;
}

export function createTranscode(deps: TranscodeDeps): Transcode {
  return new StoredTranscode(deps);
}

class StoredTranscode implements Transcode {
  readonly #deps: TranscodeDeps;
  readonly #uuid = randomUUID();
  readonly #oneAtATime = createOneAtATime();

  constructor(deps: TranscodeDeps) {
    this.#deps = deps;
  }

  current(): Promise<TranscodeConfig> {
    return this.#deps.store.get(transcodeDocument);
  }

  apply(config: TranscodeConfig, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      if (config.all) {
        checkTranscode(config);
        await this.#requireWatermark(config);
      } else if (!isDeepStrictEqual({ ...(await this.current()), all: false }, config)) {
        // Switching off also accepts incomplete settings of older releases.
        checkSwitchedOff(config);
      }
      await this.#deps.store.set(transcodeDocument, config);
      const { plan, suits } = this.#task();
      if (config.all) this.#deps.workers.run(transcodeWorkerId, plan, suits);
      else await this.#deps.workers.halt(transcodeWorkerId);
      await this.#deps.audit.record(
        'setting-changed',
        actor,
        changed('task.transcode', { state: switched(config.all) }),
      );
    });
  }

  changeAddress(change: (address: PushAddress) => PushAddress): Promise<void> {
    return this.#oneAtATime(async () => {
      const { value: config, revision } = await this.#deps.store.read(transcodeDocument);
      await this.#deps.store.set(transcodeDocument, { ...config, ...change(config) }, revision);
    });
  }

  async task(): Promise<TranscodeTask> {
    const { all } = await this.current();
    const view = this.#deps.workers.view(transcodeWorkerId);
    const { log = '', update = '' } = view.frame ?? {};
    return {
      uuid: this.#uuid,
      enabled: all,
      input: factOf(view, 'input') ?? '',
      output: factOf(view, 'output') ?? '',
      // Existing clients poll one second after the start. Before the first progress line, these clients get the latest log line.
      frame: log === '' ? { log: view.firstText, update: view.firstText && (view.start ?? '') } : { log, update },
      ...(view.start === undefined ? {} : { start: view.start, ready: view.ready ?? '' }),
      ...statusOf(view),
    };
  }

  async receiveWatermark(base64: string): Promise<WatermarkImage> {
    return this.#deps.watermarks.receive(base64, (await this.current()).picture?.watermark?.image);
  }

  findWatermark(id: string): Promise<WatermarkImage & { picture: string }> {
    return this.#deps.watermarks.find(id);
  }

  async wanted(): Promise<PlannedTasks> {
    return new Map((await this.current()).all ? [[transcodeWorkerId, this.#task()]] : []);
  }

  #task(): PlannedTask {
    return { plan: () => this.#plan(), suits: () => this.#isPossibleHere() };
  }

  async #isPossibleHere(): Promise<boolean> {
    const config = await this.current();
    const mark = config.picture?.watermark;
    if (mark && !(await this.#deps.watermarks.pathOf(mark.image))) return false;
    return (await this.#chooseSource(config)).kind === 'found';
  }

  #chooseSource(config: TranscodeConfig) {
    // Compares only the path: this server may not know the host name that the operator entered.
    const own = streamPath(joinAddress(config.server, config.secret));
    return this.#deps.sources.choose(({ app, stream }) => `${app}/${stream}` !== own);
  }

  async #requireWatermark({ picture }: TranscodeConfig) {
    if (!picture?.watermark || (await this.#deps.watermarks.pathOf(picture.watermark.image))) return;
    throw new AppError('fileNotFound', because('watermark.gone'));
  }

  async #plan(): Promise<PlanResult> {
    const config = await this.current();
    const output = pushOutput(config.server, config.secret);
    const choice = await this.#chooseSource(config);
    if (choice.kind === 'away')
      return { kind: 'wait', reason: 'media-server-away', detail: workerDetail('media-server-away') };
    if (choice.kind === 'none') return { kind: 'wait', reason: 'source-not-live', detail: workerDetail('no-stream') };
    const refused = await refusedHost(output.checked, pushSchemes);
    if (refused) return refused;
    const { picture = transcodePictureDefaults } = config;
    const mark = picture.watermark;
    const path = mark ? await this.#deps.watermarks.pathOf(mark.image) : undefined;
    if (mark && !path) return watermarkMissing;
    const { source } = choice;
    const watermark = mark && path ? { ...mark, path } : null;
    const isOwn = await this.#deps.ownAddresses.streamOf(output.address);
    const secrets = isOwn ? secretsInQuery(config) : secretsOfTarget(config);
    return {
      kind: 'run',
      plan: {
        mayUse: encoderLimits(),
        args: transcodeArgs({ input: source.address, output, config, picture: { ...picture, watermark } }),
        secrets: [...secrets, ...source.secrets],
        watchesSpeed: true,
        facts: { input: source.url, output: output.address },
        isSourceLive: () => this.#deps.sources.isLive(source),
        hasPicture: () => this.#deps.sources.hasPicture(source),
      },
    };
  }
}

/** Values to mask: login, and values of the query, e.g. the publish secret. The stream name stays readable. */
function secretsInQuery({ server, secret }: TranscodeConfig): string[] {
  const query = secret.split('?').slice(1).join('?');
  const values = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [...secretsOfTarget({ server, secret: '' }), ...values];
}
