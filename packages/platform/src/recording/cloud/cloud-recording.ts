// Cloud recording: the account, DVR and VoD. Either DVR or VoD may be on, not both.
import { AppError } from '@srs-stack/contract';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { HlsSegment } from '../../streams/hls-segments.ts';
import { type CloudAccountService, openCloudAccount } from './cloud-account.ts';
import { type CloudRecorder, type CloudRecorderDeps, openCloudRecorder } from './cloud-recorder.ts';

export interface CloudRecording {
  readonly account: CloudAccountService;
  readonly dvr: CloudRecorder;
  readonly vod: CloudRecorder;
  /** Checks and saves credentials; retries failed uploads. */
  changeSecret(secretId: string, secretKey: string, actor: Actor): Promise<void>;
  /** Throws `cloudRecordingExclusive` if both kinds would be on. */
  apply(kind: 'dvr' | 'vod', all: boolean, actor: Actor): Promise<void>;
  onSegment(segment: HlsSegment): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

export interface CloudRecordingDeps extends Omit<CloudRecorderDeps, 'kind' | 'account'> {
  readonly region: string;
}

export async function openCloudRecording(deps: CloudRecordingDeps): Promise<CloudRecording> {
  const account = await openCloudAccount(deps);
  const [dvr, vod] = [
    await openCloudRecorder({ ...deps, account, kind: 'dvr' }),
    await openCloudRecorder({ ...deps, account, kind: 'vod' }),
  ];
  const both = [dvr, vod];
  const oneAtATime = createOneAtATime();
  return {
    account,
    dvr,
    vod,
    async changeSecret(secretId, secretKey, actor) {
      await account.change(secretId, secretKey, actor).finally(() => {
        for (const recorder of both) recorder.retryNow();
      });
    },
    apply: (kind, all, actor) =>
      oneAtATime(async () => {
        const [wanted, other] = kind === 'dvr' ? [dvr, vod] : [vod, dvr];
        if (all && other.isOn()) throw new AppError('cloudRecordingExclusive');
        await wanted.apply(all, actor);
      }),
    async onSegment(segment) {
      await Promise.all(both.map((recorder) => recorder.onSegment(segment)));
    },
    start() {
      for (const recorder of both) recorder.start();
    },
    async close() {
      await Promise.all(both.map((recorder) => recorder.close()));
    },
  };
}
