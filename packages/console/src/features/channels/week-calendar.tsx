// The week of a channel. The pointer draws, moves and resizes entries; keys move, resize and remove them. A table lists the entries too.
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type CalendarPlace,
  dayMinutes,
  lengthened,
  lengthOf,
  minuteOf,
  movedTo,
  snapped,
  stepMinutes,
  timeOf,
} from './calendar-moves.ts';
import { dayName, everyDay, without } from './channel-fields.ts';
import type { WeeklyEntry } from './queries.ts';
import { type Dragged, useCalendarDrag } from './use-calendar-drag.ts';
import classes from './week-calendar.module.css';

export interface DrawnEntry extends CalendarPlace {
  readonly minutes: number;
}

export interface WeekCalendarProps {
  entries: readonly WeeklyEntry[];
  onChange: (entries: WeeklyEntry[]) => void;
  /** A drawn entry that is not added yet, because it has no item. */
  drawn: DrawnEntry | undefined;
  onDraw: (drawn: DrawnEntry) => void;
}

const timeKeys: Readonly<Record<string, number>> = { ArrowUp: -stepMinutes, ArrowDown: stepMinutes };
const dayKeys: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
const firstHour = 7;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

export function WeekCalendar({ entries, onChange, drawn, onDraw }: WeekCalendarProps) {
  const { t, i18n } = useTranslation('channels');
  const grid = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const focus = useFocusedEntry(grid);
  useEffect(() => {
    if (frame.current) frame.current.scrollTop = (frame.current.scrollHeight * firstHour) / hours.length;
  }, []);
  const drop = ({ kind, index, from, day, minute, minutes }: Dragged) => {
    if (kind === 'draw') onDraw({ day, minute, minutes });
    else if (kind === 'length') onChange(lengthened(entries, index, minutes));
    else onChange(movedTo(entries, index, from, { day, minute }).entries);
  };
  const { dragged, begin, handlers } = useCalendarDrag(grid, drop);
  const move = (index: number, from: number, to: CalendarPlace) => {
    const changed = movedTo(entries, index, from, to);
    focus(changed.index, Math.min(Math.max(1, to.day), 7));
    onChange(changed.entries);
  };
  const ghost = dragged ?? drawn;
  return (
    <section className={classes.calendar} aria-label={t('calendar.title')}>
      <p className={classes.hint}>{t('calendar.hint')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an empty week is scrolled with the keyboard too */}
      <div className={classes.frame} ref={frame} tabIndex={0}>
        <div className={classes.days} aria-hidden>
          {everyDay.map((day) => (
            <span key={day}>{dayName(day, i18n.language, 'short')}</span>
          ))}
        </div>
        <div className={classes.hours} aria-hidden>
          {hours.map((hour) => (
            <span key={hour}>{timeOf(hour * 60)}</span>
          ))}
        </div>
        <div className={classes.grid} ref={grid} {...handlers} data-week>
          {everyDay.map((day) => (
            <Column key={day} day={day} grid={grid} begin={begin} />
          ))}
          {entries.flatMap((entry, index) =>
            entry.days.map((day) => (
              <Entry
                // biome-ignore lint/suspicious/noArrayIndexKey: entries may be equal
                key={`${index} ${day}`}
                {...{ entry, index, day, begin, onMove: (to) => move(index, day, to) }}
                onLength={(minutes) => onChange(lengthened(entries, index, minutes))}
                onRemove={() => onChange(without(entries, index))}
              />
            )),
          )}
          {ghost && (
            <div className={classes.ghost} style={boxOf(ghost, ghost.minutes)}>
              {timeOf(ghost.minute)}
            </div>
          )}
        </div>
      </div>
    </section>
  );
}

/** Returns a function that focuses an entry after a move, because the moved entry is a new element. */
function useFocusedEntry(grid: RefObject<HTMLElement | null>) {
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    if (wanted === '') return;
    grid.current?.querySelector<HTMLElement>(`[data-entry="${wanted}"]`)?.focus();
    setWanted('');
  }, [wanted, grid]);
  return (index: number, day: number) => setWanted(`${index} ${day}`);
}

type Begin = ReturnType<typeof useCalendarDrag>['begin'];

interface ColumnProps {
  day: number;
  grid: RefObject<HTMLElement | null>;
  begin: Begin;
}

/** The background of a day, where the pointer draws new entries. Keyboard users add entries with the fields below. */
function Column({ day, grid, begin }: ColumnProps) {
  const minuteAt = (clientY: number): number => {
    const { top, height } = grid.current!.getBoundingClientRect();
    const steps = Math.floor((((clientY - top) / height) * dayMinutes) / stepMinutes);
    return Math.min(Math.max(0, steps * stepMinutes), dayMinutes - stepMinutes);
  };
  return (
    <div
      className={classes.column}
      onPointerDown={(event) =>
        begin(event, { kind: 'draw', index: -1, day, minute: minuteAt(event.clientY), minutes: 0 })
      }
    />
  );
}

interface EntryProps {
  entry: WeeklyEntry;
  index: number;
  day: number;
  begin: Begin;
  onMove: (to: CalendarPlace) => void;
  onLength: (minutes: number) => void;
  onRemove: () => void;
}

function Entry({ entry, index, day, begin, onMove, onLength, onRemove }: EntryProps) {
  const { t, i18n } = useTranslation('channels');
  const minute = minuteOf(entry);
  const { minutes, isOpen } = lengthOf(entry);
  const { name, source, kind } = entry.item;
  const title = name || (kind === 'break' ? t('break') : source);
  const place = { index, day, minute, minutes };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = timeKeys[event.key];
    const days = dayKeys[event.key];
    if (event.key === 'Delete') onRemove();
    else if (step !== undefined && event.shiftKey) onLength(snapped(minutes + step));
    else if (step !== undefined) onMove({ day, minute: snapped(minute + step) });
    else if (days !== undefined) onMove({ day: day + days, minute });
    else return;
    event.preventDefault();
  };
  const length = isOpen ? t('calendar.open') : t('minutes', { count: minutes });
  return (
    <button
      type="button"
      className={classes.entry}
      style={boxOf({ day, minute }, minutes)}
      aria-label={[`${entry.at} ${title}`, dayName(day, i18n.language, 'long'), length].join(', ')}
      data-entry={`${index} ${day}`}
      data-open={isOpen || undefined}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => begin(event, { kind: 'move', ...place })}
    >
      <span>{entry.at}</span> {title}
      <span className={classes.handle} onPointerDown={(event) => begin(event, { kind: 'length', ...place })} />
    </button>
  );
}

function boxOf({ day, minute }: CalendarPlace, minutes: number) {
  return {
    insetInlineStart: `${((day - 1) / 7) * 100}%`,
    top: `${(minute / dayMinutes) * 100}%`,
    height: `${(Math.min(minutes, dayMinutes - minute) / dayMinutes) * 100}%`,
  };
}
