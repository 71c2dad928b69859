// The versions, the media server in use, and the parts that can be disabled.
import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import { IconChartLine, IconExternalLink, IconPuzzle, IconServer2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { projectLinks } from '../../shared/project-links.ts';
import { QueryFailure } from '../../shared/query-failure.tsx';
import { useServerStatus } from '../../shared/server-status.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ComponentList } from './component-list.tsx';
import classes from './components-page.module.css';
import { MediaServerPanel } from './media-server-panel.tsx';

export default function ComponentsPage() {
  const { t } = useTranslation('components');
  const toScreen = useScreenPath();
  const status = useServerStatus();
  const releases = status.data?.releases;
  const isUnchecked = releases?.checkedAt === null;
  return (
    <>
      <PageTitle title={t('title')}>{t('text')}</PageTitle>
      <Stack gap="lg">
        <Panel
          title={t('host')}
          description={t('hostText')}
          icon={<IconServer2 size={20} aria-hidden />}
          actions={
            <Button
              component={Link}
              to={toScreen('dashboard')}
              variant="light"
              leftSection={<IconChartLine size={17} />}
            >
              {t('dashboard')}
            </Button>
          }
        >
          {status.isError && !releases ? (
            <QueryFailure error={status.error} onRetry={() => void status.refetch()} />
          ) : (
            <dl className={classes.versions}>
              <Version name={t('version')} value={status.data?.version} isMain />
              <Version name={t('stable')} value={isUnchecked ? t('unchecked') : releases?.stable} />
              <Version
                name={t('latest')}
                value={
                  releases && (
                    <Anchor href={projectLinks.releases} target="_blank" rel="noreferrer" inherit>
                      {isUnchecked ? t('unchecked') : releases.latest} <IconExternalLink size={15} aria-hidden />
                      <span className={classes.offscreen}>{t('openReleases')}</span>
                    </Anchor>
                  )
                }
              />
            </dl>
          )}
        </Panel>
        <MediaServerPanel />
        <Panel
          title={t('parts.title')}
          description={t('parts.description')}
          icon={<IconPuzzle size={20} aria-hidden />}
        >
          <ComponentList />
        </Panel>
      </Stack>
    </>
  );
}

function Version({ name, value, isMain = false }: { name: string; value: ReactNode; isMain?: boolean }) {
  return (
    <div className={classes.version} data-main={isMain || undefined}>
      <dt>{name}</dt>
      <dd>{value ?? <Skeleton height={26} width={92} mt={4} />}</dd>
    </div>
  );
}
