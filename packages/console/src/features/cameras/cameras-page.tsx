// The cameras: an image of each camera, its state in one sentence, and the form for a camera.
import { Button, Skeleton } from '@mantine/core';
import { IconDeviceCctv, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { type WorkerPhase, workerPhase } from '../../shared/worker/worker-phase.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CameraCard } from './camera-card.tsx';
import { CameraForm } from './camera-form.tsx';
import classes from './cameras.module.css';
import { type CameraRow, useCameraRows, useCameras } from './queries.ts';

export default function CamerasPage() {
  const { t } = useTranslation('cameras');
  const cameras = useCameras();
  const rows = useCameraRows();
  /** `platform` (id) of the camera in the form; '' for a new camera, undefined without a form. */
  const [edited, setEdited] = useState<string>();
  // While loading, the page is as high as the window, which keeps the footer in place.
  if (!cameras.data || rows.isPending) {
    return <QueryPlaceholder query={cameras} skeleton={<Skeleton height="100vh" />} />;
  }
  const all = Object.values(cameras.data);
  const add = (label: string) => (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('')}>
      {label}
    </Button>
  );
  const close = () => setEdited(undefined);
  return (
    <>
      {edited !== undefined && <CameraForm key={edited} camera={cameras.data[edited]} onClose={close} />}
      {edited === undefined && all.length > 0 && (
        <div className={classes.bar}>
          <p className={classes.summary}>{rows.data && t('summary', summaryOf(rows.data))}</p>
          {add(t('add'))}
        </div>
      )}
      {edited === undefined && all.length === 0 && (
        <EmptyState icon={<IconDeviceCctv aria-hidden />} title={t('none.title')} action={add(t('none.action'))}>
          {t('none.text')}
        </EmptyState>
      )}
      {all.length > 0 && (
        <ul className={classes.cameras} aria-label={t('list')}>
          {all.map((camera) => (
            <li key={camera.platform}>
              <CameraCard
                camera={camera}
                row={rows.data?.find(({ platform }) => platform === camera.platform)}
                asOfMs={rows.dataUpdatedAt}
                onEdit={() => setEdited(camera.platform)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function summaryOf(rows: readonly CameraRow[]) {
  const phases = rows.map(workerPhase);
  const countOf = (...wanted: readonly WorkerPhase[]) => phases.filter((phase) => wanted.includes(phase)).length;
  return { count: rows.length, live: countOf('active'), down: countOf('retrying', 'failed') };
}
