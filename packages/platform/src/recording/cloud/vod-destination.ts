// VoD: opens an upload session and uploads closed segments, finally the playlist. Commits the session as a media file and starts a remux to
// MP4. Segments stay on this server until the commit, because a session may expire.
import { dirname } from 'node:path/posix';
import type { StoredSegment } from '../record-folder.ts';
import { writePlaylist } from '../segments/playlist-text.ts';
import { writeSegmentName } from '../segments/segment-name.ts';
import { CloudError, type UploadSession, type VodApplication } from './cloud.ts';
import type { ReadyAccount } from './cloud-account.ts';
import { type DestinationDeps, playlistType, segmentType } from './dvr-destination.ts';
import type { Destination, TransferJob } from './transfers.ts';

export function createVodDestination(deps: DestinationDeps & { readonly now: () => Date }): Destination {
  return new VodDestination(deps);
}

class VodDestination implements Destination {
  readonly #deps: DestinationDeps & { readonly now: () => Date };

  constructor(deps: DestinationDeps & { readonly now: () => Date }) {
    this.#deps = deps;
  }

  /**
   * Returns the next segment that is not uploaded yet. After the end of the recording, also returns segments that were uploaded in an
   * expired session: one session must contain all segments.
   */
  async next(job: TransferJob): Promise<StoredSegment | undefined> {
    const { uuid, state } = job.recording;
    const [here, uploaded] = [await this.#deps.folder.local(uuid), await this.#deps.folder.uploaded(uuid)];
    if (state !== 'recording') await this.#findCommitted(job);
    if (job.transfer.fileId !== '') return undefined;
    const fresh = here.find((each) => !uploaded.has(writeSegmentName(each)));
    if (fresh || state === 'recording') return fresh;
    const place = `${dirname((await this.#sessionOf(job)).playlistKey)}/`;
    return here.find((each) => !uploaded.get(writeSegmentName(each))?.key.startsWith(place));
  }

  async upload(job: TransferJob, segment: StoredSegment): Promise<void> {
    const { uuid } = job.recording;
    const name = writeSegmentName(segment);
    const session = await this.#sessionOf(job);
    const key = `${dirname(session.playlistKey)}/${name}`;
    const { sizeBytes, writtenAtMs } = segment;
    await this.#put(session, key, { path: this.#deps.folder.pathOf(uuid, name), sizeBytes }, job).catch((error) =>
      this.#giveUpRefused(job, error),
    );
    await this.#deps.folder.note(uuid, { name, sizeBytes, writtenAtMs, key });
  }

  async complete(job: TransferJob): Promise<void> {
    const { uuid } = job.recording;
    const { credentials, vod } = applicationOf(this.#deps.account());
    if (job.transfer.fileId === '') {
      const segments = await this.#deps.folder.local(uuid);
      if (segments.length === 0)
        throw new CloudError('lost', '', 'no segment of this recording is left on this server');
      const session = await this.#sessionOf(job);
      await this.#put(session, session.playlistKey, { text: writePlaylist(segments, '') }, job).catch((error) =>
        this.#giveUpRefused(job, error),
      );
      await job.change({ commitBegunAt: this.#deps.now().toISOString() });
      const medium = await this.#deps.cloud
        .commitUpload(credentials, job.transfer.applicationId ?? vod.id, session.key)
        .catch((error) => this.#giveUpRefused(job, error));
      await job.change({ ...medium, session: undefined, commitBegunAt: undefined });
    }
    const { fileId, taskId, applicationId = vod.id } = job.transfer;
    if (taskId === '' && vod.remuxDefinition !== 0) {
      const medium = { applicationId, fileId, definition: vod.remuxDefinition };
      await job.change({ taskId: await this.#deps.cloud.startRemux(credentials, medium) });
    }
    for (const segment of [...(await this.#deps.folder.local(uuid))])
      await this.#deps.folder.removeLocal(uuid, segment);
  }

  async lookUp(job: TransferJob): Promise<void> {
    const { credentials, vod } = applicationOf(this.#deps.account());
    const { taskId, applicationId = vod.id } = job.transfer;
    try {
      const task = await this.#deps.cloud.readRemux(credentials, applicationId, taskId);
      if (task) await job.change({ task, problemKind: null, problem: '', problemCode: '' });
    } catch (error) {
      // After a failed remux the recording stays without an MP4. Polling again cannot change that.
      if (error instanceof CloudError && error.code === 'RemuxFailed') await job.change({ taskId: '' });
      throw error;
    }
  }

  #isCurrent(session: UploadSession | undefined): session is UploadSession {
    return session !== undefined && session.expiresAtMs > this.#deps.now().getTime();
  }

  async #sessionOf(job: TransferJob): Promise<UploadSession> {
    const known = job.transfer.session as UploadSession | undefined;
    if (this.#isCurrent(known)) return known;
    const { credentials, vod } = applicationOf(this.#deps.account());
    const { uuid: mark, app, stream, begin } = job.recording;
    const session = await this.#deps.cloud.applyUpload(credentials, vod.id, {
      name: `${app}/${stream} ${begin}`,
      mark,
    });
    const { bucket, region } = session;
    await job.change({ session: { ...session }, bucket, region, applicationId: vod.id });
    return session;
  }

  #put(
    session: UploadSession,
    key: string,
    body: Parameters<DestinationDeps['cloud']['putObject']>[1]['body'],
    job: TransferJob,
  ) {
    return this.#deps.cloud.putObject(
      session.credentials,
      {
        bucket: session.bucket,
        region: session.region,
        key,
        body,
        contentType: 'text' in body ? playlistType : segmentType,
      },
      job.signal,
    );
  }

  /** Drops a session that the cloud refuses. The next attempt opens a new session. */
  async #giveUpRefused(job: TransferJob, error: unknown): Promise<never> {
    const isTransient = error instanceof CloudError && error.kind === 'unreachable';
    if (error instanceof CloudError && !isTransient) await job.change({ session: undefined });
    throw error;
  }

  /** Searches for the media file of a commit whose response was lost. A second commit would create a duplicate. */
  async #findCommitted(job: TransferJob): Promise<void> {
    const { fileId, commitBegunAt, applicationId } = job.transfer;
    if (fileId !== '' || commitBegunAt === undefined) return;
    const { credentials, vod } = applicationOf(this.#deps.account());
    const wanted = { mark: job.recording.uuid, since: new Date(commitBegunAt) };
    const medium = await this.#deps.cloud.findMedium(credentials, applicationId ?? vod.id, wanted);
    await job.change({ ...medium, ...(medium && { session: undefined }), commitBegunAt: undefined });
  }
}

function applicationOf(account: ReadyAccount): ReadyAccount & { vod: VodApplication } {
  const { vod } = account;
  if (!vod) throw new CloudError('account', '', 'video on demand is not set up: save the cloud credentials again');
  return { ...account, vod };
}
