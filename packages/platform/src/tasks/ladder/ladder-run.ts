// Converts the state of a stream to the FFmpeg arguments of its ladder, or to the reason for waiting. Remembers the source of a started
// worker.
import { type LadderConfig, renditionName, workerDetail } from '@srs-stack/contract';
import { encoderLimits } from '@srs-stack/process/programs/media-limits.ts';
import type { MediaServerStream } from '../../media-server/media-server.ts';
import type { RenditionAccess } from '../../streams/rendition-access.ts';
import type { StreamSources } from '../../streams/stream-sources.ts';
import { type LadderOutput, ladderArgs } from '../../workers/ffmpeg-args/ladder-args.ts';
import type { PlanResult, WorkerPlan } from '../../workers/worker-plan.ts';
import { type LadderPlan, type LadderSource, planLadder } from './ladder-plan.ts';
import { findStream, sourceOf } from './ladder-rows.ts';

/** A source is measured for this time before its ladder is planned, milliseconds. */
const measuredForMs = 3_000;

type SourceChoice = Awaited<ReturnType<StreamSources['choose']>>;
type StreamSource = Extract<SourceChoice, { kind: 'found' }>['source'];

export interface LadderRunOptions {
  readonly app: string;
  readonly stream: string;
  readonly config: LadderConfig;
  readonly choice: SourceChoice;
  readonly streams: readonly MediaServerStream[] | undefined;
  readonly rtmpPort: number | null | undefined;
  readonly key: RenditionAccess['query'];
  readonly isLive: StreamSources['isLive'];
}

export function planLadderRun(options: LadderRunOptions): PlanResult {
  const { app, stream, config, choice, streams, rtmpPort } = options;
  const away: PlanResult = { kind: 'wait', reason: 'media-server-away', detail: workerDetail('media-server-away') };
  if (choice.kind === 'away' || !streams) return away;
  if (!rtmpPort) return { ...away, detail: workerDetail('media-server-without-rtmp') };
  const row = findStream(streams, app, stream);
  if (choice.kind === 'none' || !row?.isPublished) {
    const detail = workerDetail('stream-not-live', { stream: `${app}/${stream}` });
    return { kind: 'wait', reason: 'source-not-live', detail };
  }
  const facts = sourceOf(row);
  const isMeasured = (row.details?.publishedForMs ?? measuredForMs) >= measuredForMs;
  if (!isMeasured || (facts.videoCodec !== '' && facts.width === 0)) {
    return { kind: 'wait', reason: 'source-not-live', detail: workerDetail('source-measured') };
  }
  const plan = planLadder(config, facts);
  if (!plan.renditions.some(({ kind }) => kind === 'picture')) {
    const detail = workerDetail(facts.videoCodec === '' ? 'ladder-no-picture' : 'ladder-no-step');
    return { kind: 'fail', reason: 'settings-invalid', detail, needsOperator: true };
  }
  return { kind: 'run', plan: toWorkerPlan(options, { plan, facts, source: choice.source, rtmpPort }) };
}

interface Planned {
  readonly plan: LadderPlan;
  readonly facts: LadderSource;
  readonly source: StreamSource;
  readonly rtmpPort: number;
}

function toWorkerPlan(
  { app, stream, config, key, isLive }: LadderRunOptions,
  { plan, facts, source, rtmpPort }: Planned,
): WorkerPlan {
  const addressOf = (step: string) => `rtmp://127.0.0.1:${rtmpPort}/${app}/${renditionName(stream, step)}?${key.text}`;
  const outputs = plan.renditions.map((each): LadderOutput => ({ ...each, address: addressOf(each.step) }));
  return {
    mayUse: encoderLimits(),
    args: ladderArgs({
      ...{ input: source.address, outputs, encoder: config.encoder, speed: config.speed },
      followsSource: plan.renditions.some(({ kind }) => kind === 'source'),
      hasSound: facts.audioCodec !== '',
    }),
    secrets: [key.secret, ...source.secrets],
    // A slow ladder is only reported, not restarted: it still serves viewers.
    watchesSpeed: false,
    facts: { source: signatureOf(facts), plan },
    isSourceLive: () => isLive(source),
  };
}

type RunFacts = WorkerPlan['facts'] | undefined;

/** Undefined before the worker's first run. */
export function planOf(facts: RunFacts): LadderPlan | undefined {
  return facts?.plan as LadderPlan | undefined;
}

/** Whether the source has changed since the worker started. False before the worker's first run. */
export function isForOther(facts: RunFacts, row: MediaServerStream): boolean {
  return facts !== undefined && facts.source !== signatureOf(sourceOf(row));
}

function signatureOf({ videoCodec, width, height, audioCodec }: LadderSource): string {
  return `${videoCodec} ${width}x${height} ${audioCodec}`;
}
