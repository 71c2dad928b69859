// The current media server, the features that it supports, and the steps for switching to the alternative.
import { Skeleton, Text } from '@mantine/core';
import { mediaServerAbilities } from '@srs-stack/contract/values/components.ts';
import { IconBroadcast, IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useComponents } from './component-list.tsx';
import classes from './components-page.module.css';
import { MediaServerList } from './media-server-list.tsx';
import { SrsConfigurations } from './srs-configurations.tsx';

/** Lines of `config/.env` that switch from this media server to its alternative. */
const switchLines = {
  embedded: 'MEDIA_SERVER=srs\nSRS_API_SERVER=127.0.0.1:1985\nSRS_HTTP_SERVER=127.0.0.1:8080',
  srs: 'MEDIA_SERVER=embedded',
} as const;

export function MediaServerPanel() {
  const { t } = useTranslation('components');
  const query = useComponents();
  const server = query.data?.mediaServer;
  const servers = server?.servers ?? [];
  const away = servers.filter(({ isUp }) => !isUp).length;
  return (
    <Panel
      title={t('server.title')}
      description={t('server.text')}
      icon={<IconBroadcast size={20} aria-hidden />}
      actions={
        server && (
          <StatusBadge state={server.isUp && away === 0 ? 'good' : 'error'}>
            {server.isUp && away > 0
              ? t('server.partly', { away, all: servers.length })
              : t(server.isUp ? 'server.up' : 'server.away')}
          </StatusBadge>
        )
      }
    >
      {!server ? (
        <QueryPlaceholder query={query} skeleton={<Skeleton height={220} />} />
      ) : (
        <>
          <p className={classes.engine}>
            <strong>{t(`server.engine.${server.engine}`)}</strong> {server.version}
          </p>
          <Text size="sm" c="dimmed" mb="md">
            {t(`server.about.${server.engine}`, { api: server.api || '–' })}
          </Text>
          {servers.length > 1 && <MediaServerList servers={servers} />}
          <ul className={classes.abilities}>
            {mediaServerAbilities.map((ability) => {
              const works = server.abilities.includes(ability);
              const Sign = works ? IconCheck : IconX;
              return (
                <li key={ability} data-works={works}>
                  <Sign size={16} aria-hidden />
                  <span>
                    {' '}
                    {t('server.line', {
                      name: t(`server.ability.${ability}.name`),
                      state: works ? t('server.works') : t(`server.ability.${ability}.missing`),
                    })}
                  </span>
                </li>
              );
            })}
          </ul>
          <details className={classes.change}>
            <summary>{t(`server.change.${server.engine}`)}</summary>
            <p>{t('server.how')}</p>
            <CodeBlock code={switchLines[server.engine]} name="config/.env" />
            <p>{t(`server.after.${server.engine}`)}</p>
          </details>
          <SrsConfigurations />
        </>
      )}
    </Panel>
  );
}
