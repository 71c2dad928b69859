// Complete configurations of SRS servers for this product, to be copied or downloaded.
import { Button, SegmentedControl } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../api/api-query.ts';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import classes from './components-page.module.css';

export function SrsConfigurations() {
  const { t } = useTranslation('components');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={classes.change} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('server.config.title')}</summary>
      <p>{t('server.config.text')}</p>
      {isOpen && <Texts />}
    </details>
  );
}

function Texts() {
  const { t } = useTranslation('components');
  const query = useQuery(apiQuery(calls.querySrsConfigs, {}));
  const [chosen, setChosen] = useState('srs.conf');
  if (!query.data) return <QueryPlaceholder query={query} skeleton={null} />;
  const { configurations } = query.data;
  const shown = configurations.find(({ fileName }) => fileName === chosen) ?? configurations[0];
  const edges = configurations.filter(({ role }) => role === 'edge').length;
  if (!shown) return null;
  return (
    <>
      <SegmentedControl
        aria-label={t('server.config.title')}
        value={shown.fileName}
        onChange={setChosen}
        data={configurations.map(({ role, server, fileName }) => ({
          value: fileName,
          label:
            role === 'edge' && edges > 1
              ? `${t('server.config.role.edge')} ${server}`
              : t(`server.config.role.${role}`),
        }))}
        style={{ maxWidth: '100%', overflowX: 'auto' }}
      />
      <p>{t(`server.config.about.${shown.role}`, { server: shown.server })}</p>
      <CodeBlock code={shown.text} name={shown.fileName} />
      <Button
        component="a"
        variant="default"
        size="xs"
        mt="sm"
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(shown.text)}`}
        download={shown.fileName}
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t('server.config.download', { name: shown.fileName })}
      </Button>
    </>
  );
}
