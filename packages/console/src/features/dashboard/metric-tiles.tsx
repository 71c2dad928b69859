// Current metrics as tiles. Stale metrics are marked.
import type { MonitorSnapshot } from '@srs-stack/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../i18n/languages.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { protocolName } from '../../shared/streams/stream-parts.ts';
import classes from './dashboard.module.css';
import { type Formats, formatsOf, spanOf } from './formats.ts';

export function MetricTiles({ snapshot, isStale }: { snapshot: MonitorSnapshot; isStale: boolean }) {
  const { t } = useTranslation('dashboard');
  const format = formatsOf(languages[useLocale()].htmlLang);
  const { engine, cpu, memory, disk, certificate, viewersByProtocol } = snapshot;
  const isUp = engine === 'up';
  const has = (part: string) => snapshot.alarms.some(({ code }) => code.startsWith(part));
  const protocols = Object.entries(viewersByProtocol).map(
    ([name, count]) => `${protocolName(name)} ${format.count(count)}`,
  );
  const left = disk.secondsLeft === null ? undefined : spanOf(disk.secondsLeft);
  return (
    <dl className={classes.tiles} data-stale={isStale || undefined}>
      <EngineTile snapshot={snapshot} format={format} />
      <Tile
        name={t('tile.streams')}
        value={isUp ? format.count(snapshot.streams) : '–'}
        {...(isUp && snapshot.streams > 0 && { tone: 'live' as const })}
      />
      <Tile name={t('tile.viewers')} value={isUp ? format.count(snapshot.viewers) : '–'}>
        {protocols.join(' · ')}
      </Tile>
      <Tile name={t('tile.received')} value={isUp ? format.rate(snapshot.receivedBps) : '–'} />
      <Tile name={t('tile.sent')} value={isUp ? format.rate(snapshot.sentBps) : '–'} />
      <Tile name={t('tile.cpu')} value={format.share(cpu.machine)} share={cpu.machine}>
        {t('tile.cores', { cores: cpu.cores })}
      </Tile>
      <Tile
        name={t('tile.memory')}
        value={format.bytes(memory.usedBytes)}
        share={memory.totalBytes > 0 ? memory.usedBytes / memory.totalBytes : 0}
      >
        {t('tile.of', { total: format.bytes(memory.totalBytes) })}
      </Tile>
      <Tile
        name={t('tile.disk')}
        value={format.bytes(disk.freeBytes)}
        share={disk.totalBytes > 0 ? 1 - disk.freeBytes / disk.totalBytes : 0}
        {...(has('disk') && { tone: 'bad' as const })}
      >
        {left
          ? t(`tile.diskLeft.${left.unit}`, { first: left.first, second: left.second })
          : t('tile.of', { total: format.bytes(disk.totalBytes) })}
      </Tile>
      <Tile
        name={t('tile.workers')}
        value={format.count(snapshot.workersRunning)}
        {...(snapshot.workersFailing > 0 && { tone: 'warn' as const })}
      >
        {t(snapshot.workersFailing > 0 ? 'tile.workersFailing' : 'tile.workersFine', {
          number: format.count(snapshot.workersFailing),
        })}
      </Tile>
      <Tile
        name={t('tile.certificate')}
        value={certificate ? t('tile.days', { count: certificate.daysLeft }) : '–'}
        {...(has('certificate') && { tone: 'bad' as const })}
      >
        {certificate ? (certificate.selfSigned ? t('tile.selfSigned') : '') : t('tile.noCertificate')}
      </Tile>
    </dl>
  );
}

function EngineTile({ snapshot, format }: { snapshot: MonitorSnapshot; format: Formats }) {
  const { t } = useTranslation('dashboard');
  const { engine, engineFaults, mediaServers = [], cpu, memory } = snapshot;
  const away = mediaServers.filter(({ isUp }) => !isUp).length;
  const all = mediaServers.length;
  if (engine === 'up' && away > 0) {
    return (
      <Tile name={t('tile.engine')} value={`${format.count(all - away)} / ${format.count(all)}`} tone="bad">
        {t('engine.partly', { away, all })}
      </Tile>
    );
  }
  return (
    <Tile
      name={t('tile.engine')}
      value={t(`engine.${engine}`)}
      tone={engine === 'up' ? (engineFaults > 0 ? 'warn' : 'good') : 'bad'}
    >
      {engineFaults > 0
        ? t('tile.engineFaults', { count: engineFaults })
        : t('tile.engineCost', { cpu: format.share(cpu.gatewayCores), memory: format.bytes(memory.gatewayBytes) })}
    </Tile>
  );
}

interface TileProps {
  name: string;
  value: string;
  tone?: 'good' | 'warn' | 'bad' | 'live';
  /** Filled part of the meter, 0 to 1. Without a value, the tile has no meter. */
  share?: number;
  children?: ReactNode;
}

function Tile({ name, value, tone, share, children }: TileProps) {
  return (
    <div className={classes.tile} data-tone={tone}>
      <dt>{name}</dt>
      <dd>
        <span className={classes.figure}>{value}</span>
        {share !== undefined && (
          <span className={classes.meter} aria-hidden>
            <span
              style={{ width: `${Math.min(100, Math.max(0, share * 100))}%` }}
              data-high={share > 0.9 || undefined}
            />
          </span>
        )}
        {children && <span className={classes.note}>{children}</span>}
      </dd>
    </div>
  );
}
