// Resolves a link to a recording: to text, a local file, a redirect, an object of the bucket, or a file of another node.
import { stat } from 'node:fs/promises';
import { recordLinkPrefix } from '@srs-stack/contract';
import type { LinkTarget, ObjectTarget } from './link-target.ts';
import type { RecordListing } from './listing/record-listing.ts';
import { type RecordPeers, reachable } from './listing/record-peers.ts';
import type { Posters } from './mp4/poster.ts';
import type { RecordCatalogue } from './record-catalogue.ts';
import type { RecordCluster, RecordFacts } from './record-facts.ts';
import { isRecordUuid, mp4Name, type RecordFolder } from './record-folder.ts';
import type { RecordBucket, RecordObjects } from './record-objects.ts';
import type { RecordTasks } from './running/record-tasks.ts';
import { writePlaylist } from './segments/playlist-text.ts';
import { parseSegmentName } from './segments/segment-name.ts';

export interface RecordLinkDeps {
  readonly catalogue: RecordCatalogue;
  readonly listing: RecordListing;
  readonly nodes: RecordCluster;
  readonly peers: RecordPeers;
  readonly folder: RecordFolder;
  readonly tasks: RecordTasks;
  readonly posters: Posters;
  readonly objects: RecordObjects;
  readonly bucket: RecordBucket;
}

/** Links: `{uuid}.m3u8`, `{uuid}/{file}`, `record/{uuid}/{segment}`. Names cannot contain `/` or `..`. */
const linkPattern = /^(?:(record)\/)?([0-9a-f-]{36})(?:\.m3u8|\/([\w-]+\.(?:ts|m3u8|mp4|jpg)))$/;

export class RecordLinks {
  readonly #deps: RecordLinkDeps;

  constructor(deps: RecordLinkDeps) {
    this.#deps = deps;
  }

  sourceOf(path: string): RecordFacts | undefined {
    const [, , uuid = ''] = linkPattern.exec(path) ?? [];
    return this.#deps.listing.get(uuid);
  }

  /** Undefined if the link has no content. Throws `nodeAway` if the node with the content is unreachable. */
  async find(path: string): Promise<LinkTarget | undefined> {
    const [, isSegment, uuid = '', rest = ''] = linkPattern.exec(path) ?? [];
    const other = this.#deps.listing.other(uuid);
    if (!other || other.removedAt !== undefined) return this.findOwn(path);
    if (rest === mp4Name && other.object) return this.#objectOf(other, other.object);
    if (other.isAway && !isSegment && (rest === '' || rest === 'index.m3u8')) return toMp4(uuid);
    const { nodes, peers } = this.#deps;
    const node = reachable(other, nodes);
    return { kind: 'node', ask: (query, request) => peers.read(node, path + query, request) };
  }

  async findOwn(path: string): Promise<LinkTarget | undefined> {
    const { catalogue, objects, posters } = this.#deps;
    const [, isSegment, uuid = '', rest = ''] = linkPattern.exec(path) ?? [];
    const facts = catalogue.get(uuid);
    if (!isRecordUuid(uuid) || !facts) return undefined;
    if (isSegment || rest === '' || rest === 'index.m3u8') objects.onPlaylistUse(uuid);
    if (isSegment) return parseSegmentName(rest) && this.#fileNamed(facts, rest, 'video/mp2t');
    if (rest === '' || rest === 'index.m3u8') return this.#playlistOf(facts);
    if (rest === mp4Name) return this.#mp4Of(facts);
    if (rest !== 'poster.jpg' || !(await posters.find(uuid))) return undefined;
    return this.#fileNamed(facts, rest, 'image/jpeg');
  }

  async #playlistOf({ uuid, isAway }: RecordFacts): Promise<LinkTarget | undefined> {
    // Only the bucket has the recording; segments are removed, or are being removed.
    if (isAway) return toMp4(uuid);
    const { tasks, folder } = this.#deps;
    const segments = tasks.segmentsOf(uuid) ?? (await folder.segments(uuid));
    if (segments.length === 0) return undefined;
    return { kind: 'playlist', text: writePlaylist(segments, `${recordLinkPrefix}record/${uuid}/`) };
  }

  async #mp4Of(facts: RecordFacts): Promise<LinkTarget> {
    const local = this.#fileNamed(facts, mp4Name, 'video/mp4');
    const isHere = await stat(this.#deps.folder.pathOf(facts.uuid, mp4Name)).catch(() => undefined);
    return !facts.object || isHere ? local : this.#objectOf(facts, facts.object);
  }

  #objectOf(facts: RecordFacts, object: NonNullable<RecordFacts['object']>): ObjectTarget {
    const { bucket } = this.#deps;
    const type = 'video/mp4';
    return {
      ...{ kind: 'object', type, name: niceName(facts), sizeBytes: object.sizeBytes, etag: object.etag },
      modifiedMs: Date.parse(object.at),
      read: (range, signal) => bucket.read(object, range, signal),
      direct: async (saveAs) =>
        (await bucket.delivers()) === 'direct' ? bucket.link(object, { contentType: type, saveAs }) : undefined,
    };
  }

  #fileNamed(facts: RecordFacts, name: string, type: string): LinkTarget {
    return { kind: 'file', path: this.#deps.folder.pathOf(facts.uuid, name), type, name: niceName(facts) };
  }
}

/** Redirects to the MP4: players accept a file in place of a playlist. */
function toMp4(uuid: string): LinkTarget {
  return { kind: 'elsewhere', url: `${recordLinkPrefix}${uuid}/${mp4Name}` };
}

function niceName({ stream, begin, clip }: RecordFacts): string {
  const times = clip ? `${clip.from}--${clip.to}` : begin;
  return `${stream || 'recording'}-${times.replace(/[:.]/g, '-')}`;
}
