// Problems that require action. An alarm has one sentence, the remedy, and a link to a page.
import { Alert, Anchor } from '@mantine/core';
import type { MonitorAlarm, MonitorWorker } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { apiQuery } from '../../api/api-query.ts';
import { languages } from '../../i18n/languages.ts';
import { useLocale, useScreenPath } from '../../navigation/current-locale.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { formatClock } from '../../shared/format-time.ts';
import classes from './dashboard.module.css';
import { useWorkerName } from './worker-name.ts';

const places = {
  record: { screen: 'scenario', search: '?tab=record' },
  https: { screen: 'settings', search: '?tab=https' },
  forward: { screen: 'scenario', search: '?tab=forward' },
  vlive: { screen: 'scenario', search: '?tab=vlive' },
  transcode: { screen: 'scenario', search: '?tab=transcode' },
  streams: { screen: 'streams', search: '' },
} as const;
const placeOfCode: Record<MonitorAlarm['code'], keyof typeof places | undefined> = {
  'engine-away': undefined,
  'store-away': undefined,
  'store-denied': undefined,
  'store-full': undefined,
  'store-read-only': undefined,
  'store-slow': undefined,
  'disk-full': 'record',
  'disk-low': 'record',
  'certificate-expired': 'https',
  'certificate-expiring': 'https',
  'slate-on-air': 'streams',
  // The page depends on the kind of the failing task.
  'worker-failing': undefined,
};

const msPerSecond = 1_000;

export interface AlarmListProps {
  alarms: readonly MonitorAlarm[];
  /** The tasks. The kind of a failing task determines the page to which the alarm links. */
  workers: readonly MonitorWorker[];
}

export function AlarmList({ alarms, workers }: AlarmListProps) {
  const { t } = useTranslation(['dashboard', 'worker']);
  const language = languages[useLocale()].htmlLang;
  const nameOf = useWorkerName();
  const toScreen = useScreenPath();
  if (alarms.length === 0) return null;
  return (
    <section className={classes.alarms} aria-label={t('alarms')} aria-live="polite">
      {alarms.map(({ code, severity, subject, value, reason }) => {
        const Sign = severity === 'error' ? IconAlertOctagon : IconAlertTriangle;
        const named = ({ label, platform, id }: MonitorWorker) => subject === (label || platform || id);
        const place = placeOfCode[code] ?? (code === 'worker-failing' ? workers.find(named)?.kind : undefined);
        return (
          <Alert
            key={`${code} ${subject}`}
            variant="light"
            color={severity === 'error' ? 'broken' : 'amber'}
            icon={<Sign aria-hidden />}
            title={
              code === 'engine-away' && subject !== ''
                ? t('alarm.engine-away.one', { server: subject })
                : t(`alarm.${code}.what`, {
                    room: formatBytes(value, language),
                    count: value,
                    worker: nameOf(subject),
                    store: subject,
                    stream: subject,
                    time: formatClock(Date.now() - value * msPerSecond, language),
                    reason: t(`worker:reason.${reason}.what`),
                  })
            }
          >
            {code === 'worker-failing' ? (
              t(`worker:reason.${reason}.remedy`)
            ) : code === 'engine-away' ? (
              <EngineRemedy />
            ) : (
              t(`alarm.${code}.remedy`)
            )}{' '}
            {place && (
              <Anchor
                component={Link}
                to={toScreen(places[place].screen, places[place].search)}
                size="sm"
                underline="always"
              >
                {t(`go.${place}`)}
              </Anchor>
            )}
          </Alert>
        );
      })}
    </section>
  );
}

/** The remedy for a media server that is down. The supervisor restarts the built-in media server; the operator restarts an SRS. */
function EngineRemedy() {
  const { t } = useTranslation('dashboard');
  const engine = useQuery({ ...apiQuery(calls.queryComponents, {}), retry: false }).data?.mediaServer.engine;
  return t(engine === 'srs' ? 'alarm.engine-away.remedySrs' : 'alarm.engine-away.remedy');
}
