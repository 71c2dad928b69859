// Opens local recording, cloud recording and snapshots. Finished segments go to cloud recording, and to local recording while it is on.
import { join } from 'node:path';
import type { HlsSegments } from '../streams/hls-segments.ts';
import { snapshotSize, takeStillImage } from '../workers/still-image.ts';
import { type CloudRecording, type CloudRecordingDeps, openCloudRecording } from './cloud/cloud-recording.ts';
import { createTencentCloud } from './cloud/tencent/tencent-cloud.ts';
import { openRecords, type Records, type RecordsDeps } from './records.ts';
import { openSnapshots, type Snapshots, type SnapshotsDeps } from './snapshots/snapshots.ts';

export interface Recording {
  readonly records: Records;
  readonly cloud: CloudRecording;
  readonly snapshots: Snapshots;
  start(): void;
  close(): Promise<void>;
}

export interface RecordingDeps
  extends RecordsDeps,
    Omit<CloudRecordingDeps, 'cloud' | 'region' | 'nodes'>,
    Pick<SnapshotsDeps, 'mediaServer' | 'ownMediaServer'> {
  readonly segments: HlsSegments;
  readonly isEnabled: () => boolean;
  readonly cloud: { readonly region: string; readonly standIn: URL | undefined };
}

export async function openRecording({ cloud, isEnabled, segments, ...deps }: RecordingDeps): Promise<Recording> {
  const records = await openRecords(deps);
  const inCloud = await openCloudRecording({
    ...deps,
    region: cloud.region,
    cloud: createTencentCloud(cloud.standIn),
  });
  const snapshots = await openSnapshots({
    ...{ ...deps, root: join(deps.dataDir, 'snapshots') },
    takeScreenshot: (keyframe, signal) => takeStillImage(keyframe, signal, snapshotSize),
  });
  segments.subscribe(async (segment) => {
    if (isEnabled()) await records.onSegment(segment);
  });
  segments.subscribe((segment) => inCloud.onSegment(segment));
  return {
    records,
    cloud: inCloud,
    snapshots,
    start() {
      records.start();
      inCloud.start();
      snapshots.start();
    },
    async close() {
      await records.close();
      await inCloud.close();
      await snapshots.close();
    },
  };
}
