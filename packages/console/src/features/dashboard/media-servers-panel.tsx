// Load and connections of each media server, if there are several.
import type { MonitorMediaServer } from '@srs-stack/contract';
import { IconServer2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../i18n/languages.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './dashboard.module.css';
import { formatsOf } from './formats.ts';

export function MediaServersPanel({ servers }: { servers: readonly MonitorMediaServer[] }) {
  const { t } = useTranslation('dashboard');
  const format = formatsOf(languages[useLocale()].htmlLang);
  return (
    <Panel title={t('servers.title')} description={t('servers.text')} icon={<IconServer2 size={20} aria-hidden />}>
      <ul className={classes.workers} aria-label={t('servers.title')}>
        {servers.map(({ name, isUp, cpuCores, memoryBytes, connections }) => (
          <li key={name}>
            <div>
              <span>{name}</span>
              {isUp && (
                <span className={classes.note}>
                  {t('tile.engineCost', { cpu: format.share(cpuCores), memory: format.bytes(memoryBytes) })}
                  {` · ${t('servers.connections', { count: connections })}`}
                </span>
              )}
            </div>
            <StatusBadge state={isUp ? 'good' : 'error'}>{t(`engine.${isUp ? 'up' : 'away'}`)}</StatusBadge>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
