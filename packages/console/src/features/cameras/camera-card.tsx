// One camera: image, state, properties of its media, and buttons that change the camera.
import { Button } from '@mantine/core';
import type { Camera, LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { formatBitrate } from '../../shared/format-bitrate.ts';
import { useAddresses } from '../../shared/publish-guide/use-addresses.ts';
import { Parts } from '../../shared/streams/parts.tsx';
import { audioParts, videoParts } from '../../shared/streams/stream-parts.ts';
import { WorkerBadge } from '../../shared/worker/worker-badge.tsx';
import { workerPhase } from '../../shared/worker/worker-phase.ts';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { showToast } from '../../ui/toast.ts';
import { CameraView, isWaitingForViewers } from './camera-view.tsx';
import classes from './cameras.module.css';
import { PtzPad } from './ptz-pad.tsx';
import { type CameraRow, useCameraStream, useRemoveCamera, useSwitchCamera } from './queries.ts';

export interface CameraCardProps {
  camera: Camera;
  row: CameraRow | undefined;
  /** Time at which the row was received, epoch milliseconds. */
  asOfMs: number;
  onEdit: () => void;
}

export function CameraCard({ camera, row, asOfMs, onEdit }: CameraCardProps) {
  const { t } = useTranslation('cameras');
  const title = titleOf(camera);
  const stream = useCameraStream(row?.stream ?? '', row !== undefined && workerPhase(row) === 'active');
  // The sub-stream of the camera, which is smaller. It is also shown while the main stream waits for viewers.
  const small = useCameraStream(row?.sub?.stream ?? '', row?.sub?.state === 'running');
  return (
    <section className={classes.card} aria-label={title}>
      <CameraView row={row} stream={small ?? stream} title={title} />
      <div className={classes.facts}>
        <header className={classes.head}>
          <h2 className={classes.title}>{title}</h2>
          {row && <WorkerBadge facts={row} activeWord={t('live')} asOfMs={asOfMs} />}
        </header>
        {stream && <Media stream={stream} />}
        <p className={classes.fact}>{row?.files[0]?.target ?? ''}</p>
        {row && <p className={classes.fact}>{t(`kind.row.${row.kind}`)}</p>}
        {row?.stream && <p className={classes.fact}>{t('stream', { stream: row.stream })}</p>}
        {row?.sub && <p className={classes.fact}>{t('subStream', { stream: row.sub.stream })}</p>}
        {row?.sub?.detail && <p className={classes.fact}>{t('subFails')}</p>}
        {row?.hasPtz && row.enabled && <PtzPad platform={camera.platform} title={title} />}
        <Buttons camera={camera} title={title} watched={stream ? row?.stream : waitingStream(row)} onEdit={onEdit} />
      </div>
    </section>
  );
}

/** `app/stream` of an on-demand camera that waits for viewers; undefined for every other camera. */
function waitingStream(row: CameraRow | undefined): string | undefined {
  return row && isWaitingForViewers(row) ? row.stream : undefined;
}

function titleOf({ label, secret, platform }: Camera): string {
  return label || secret.split('?', 1)[0] || platform;
}

function Media({ stream }: { stream: LiveStream }) {
  const { i18n } = useTranslation('cameras');
  const bitrate = stream.bitrateKbps > 0 ? formatBitrate(stream.bitrateKbps * 1_000, i18n.language) : '';
  return (
    <p className={classes.media}>
      <Parts values={[...videoParts(stream), ...audioParts(stream).slice(0, 1), bitrate]} />
    </p>
  );
}

interface ButtonsProps {
  camera: Camera;
  title: string;
  /** `app/stream` that viewers can play; undefined without one. */
  watched: string | undefined;
  onEdit: () => void;
}

function Buttons({ camera, title, watched, onEdit }: ButtonsProps) {
  const { t } = useTranslation('cameras');
  const save = useSwitchCamera();
  const remove = useRemoveCamera();
  const { enabled, platform } = camera;
  const toggle = () =>
    save.mutate(
      { ...camera, enabled: !enabled, action: 'update' },
      { onSuccess: () => void showToast({ message: t(enabled ? 'stopped' : 'started', { title }) }) },
    );
  return (
    <div className={classes.buttons}>
      {watched && <WatchLink path={watched} />}
      <Button size="xs" variant={enabled ? 'default' : 'filled'} loading={save.isPending} onClick={toggle}>
        {t(enabled ? 'stop' : 'start')}
      </Button>
      <Button size="xs" variant="default" onClick={onEdit}>
        {t('edit')}
      </Button>
      <ConfirmPopover
        dangerous
        text={t('remove.confirm', { title })}
        onConfirm={() =>
          remove.mutate({ platform }, { onSuccess: () => void showToast({ message: t('remove.done', { title }) }) })
        }
      >
        <Button size="xs" variant="default" loading={remove.isPending}>
          {t('remove.button')}
        </Button>
      </ConfirmPopover>
    </div>
  );
}

function WatchLink({ path }: { path: string }) {
  const { t } = useTranslation('cameras');
  const slash = path.lastIndexOf('/');
  const [app, stream] = [path.slice(0, slash), path.slice(slash + 1)];
  const { watchPage } = useAddresses(stream, '', app);
  return (
    <Button size="xs" component="a" href={watchPage} target="_blank" rel="noreferrer">
      {t('watch')}
    </Button>
  );
}
