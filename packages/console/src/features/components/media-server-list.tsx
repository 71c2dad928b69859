import type { ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './components-page.module.css';

type Server = NonNullable<ResponseOf<typeof calls.queryComponents>['mediaServer']['servers']>[number];

export function MediaServerList({ servers }: { servers: readonly Server[] }) {
  const { t } = useTranslation('components');
  return (
    <ul className={classes.parts} aria-label={t('server.list')}>
      {servers.map(({ name, api, version, isUp }) => (
        <li key={name} className={classes.part}>
          <div className={classes.partText}>
            <span className={classes.partName}>{name}</span>
            <span className={classes.partDetail}>
              {[api === name ? '' : api, version].filter(Boolean).join(' · ') || '–'}
            </span>
          </div>
          <StatusBadge state={isUp ? 'good' : 'error'}>{t(isUp ? 'server.up' : 'server.away')}</StatusBadge>
        </li>
      ))}
    </ul>
  );
}
