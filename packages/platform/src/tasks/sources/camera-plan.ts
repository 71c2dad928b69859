// Plans how a camera is pulled: by the media server if possible, otherwise by FFmpeg.
import { type Camera, defaultApp, isValidAppName, isValidStreamName, workerDetail } from '@srs-stack/contract';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { forwardLimits } from '@srs-stack/process/programs/media-limits.ts';
import { pushSchemes } from '../../network/address-rule.ts';
import { joinAddress, pushOutput, withEncodedUserInfo } from '../../workers/ffmpeg-args/address.ts';
import { cameraArgs } from '../../workers/ffmpeg-args/camera-args.ts';
import { type RunLimits, takeRunLimits } from '../../workers/run-limits.ts';
import type { SourceProxy } from '../../workers/source-proxy.ts';
import type { PullWish } from '../../workers/transfers/engine-transfers.ts';
import type { PlanResult } from '../../workers/worker-plan.ts';
import { refusedHost, secretsOfTarget } from '../push/push-targets.ts';
import { canEnginePull, sourceKindOf } from './source-kind.ts';

const cameraSchemes = ['rtsp', 'rtsps', 'rtmp', 'rtmps', 'http', 'https', 'srt'] as const;

/** Name suffix of the second, smaller stream of a camera. */
const subStreamSuffix = '_sub';

export interface CameraPlanDeps {
  /** Whether the media server can pull RTSP, SRT, datagrams and HLS without FFmpeg. */
  readonly canPull: boolean;
  readonly proxy: Pick<SourceProxy, 'environmentFor'>;
  readonly publishSecret: { current(): { readonly publish: string } };
  readonly boundPorts: () => Promise<{ readonly rtmp: number | null } | undefined>;
  readonly ownStreamOf: (address: string) => Promise<string>;
  /** Whether a task needs this stream even without viewers. */
  readonly isNeeded: (stream: { app: string; stream: string }) => Promise<boolean>;
}

interface OwnStream {
  readonly app: string;
  readonly stream: string;
  readonly param: string;
}

export async function planCamera(camera: Camera, deps: CameraPlanDeps): Promise<PlanResult> {
  const [source] = camera.files;
  if (!source) return failed('settings-invalid', workerDetail('no-source'));
  const { address: url, limits } = takeRunLimits(source.target);
  const isDatagrams = sourceKindOf(url) === 'udp';
  const refused = isDatagrams ? undefined : await refusedHost(withEncodedUserInfo(url), cameraSchemes);
  if (refused) return refused;
  const secrets = [...secretsOfTarget(camera), ...secretsOfTarget({ server: url, secret: '' })];
  const facts = { source: source.uuid };
  const own = await ownStream(camera, deps);
  // Only FFmpeg supports time and speed limits in the address.
  const isWhole = Object.keys(limits).length === 0;
  const canPull = deps.canPull && isWhole && camera.extraAudio === '' && canEnginePull(url);
  if (own && canPull) {
    const wish = await toWish(camera, own, url, deps);
    const revise = camera.onDemand && reviseOf(camera, wish, deps);
    const instead = () => planFfmpeg(camera, { url, limits, secrets, facts, own }, deps);
    return { kind: 'push', plan: { wish, secrets, facts, instead, ...(revise && { revise }) } };
  }
  return planFfmpeg(camera, { url, limits, secrets, facts, own }, deps);
}

interface Pulled {
  readonly url: string;
  readonly limits: RunLimits;
  readonly secrets: readonly string[];
  readonly facts: { readonly source: string };
  readonly own: OwnStream | undefined;
}

