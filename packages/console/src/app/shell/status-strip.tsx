// The state of the whole server at one glance, on every page: engine, streams, viewers. Each opens its page.
import { endpoints, pollIntervalMs } from '@srs-stack/contract';
import { IconActivityHeartbeat, IconBroadcast, IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { apiQuery } from '../../api/api-query.ts';
import { languages } from '../../i18n/languages.ts';
import { useLiveStreams } from '../../shared/live-streams.ts';
import { useLocale, useScreenPath } from '../current-locale.ts';
import type { Screen } from '../paths.ts';
import classes from './status-strip.module.css';

/** The server's version and releases; polled, errors ignored. */
export function useServerStatus() {
  return useQuery({ ...apiQuery(endpoints.status, {}), refetchInterval: pollIntervalMs });
}

export function StatusStrip() {
  const { t } = useTranslation();
  const locale = useLocale();
  useServerStatus();
  const { data, failureReason } = useLiveStreams();
  const streams = data?.streams ?? [];
  const viewers = streams.reduce((sum, stream) => sum + stream.viewers, 0);
  const engine = engineState(data?.mediaServer, failureReason !== null);
  const count = (value: number) => (data ? value.toLocaleString(languages[locale].htmlLang) : '–');
  return (
    <div className={classes.strip}>
      <Chip state={engine} icon={<IconActivityHeartbeat size={16} aria-hidden />} label={t(`strip.engine.${engine}`)} />
      <Chip
        state={streams.length > 0 ? 'live' : 'quiet'}
        icon={<IconBroadcast size={16} aria-hidden />}
        label={t('strip.streams')}
        value={count(streams.length)}
        screen="streams"
      />
      <Chip
        state="quiet"
        icon={<IconEye size={16} aria-hidden />}
        label={t('strip.viewers')}
        value={count(viewers)}
        screen="streams"
      />
    </div>
  );
}

/** The engine's own state; without a fresh answer it is unknown, since the control plane may be away while media flow. */
function engineState(mediaServer: boolean | undefined, isStale: boolean): 'unknown' | 'up' | 'away' {
  if (mediaServer === undefined || isStale) return 'unknown';
  return mediaServer ? 'up' : 'away';
}

interface ChipProps {
  state: 'unknown' | 'up' | 'away' | 'live' | 'quiet';
  icon: ReactNode;
  label: string;
  value?: string;
  /** The Live page when left out. */
  screen?: Screen;
}

function Chip({ state, icon, label, value, screen }: ChipProps) {
  const toScreen = useScreenPath();
  return (
    <Link className={classes.chip} data-state={state} to={screen ? toScreen(screen) : toScreen('scenario', '?tab=live')}>
      {icon}
      <span className={classes.label}>{label}</span>
      {value !== undefined && <span className={classes.value}>{value}</span>}
    </Link>
  );
}
