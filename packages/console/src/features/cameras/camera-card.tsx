// One camera: its image, its state, and its controls.
import { Button } from '@mantine/core';
import type { Camera } from '@srs-stack/contract';
import { IconDeviceCctv } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { WorkerBadge } from '../../shared/worker/worker-badge.tsx';
import { workerPhase } from '../../shared/worker/worker-phase.ts';
import { WorkerReasonNote } from '../../shared/worker/worker-reason.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './cameras.module.css';
import { type CameraRow, useCameraPicture, useRemoveCamera, useSwitchCamera } from './queries.ts';

export interface CameraCardProps {
  camera: Camera;
  row: CameraRow | undefined;
  /** When the row was received, epoch milliseconds. */
  asOfMs: number;
  onEdit: () => void;
}

export function CameraCard({ camera, row, asOfMs, onEdit }: CameraCardProps) {
  const { t } = useTranslation('cameras');
  const title = camera.label || camera.secret.split('?', 1)[0] || camera.platform;
  return (
    <Panel
      title={title}
      icon={<IconDeviceCctv size={20} aria-hidden />}
      actions={row && <WorkerBadge facts={row} activeWord={t('live')} asOfMs={asOfMs} />}
    >
      <div className={classes.card}>
        <Picture row={row} title={title} />
        <div className={classes.facts}>
          <p className={classes.address}>{row?.files[0]?.target ?? ''}</p>
          {row?.stream && <p className={classes.stream}>{t('stream', { stream: row.stream })}</p>}
          {row && <WorkerReasonNote facts={row} said={row} />}
          <Buttons camera={camera} title={title} onEdit={onEdit} />
        </div>
      </div>
    </Panel>
  );
}

function Picture({ row, title }: { row: CameraRow | undefined; title: string }) {
  const { t } = useTranslation('cameras');
  const isLive = row !== undefined && workerPhase(row) === 'active';
  const picture = useCameraPicture(row?.stream ?? '', isLive);
  return (
    <div className={classes.picture}>
      {picture ? (
        <img src={picture} alt={t('picture', { title })} />
      ) : (
        <IconDeviceCctv size={36} stroke={1.4} aria-hidden />
      )}
    </div>
  );
}

function Buttons({ camera, title, onEdit }: { camera: Camera; title: string; onEdit: () => void }) {
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
