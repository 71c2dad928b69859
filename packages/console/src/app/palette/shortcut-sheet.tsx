import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { pageKeys } from '../keyboard/page-keys.ts';
import { paletteKeys } from '../keyboard/use-shortcuts.ts';
import { Keys } from './keys.tsx';
import classes from './shortcut-sheet.module.css';
import { usePageCommands } from './use-page-commands.tsx';

export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['palette', 'common']);
  const pages = usePageCommands().filter(({ keys }) => pageKeys.some((each) => each.keys === keys));
  const anywhere = [
    { keys: paletteKeys, label: t('keys.palette') },
    { keys: '/', label: t('keys.palette') },
    { keys: '?', label: t('keys.sheet') },
    { keys: 'Esc', label: t('keys.close') },
  ];
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong>{t('keys.title')}</strong>}
      size="34rem"
      radius="lg"
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <div className={classes.columns}>
        <Table title={t('keys.anywhere')} rows={anywhere} />
        <Table title={t('keys.pages')} rows={pages} />
      </div>
    </Modal>
  );
}

function Table({ title, rows }: { title: string; rows: readonly { keys?: string; label: string }[] }) {
  return (
    <section>
      <h3 className={classes.title}>{title}</h3>
      <dl className={classes.rows}>
        {rows.map(({ keys = '', label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
