// The state of the server on every page: engine, streams, viewers, CPU, disk, certificate. Each chip links to its page.
import type { MonitorSnapshot } from '@srs-stack/contract';
import { IconBroadcast, IconCertificate, IconCpu, IconDatabase, IconEye } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { languages } from '../../i18n/languages.ts';
import { useLocale, useScreenPath } from '../../navigation/current-locale.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { FreshnessDot } from '../../shared/monitor/freshness-dot.tsx';
import { type Freshness, useFreshness, useMonitor, useRefreshByEvents } from '../../shared/monitor/use-monitor.ts';
import { useServerStatus } from '../../shared/server-status.ts';
import classes from './status-strip.module.css';

export function StatusStrip() {
  useServerStatus();
  const feed = useMonitor();
  useRefreshByEvents(feed);
  const freshness = useFreshness(feed);
  const { t } = useTranslation();
  const toScreen = useScreenPath();
  const engine = engineState(feed.snapshot, freshness);
  const servers = feed.snapshot?.mediaServers ?? [];
  const away = servers.filter(({ isUp }) => !isUp).length;
  const isPartly = engine === 'up' && away > 0;
  return (
    <div className={classes.strip}>
      <Chip
        to={toScreen('dashboard')}
        state={isPartly ? 'away' : engine}
        icon={<FreshnessDot freshness={freshness} />}
        label={isPartly ? t('strip.engine.partly', { away, all: servers.length }) : t(`strip.engine.${engine}`)}
      />
      <MetricChips snapshot={feed.snapshot} />
    </div>
  );
}

function MetricChips({ snapshot }: { snapshot: MonitorSnapshot | undefined }) {
  const { t } = useTranslation();
  const toScreen = useScreenPath();
  const language = languages[useLocale()].htmlLang;
  const isKnown = snapshot?.engine === 'up';
  const count = (value: number | undefined) => (isKnown && value !== undefined ? value.toLocaleString(language) : '–');
  const hasAlarm = (part: string) => snapshot?.alarms.some(({ code }) => code.startsWith(part)) ?? false;
  const live = toScreen('streams');
  return (
    <>
      <Chip
        to={live}
        state={isKnown && snapshot.streams > 0 ? 'live' : 'quiet'}
        icon={<IconBroadcast size={16} aria-hidden />}
        label={t('strip.streams')}
        value={count(snapshot?.streams)}
      />
      <Chip
        to={live}
        state="quiet"
        icon={<IconEye size={16} aria-hidden />}
        label={t('strip.viewers')}
        value={count(snapshot?.viewers)}
      />
      {snapshot && (
        <>
          <Chip
            to={toScreen('dashboard')}
            state="quiet"
            isSpare
            icon={<IconCpu size={16} aria-hidden />}
            label={t('strip.cpu')}
            value={snapshot.cpu.machine.toLocaleString(language, { style: 'percent' })}
          />
          <Chip
            to={toScreen('dashboard')}
            state={hasAlarm('disk') ? 'away' : 'quiet'}
            isSpare={!hasAlarm('disk')}
            icon={<IconDatabase size={16} aria-hidden />}
            label={t('strip.disk')}
            value={formatBytes(snapshot.disk.freeBytes, language)}
          />
        </>
      )}
      {snapshot?.certificate && (
        <Chip
          to={toScreen('settings', '?tab=https')}
          state={hasAlarm('certificate') ? 'away' : 'quiet'}
          isSpare={!hasAlarm('certificate')}
          icon={<IconCertificate size={16} aria-hidden />}
          label={t('strip.certificate')}
          value={t('strip.days', { days: snapshot.certificate.daysLeft })}
        />
      )}
    </>
  );
}

/** State of the media server. Unknown without fresh metrics, because media may flow while the control plane is down. */
function engineState(snapshot: MonitorSnapshot | undefined, { state }: Freshness): 'unknown' | 'up' | 'away' {
  if (!snapshot || state === 'stale') return 'unknown';
  return snapshot.engine;
}

interface ChipProps {
  to: string;
  state: 'unknown' | 'up' | 'away' | 'live' | 'quiet';
  icon: ReactNode;
  label: string;
  value?: string;
  /** Whether only wide windows show the label. */
  isSpare?: boolean;
}

function Chip({ to, state, icon, label, value, isSpare = false }: ChipProps) {
  return (
    <Link className={classes.chip} data-state={state} data-spare={isSpare || undefined} to={to} title={label}>
      {icon}
      <span className={classes.label}>{label}</span>
      {value !== undefined && <span className={classes.value}>{value}</span>}
    </Link>
  );
}
