import type * as calls from '@srs-stack/contract/endpoints/cloud-recording.ts';
import type { Recording } from '../recording/open-recording.ts';
import type { HandlersOf } from './handlers.ts';

export function cloudRecordingRoutes({ cloud: cloudRecording }: Recording): HandlersOf<typeof calls> {
  const { account, dvr, vod } = cloudRecording;
  return {
    queryDvr: () => ({ all: dvr.isOn(), secret: account.ready() !== undefined }),
    async applyDvr({ all }, { ip }) {
      await cloudRecording.apply('dvr', all, ip);
      return null;
    },
    queryDvrFiles: () =>
      dvr.tasks().map(({ row, transfer: { bucket, region, url } }) => ({ ...row, bucket, region, url })),
    async removeDvr({ uuid }, { ip }) {
      await dvr.remove(uuid, ip);
      return null;
    },
    queryVod() {
      const ready = account.ready();
      const isKnown = ready?.vod !== undefined;
      return { all: vod.isOn(), secret: ready !== undefined, service: isKnown, storage: isKnown };
    },
    async applyVod({ all }, { ip }) {
      await cloudRecording.apply('vod', all, ip);
      return null;
    },
    queryVodFiles: () =>
      vod
        .tasks()
        .map(({ row, transfer: { fileId, mediaUrl, task } }) => ({ ...row, file: fileId, media: mediaUrl, task })),
    async removeVod({ uuid }, { ip }) {
      await vod.remove(uuid, ip);
      return null;
    },
    async updateCloudSecret({ secretId, secretKey }, { ip }) {
      await cloudRecording.changeSecret(secretId, secretKey, ip);
      return null;
    },
    queryCloudAccount: () => account.shown(),
  };
}
