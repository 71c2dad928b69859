// VoD: an upload session of the cloud gets the segments as they close and the playlist at the end, is committed to a medium,
// and a remux to MP4 is begun. Segments stay on this server until the medium is committed, since a session may end before.
import { dirname } from 'node:path/posix';
import { writePlaylist } from '../playlist-text.ts';
import { writeSegmentName } from '../segment-name.ts';
import { CloudError, type UploadSession, type VodApplication } from './cloud.ts';
import type { ReadyAccount } from './cloud-account.ts';
import { type DestinationDeps, playlistType, segmentType } from './dvr-destination.ts';
import type { Destination, TransferJob } from './transfers.ts';

export function createVodDestination(deps: DestinationDeps & { readonly now: () => Date }): Destination {
  const { cloud, folder, account, now } = deps;

  const isCurrent = (session: UploadSession | undefined): session is UploadSession =>
    session !== undefined && session.expiresAtMs > now().getTime();

  const sessionOf = async (job: TransferJob): Promise<UploadSession> => {
    const known = job.transfer.session as UploadSession | undefined;
    if (isCurrent(known)) return known;
    const { credentials, vod } = applicationOf(account());
    const { uuid: mark, app, stream, begin } = job.recording;
    const session = await cloud.applyUpload(credentials, vod.id, { name: `${app}/${stream} ${begin}`, mark });
    const { bucket, region } = session;
    await job.change({ session: { ...session }, bucket, region, applicationId: vod.id });
    return session;
  };
  const put = (
    session: UploadSession,
    key: string,
    body: Parameters<typeof cloud.putObject>[1]['body'],
    job: TransferJob,
  ) =>
    cloud.putObject(
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
  /** A session that the cloud does not accept any more is given up; the next attempt asks for a new one. */
  const giveUpRefused = async (job: TransferJob, error: unknown): Promise<never> => {
    const isTransient = error instanceof CloudError && error.kind === 'unreachable';
    if (error instanceof CloudError && !isTransient) await job.change({ session: undefined });
    throw error;
  };

  /** The answer to a commit may be lost, with the line or with the process: the medium may be there, and one is enough. */
  const findCommitted = async (job: TransferJob): Promise<void> => {
    const { fileId, commitBegunAt, applicationId } = job.transfer;
    if (fileId !== '' || commitBegunAt === undefined) return;
    const { credentials, vod } = applicationOf(account());
    const wanted = { mark: job.recording.uuid, since: new Date(commitBegunAt) };
    const medium = await cloud.findMedium(credentials, applicationId ?? vod.id, wanted);
    await job.change({ ...medium, ...(medium && { session: undefined }), commitBegunAt: undefined });
  };

  return {
    /**
     * While segments come in, what was never uploaded; at the end also what went to a session that is over, because one
     * session must have everything.
     */
    async next(job) {
      const { uuid, state } = job.recording;
      const [here, uploaded] = [await folder.local(uuid), await folder.uploaded(uuid)];
      if (state !== 'recording') await findCommitted(job);
      if (job.transfer.fileId !== '') return undefined;
      const fresh = here.find((each) => !uploaded.has(writeSegmentName(each)));
      if (fresh || state === 'recording') return fresh;
      const place = `${dirname((await sessionOf(job)).playlistKey)}/`;
      return here.find((each) => !uploaded.get(writeSegmentName(each))?.key.startsWith(place));
    },

    async upload(job, segment) {
      const { uuid } = job.recording;
      const name = writeSegmentName(segment);
      const session = await sessionOf(job);
      const key = `${dirname(session.playlistKey)}/${name}`;
      const { sizeBytes, writtenAtMs } = segment;
      await put(session, key, { path: folder.pathOf(uuid, name), sizeBytes }, job).catch((error) =>
        giveUpRefused(job, error),
      );
      await folder.note(uuid, { name, sizeBytes, writtenAtMs, key });
    },

    async complete(job) {
      const { uuid } = job.recording;
      const { credentials, vod } = applicationOf(account());
      if (job.transfer.fileId === '') {
        const segments = await folder.local(uuid);
        if (segments.length === 0) throw new CloudError('lost', '', 'no segment of this recording is left');
        const session = await sessionOf(job);
        await put(session, session.playlistKey, { text: writePlaylist(segments, '') }, job).catch((error) =>
          giveUpRefused(job, error),
        );
        await job.change({ commitBegunAt: now().toISOString() });
        const medium = await cloud
          .commitUpload(credentials, job.transfer.applicationId ?? vod.id, session.key)
          .catch((error) => giveUpRefused(job, error));
        await job.change({ ...medium, session: undefined, commitBegunAt: undefined });
      }
      const { fileId, taskId, applicationId = vod.id } = job.transfer;
      if (taskId === '' && vod.remuxDefinition !== 0) {
        const medium = { applicationId, fileId, definition: vod.remuxDefinition };
        await job.change({ taskId: await cloud.startRemux(credentials, medium) });
      }
      for (const segment of [...(await folder.local(uuid))]) await folder.removeLocal(uuid, segment);
    },

    async lookUp(job) {
      const { credentials, vod } = applicationOf(account());
      const { taskId, applicationId = vod.id } = job.transfer;
      try {
        const task = await cloud.readRemux(credentials, applicationId, taskId);
        if (task) await job.change({ task, problemKind: null, problem: '' });
      } catch (error) {
        // The recording is there; it just has no MP4, and asking again does not make one.
        if (error instanceof CloudError && error.code === 'RemuxFailed') await job.change({ taskId: '' });
        throw error;
      }
    },
  };
}

function applicationOf(account: ReadyAccount): ReadyAccount & { vod: VodApplication } {
  const { vod } = account;
  if (!vod) throw new CloudError('account', '', 'video on demand is not set up: save the credentials again');
  return { ...account, vod };
}
