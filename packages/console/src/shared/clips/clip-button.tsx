// Button that opens the clip editor; hidden for streams without a rewind window.
import { Button, Modal } from '@mantine/core';
import { IconScissors } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyScreen } from '../lazy-screen.ts';
import { type StreamName, useRewindWindows } from './clip-queries.ts';

const ClipEditor = lazyScreen(() => import('./clip-editor.tsx'), ['clips', 'recording']);

/** Suspends separately, because its texts may load later than the page. */
export function ClipButton(props: StreamName) {
  return (
    <Suspense>
      <ButtonWithEditor {...props} />
    </Suspense>
  );
}

function ButtonWithEditor({ app, stream }: StreamName) {
  const { t } = useTranslation(['clips', 'common']);
  const [isOpen, setOpen] = useState(false);
  const windows = useRewindWindows();
  const isRewound = windows.data?.some((window) => window.app === app && window.stream === stream);
  if (!isRewound && !isOpen) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconScissors size={16} aria-hidden />}
        onMouseEnter={ClipEditor.preload}
        onClick={() => setOpen(true)}
      >
        {t('button')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={<strong>{t('title', { name: `${app}/${stream}` })}</strong>}
        size="44rem"
        radius="lg"
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <Suspense>
          <ClipEditor app={app} stream={stream} />
        </Suspense>
      </Modal>
    </>
  );
}
