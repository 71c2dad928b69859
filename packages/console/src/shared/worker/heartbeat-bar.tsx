// State of a worker in the last hour, one bar per minute.
import type { WorkerHeartbeat } from '@srs-stack/contract';
import { type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './heartbeat-bar.module.css';
import { heartbeatLook, heartbeatMinutes, heartbeatSlots, heartbeatSummary } from './worker-phase.ts';

export interface HeartbeatBarProps {
  heartbeat: readonly WorkerHeartbeat[];
  /** Time at which the row arrived, epoch milliseconds. */
  asOfMs: number;
}

export function HeartbeatBar({ heartbeat, asOfMs }: HeartbeatBarProps) {
  const { t } = useTranslation('worker');
  const [pointed, setPointed] = useState<number>();
  const slots = heartbeatSlots(heartbeat, asOfMs);
  const summary = heartbeatSummary(slots);
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * heartbeatMinutes);
    setPointed(Math.min(heartbeatMinutes - 1, Math.max(0, index)));
  };
  return (
    <figure className={classes.figure}>
      <div
        className={classes.bar}
        role="img"
        aria-label={t('heartbeat.label', summary)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setPointed(undefined)}
      >
        {slots.map((beat, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a slot
            key={index}
            className={classes.tick}
            data-look={heartbeatLook(beat?.state)}
            data-pointed={index === pointed || undefined}
          />
        ))}
      </div>
      <figcaption className={classes.caption} aria-hidden>
        {pointed === undefined ? (
          <>
            <span>{t('heartbeat.from')}</span>
            <span>{t('heartbeat.now')}</span>
          </>
        ) : (
          <span>
            <MinuteText beat={slots[pointed]} minutesAgo={heartbeatMinutes - 1 - pointed} asOfMs={asOfMs} />
          </span>
        )}
      </figcaption>
    </figure>
  );
}

function MinuteText({ beat, minutesAgo, asOfMs }: MinuteTextProps) {
  const { t, i18n } = useTranslation('worker');
  const time = new Date(asOfMs - minutesAgo * 60_000).toLocaleTimeString(i18n.language, {
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  });
  const state = t(`heartbeat.look.${heartbeatLook(beat?.state)}`);
  const reason = beat && beat.reason !== 'none' ? ` · ${t(`reason.${beat.reason}.what`)}` : '';
  return `${time} · ${state}${reason}`;
}

interface MinuteTextProps {
  beat: WorkerHeartbeat | undefined;
  minutesAgo: number;
  asOfMs: number;
}
