import { Button, Modal } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyScreen } from '../../../shared/lazy-screen.ts';

const ListImport = lazyScreen(() => import('./list-import.tsx'), ['forwards', 'errors']);

export function ListButton() {
  const { t } = useTranslation(['forwards', 'common']);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileImport size={18} aria-hidden />}
        onMouseEnter={ListImport.preload}
        onClick={() => setOpen(true)}
      >
        {t('list.button')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={<strong>{t('list.button')}</strong>}
        size="60rem"
        radius="lg"
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <Suspense>
          <ListImport onDone={() => setOpen(false)} />
        </Suspense>
      </Modal>
    </>
  );
}
