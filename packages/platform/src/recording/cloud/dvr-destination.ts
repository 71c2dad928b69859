// DVR: uploads each closed segment as `{uuid}/{segment}.ts` to the bucket, and finally `{uuid}/index.m3u8`. Deletes the local segment after
// its upload.
import { writePlaylist } from '../segments/playlist-text.ts';
import { writeSegmentName } from '../segments/segment-name.ts';
import { type Cloud, CloudError } from './cloud.ts';
import type { ReadyAccount } from './cloud-account.ts';
import type { TransferFacts } from './transfer-facts.ts';
import type { CloudFolder } from './transfer-ledger.ts';
import type { Destination, TransferJob } from './transfers.ts';

export const segmentType = 'video/MP2T';
export const playlistType = 'application/vnd.apple.mpegurl';

export interface DestinationDeps {
  readonly cloud: Cloud;
  readonly folder: CloudFolder;
  /** The account; throws a CloudError of kind `account` without credentials. */
  readonly account: () => ReadyAccount;
}

export function createDvrDestination({ cloud, folder, account }: DestinationDeps): Destination {
  const bucketOf = async (job: TransferJob): Promise<Pick<TransferFacts, 'bucket' | 'region'>> => {
    if (job.transfer.bucket !== '') return job.transfer;
    const { bucket, region } = account();
    await job.change({ bucket, region });
    return { bucket, region };
  };
  return {
    async next({ recording: { uuid } }) {
      const [here, uploaded] = [await folder.local(uuid), await folder.uploaded(uuid)];
      // Removes local copies of uploaded segments. Such copies remain when a process is killed between upload and removal.
      for (const segment of here.filter((each) => uploaded.has(writeSegmentName(each)))) {
        await folder.removeLocal(uuid, segment);
      }
      return here[0];
    },

    async upload(job, segment) {
      const { uuid } = job.recording;
      const name = writeSegmentName(segment);
      const place = { ...(await bucketOf(job)), key: `${uuid}/${name}` };
      const { sizeBytes, writtenAtMs } = segment;
      const body = { path: folder.pathOf(uuid, name), sizeBytes };
      await cloud.putObject(account().credentials, { ...place, body, contentType: segmentType }, job.signal);
      await folder.note(uuid, { name, sizeBytes, writtenAtMs, key: place.key });
      await folder.removeLocal(uuid, segment);
    },

    async complete(job) {
      const { uuid } = job.recording;
      const uploaded = await folder.uploaded(uuid);
      if (uploaded.size === 0) throw new CloudError('lost', '', 'no segment of this recording was uploaded');
      const segments = (await folder.segments(uuid)).filter((each) => uploaded.has(writeSegmentName(each)));
      const place = { ...(await bucketOf(job)), key: `${uuid}/index.m3u8` };
      const body = { text: writePlaylist(segments, '') };
      await cloud.putObject(account().credentials, { ...place, body, contentType: playlistType }, job.signal);
      await job.change({ url: cloud.objectUrl(place) });
    },
  };
}