async function planFfmpeg(
  camera: Camera,
  { url, limits, secrets, facts, own }: Pulled,
  deps: CameraPlanDeps,
): Promise<PlanResult> {
  if (sourceKindOf(url) === 'udp') return failed('address-refused', workerDetail('camera-udp'));
  if (/^rtsps:/i.test(url)) return failed('address-refused', workerDetail('camera-rtsps'));
  const target = await targetOf(camera, own, deps);
  if (!target) return { kind: 'wait', reason: 'media-server-away', detail: workerDetail('media-server-without-rtmp') };
  const output = pushOutput(target.server, target.secret);
  const unreachable = await refusedHost(output.checked, pushSchemes);
  if (unreachable) return unreachable;
  const input = withEncodedUserInfo(url);
  const args = { url: input, transport: camera.transport, isSilent: camera.extraAudio === 'silent', output };
  return {
    kind: 'run',
    plan: {
      mayUse: forwardLimits,
      environment: await deps.proxy.environmentFor(input),
      args: cameraArgs(args, (camera.files[0]?.audio?.codec_name ?? 'aac') === 'aac'),
      secrets: [...secrets, ...secretsOfTarget(target)],
      watchesSpeed: true,
      ...{ limits, facts },
    },
  };
}

/** `app/stream` on this server; '' if the camera is sent to another server. */
export async function streamOfCamera(camera: Camera, deps: Pick<CameraPlanDeps, 'ownStreamOf'>): Promise<string> {
  if (camera.server !== '') return deps.ownStreamOf(joinAddress(camera.server, camera.secret));
  return `${defaultApp}/${splitKey(camera.secret).name}`;
}

/** The smaller stream of a camera as a separate camera. Always pulled, because the Sources page shows an image of each camera. */
export function subCameraOf(camera: Camera): Camera | undefined {
  const { subAddress, secret } = camera;
  const [source] = camera.files;
  if (subAddress === '' || !source) return undefined;
  const { name, query } = splitKey(secret);
  return {
    ...camera,
    ...{ secret: `${name}${subStreamSuffix}${query}`, onDemand: false, extraAudio: '', subAddress: '' },
    files: [
      {
        ...source,
        uuid: `${source.uuid}${subStreamSuffix}`,
        target: subAddress,
        format: null,
        video: null,
        audio: null,
      },
    ],
  };
}

async function ownStream(camera: Camera, deps: CameraPlanDeps): Promise<OwnStream | undefined> {
  const [, app = '', stream = ''] = /^(.+)\/([^/]+)$/.exec(await streamOfCamera(camera, deps)) ?? [];
  if (!isValidAppName(app) || !isValidStreamName(stream)) return undefined;
  const { query } = splitKey(camera.secret);
  const own = `?secret=${encodeURIComponent(deps.publishSecret.current().publish)}`;
  return { app, stream, param: query === '' && camera.server === '' ? own : query };
}

function splitKey(key: string): { name: string; query: string } {
  const at = key.indexOf('?');
  return at < 0 ? { name: key, query: '' } : { name: key.slice(0, at), query: key.slice(at) };
}

async function toWish(camera: Camera, own: OwnStream, url: string, deps: CameraPlanDeps): Promise<PullWish> {
  const { acceptsAnyCertificate, transport } = camera;
  const onDemand = camera.onDemand && !(await deps.isNeeded(own));
  return { ...own, vhost: defaultVhost, url, acceptsAnyCertificate, transport, onDemand };
}

/** Revises the plan, because the needs of tasks change at any time. A new publish secret applies at the next start. */
function reviseOf(camera: Camera, first: PullWish, deps: CameraPlanDeps): (isIdle: boolean) => Promise<PullWish> {
  let current = first;
  return async (isIdle) => {
    const own = isIdle ? await ownStream(camera, deps) : undefined;
    current = await toWish(camera, own ?? current, first.url, deps);
    return current;
  };
}

async function targetOf(
  { server, secret }: Camera,
  own: OwnStream | undefined,
  { boundPorts }: CameraPlanDeps,
): Promise<{ server: string; secret: string } | undefined> {
  if (server !== '') return { server, secret };
  const rtmp = (await boundPorts())?.rtmp;
  return rtmp && own
    ? { server: `rtmp://127.0.0.1:${rtmp}/${own.app}/`, secret: `${own.stream}${own.param}` }
    : undefined;
}

function failed(reason: 'settings-invalid' | 'address-refused', detail: ReturnType<typeof workerDetail>): PlanResult {
  return { kind: 'fail', reason, detail, needsOperator: true };
}
