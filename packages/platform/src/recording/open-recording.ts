// Recording, on this machine and in the cloud: both receive the segments of the streams as they are completed.
import type { HlsSegments } from '../streams/hls-segments.ts';
import { type CloudRecording, type CloudRecordingDeps, openCloudRecording } from './cloud/cloud-recording.ts';
import { createTencentCloud } from './cloud/tencent/tencent-cloud.ts';
import { openRecords, type Records, type RecordsDeps } from './records.ts';

export interface Recording {
  readonly records: Records;
  readonly cloud: CloudRecording;
  start(): void;
  close(): Promise<void>;
}

export interface RecordingDeps extends RecordsDeps, Omit<CloudRecordingDeps, 'cloud' | 'region' | 'nodes'> {
  readonly segments: HlsSegments;
  /** Whether local recording is enabled on this machine. */
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
  segments.subscribe(async (segment) => {
    if (isEnabled()) await records.onSegment(segment);
  });
  segments.subscribe((segment) => inCloud.onSegment(segment));
  return {
    records,
    cloud: inCloud,
    start() {
      records.start();
      inCloud.start();
    },
    async close() {
      await records.close();
      await inCloud.close();
    },
  };
}
