// Creates and connects the parts of local recording. Other modules use `Records`.
import { join } from 'node:path';
import { rewindFolderName } from '@srs-stack/playback/rewind/rewind-names.ts';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import { type Clips, createClips } from './clips.ts';
import { createDiskWatch, type DiskSpace, type DiskWatch, type MeasureDisk, measureDisk } from './disk-space.ts';
import { OtherRecords } from './listing/other-records.ts';
import { RecordListing } from './listing/record-listing.ts';
import { createClusterBin, type RecordPeers } from './listing/record-peers.ts';
import { createPosters, type Posters } from './mp4/poster.ts';
import { RecordFinisher } from './mp4/record-finisher.ts';
import { type RunFfmpeg, runFfmpeg } from './mp4/remux.ts';
import { createRecordBin, type RecordBin } from './record-bin.ts';
import { RecordCatalogue } from './record-catalogue.ts';
import { ended, noRecordEvents, type RecordEvents } from './record-events.ts';
import { type RecordCluster, type RecordFacts, recordCollection } from './record-facts.ts';
import { openRecordFolder, type RecordFolder } from './record-folder.ts';
import { createRecordLabels, type RecordLabels } from './record-labels.ts';
import { RecordLinks } from './record-link.ts';
import { createRecordObjects, type RecordBucket, type RecordObjects } from './record-objects.ts';
import { openRecordRetention, type RecordRetentionService } from './rules/record-retention.ts';
import { openRecordRules, type RecordRulesService } from './rules/record-rules.ts';
import { openRecordSplit, type RecordSplitService } from './rules/record-split.ts';
import { RecordTasks } from './running/record-tasks.ts';
import { createUnreportedSegments, segmentSeconds } from './running/unreported-segments.ts';

export interface RecordPartsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly dataDir: string;
  readonly hlsPath: string;
  readonly log: Log;
  readonly now: () => Date;
  readonly objects: RecordBucket;
  readonly events?: RecordEvents;
  readonly nodes: RecordCluster;
  readonly peers: RecordPeers;
  readonly monotonicMs?: () => number;
  readonly runFfmpeg?: RunFfmpeg;
  readonly measureDisk?: MeasureDisk;
}

export interface RecordParts {
  readonly folder: RecordFolder;
  readonly rules: RecordRulesService;
  readonly split: RecordSplitService;
  readonly catalogue: RecordCatalogue;
  readonly others: OtherRecords;
  readonly listing: RecordListing;
  readonly links: RecordLinks;
  readonly ownBin: RecordBin;
  readonly clusterBin: RecordBin;
  readonly disk: DiskWatch;
  readonly finisher: RecordFinisher;
  readonly tasks: RecordTasks;
  readonly retention: RecordRetentionService;
  readonly posters: Posters;
  readonly objects: RecordObjects;
  readonly clips: Clips;
  readonly labels: RecordLabels;
}

export async function openRecordParts(deps: RecordPartsDeps): Promise<RecordParts> {
  const { store, audit, dataDir, log, now, events = noRecordEvents, monotonicMs = () => performance.now() } = deps;
  const { runFfmpeg: run = runFfmpeg, measureDisk: measure = measureDisk } = deps;
  const folder = await openRecordFolder(join(dataDir, 'record'));
  const rules = await openRecordRules({ store, audit, dataDir, now });
  const split = await openRecordSplit({ store, audit });
  const { nodes, peers } = deps;
  const collection = store.collection(recordCollection);
  const catalogue = new RecordCatalogue(collection, nodes.self, log);
  const others = new OtherRecords({ collection, nodeId: nodes.self.id, log });
  // Subscribes before the first read, because a change in between would be missed.
  if (nodes.isShared) store.subscribe((change) => others.onChange(change));
  const listing = new RecordListing({ catalogue, others, nodes });
  const onChange = (room: DiskSpace) => logDiskState(room, () => ownBin.purge('on disk'), log);
  const disk = createDiskWatch({ path: folder.root, monotonicMs, measure, onChange });
  const finisher = new RecordFinisher({
    ...{ folder, catalogue, disk, now, log, runFfmpeg: run },
    copyFolder: () => rules.copyFolder(),
    onDone: (facts) => {
      events.notify(ended(facts));
      objects.offer(facts);
    },
  });
  const findUnreported = createUnreportedSegments(deps.hlsPath, segmentSeconds);
  const limits = () => split.current();
  const taskDeps = { folder, catalogue, disk, rules, limits, finisher, events, findUnreported, now, monotonicMs, log };
  const tasks = new RecordTasks(taskDeps);
  const posters = createPosters({ folder, runFfmpeg: run, log });
  const objects = createRecordObjects({ bucket: deps.objects, folder, catalogue, posters, monotonicMs, log });
  const toRow = (facts: RecordFacts) => listing.row(facts);
  const ownBin = createRecordBin({ folder, catalogue, tasks, finisher, objects, toRow, audit, now, log });
  const abandoned = {
    async forget(facts: RecordFacts) {
      await objects.remove(facts);
      await others.forget(facts.uuid);
    },
  };
  const clusterBin = createClusterBin({ own: ownBin, listing, nodes, peers, abandoned, others });
  const retention = await openRecordRetention({
    ...{ store, audit, now, log },
    rows: () => catalogue.list({ search: '', offset: 0, limit: undefined }),
    remove: (uuid) => ownBin.discard(uuid),
  });
  const clips = createClips({ root: join(dataDir, rewindFolderName), folder, catalogue, finisher, now, log });
  const bucket = deps.objects;
  const links = new RecordLinks({ catalogue, listing, nodes, peers, folder, tasks, posters, objects, bucket });
  return {
    ...{ folder, rules, split, catalogue, others, listing, links, disk, finisher, tasks, ownBin, clusterBin },
    ...{ retention, posters, objects, clips, labels: createRecordLabels({ catalogue, folder, audit }) },
  };
}

function logDiskState({ state, freeBytes }: DiskSpace, emptyBin: () => Promise<void>, log: Log): void {
  if (state === 'full') {
    log.error({ freeBytes }, 'the disk is full: recording pauses, existing recordings stay');
    inBackground(emptyBin(), log, 'the recycle bin cannot be emptied');
  } else {
    log.warn({ state, freeBytes }, 'state of the free disk space for recordings has changed');
  }
}
