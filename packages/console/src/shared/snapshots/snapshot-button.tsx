// Button that takes a snapshot of a live stream and opens the snapshot viewer.
import { Button, Modal } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyScreen } from '../lazy-screen.ts';
import { type StreamName, useTakeSnapshot } from './snapshot-queries.ts';

const SnapshotViewer = lazyScreen(() => import('./snapshot-viewer.tsx'), ['snapshots']);

/** Suspends separately, because its texts may load later than the page. */
export function SnapshotButton(props: StreamName) {
  return (
    <Suspense>
      <ButtonWithViewer {...props} />
    </Suspense>
  );
}

function ButtonWithViewer({ app, stream }: StreamName) {
  const { t } = useTranslation('snapshots');
  const [isOpen, setOpen] = useState(false);
  const take = useTakeSnapshot();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={take.isPending}
        leftSection={<IconCamera size={16} aria-hidden />}
        onMouseEnter={SnapshotViewer.preload}
        onClick={() => take.mutate({ app, stream }, { onSuccess: () => setOpen(true) })}
      >
        {t('take')}
      </Button>
      <SnapshotModal app={app} stream={stream} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

export function SnapshotModal({ app, stream, isOpen, onClose }: StreamName & { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation(['snapshots', 'common']);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={<strong>{t('of', { name: `${app}/${stream}` })}</strong>}
      size="44rem"
      radius="lg"
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Suspense>
        <SnapshotViewer app={app} stream={stream} />
      </Suspense>
    </Modal>
  );
}
