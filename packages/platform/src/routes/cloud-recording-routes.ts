import type * as calls from '@srs-stack/contract/endpoints/cloud-recording.ts';
import type { Recording } from '../recording/open-recording.ts';
import type { HandlersOf } from './handlers.ts';

export function cloudRecordingRoutes({ cloud: cloudRecording }: Recording): HandlersOf<typeof calls> {
  const { account, dvr, vod } = cloudRecording;
  return {
    queryDvr: () => ({ all: dvr.isOn(), secret: account.ready() !== undefined }),
    async applyDvr({ all }, { actor }) {
      await cloudRecording.apply('dvr', all, actor);
      return null;
    },
    queryDvrFiles: () =>
      dvr.tasks().map(({ row, transfer: { bucket, region, url } }) => ({ ...row, bucket, region, url })),
    async removeDvr({ uuid }, { actor }) {
      await dvr.remove(uuid, actor);
      return null;
    },
    queryVod() {
      const ready = account.ready();
      const isKnown = ready?.vod !== undefined;
      return { all: vod.isOn(), secret: ready !== undefined, service: isKnown, storage: isKnown };
    },
    async applyVod({ all }, { actor }) {
      await cloudRecording.apply('vod', all, actor);
      return null;
    },
    queryVodFiles: () =>
      vod
        .tasks()
        .map(({ row, transfer: { fileId, mediaUrl, task } }) => ({ ...row, file: fileId, media: mediaUrl, task })),
    async removeVod({ uuid }, { actor }) {
      await vod.remove(uuid, actor);
      return null;
    },
    async updateCloudSecret({ secretId, secretKey }, { actor }) {
      await cloudRecording.changeSecret(secretId, secretKey, actor);
      return null;
    },
    queryCloudAccount: () => account.shown(),
  };
}
