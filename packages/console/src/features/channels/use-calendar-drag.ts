// Dragging in the week calendar: a pressed pointer moves an entry, changes the length of an entry, or draws a new entry.
import { type PointerEvent, type RefObject, useState } from 'react';
import { type CalendarPlace, dayMinutes, snapped, stepMinutes } from './calendar-moves.ts';

/** Length of a new entry after a click without dragging, minutes. */
const clickedMinutes = 60;

export interface Dragged extends CalendarPlace {
  readonly kind: 'move' | 'length' | 'draw';
  /** Index of the entry; -1 for a new entry. */
  readonly index: number;
  readonly from: number;
  readonly minutes: number;
  /** Distance from the start of the entry to the pressed position, minutes. */
  readonly grabbed: number;
  /** False for a click. */
  readonly hasMoved: boolean;
}

export type DragStart = Pick<Dragged, 'kind' | 'index' | 'day' | 'minute' | 'minutes'>;

export function useCalendarDrag(grid: RefObject<HTMLElement | null>, onDrop: (dragged: Dragged) => void) {
  const [dragged, setDragged] = useState<Dragged>();
  const begin = (event: PointerEvent<HTMLElement>, start: DragStart) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    if (!isScroll(start, event)) event.currentTarget.setPointerCapture?.(event.pointerId);
    const grabbed = placeIn(grid.current!, event).minute - start.minute;
    setDragged({ ...start, from: start.day, grabbed, hasMoved: false });
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    if (dragged && !isScroll(dragged, event)) setDragged(draggedTo(dragged, placeIn(grid.current!, event)));
  };
  const drop = () => {
    setDragged(undefined);
    if (dragged?.hasMoved) onDrop(dragged);
    else if (dragged?.kind === 'draw') onDrop({ ...dragged, minutes: clickedMinutes });
  };
  const handlers = { onPointerMove: move, onPointerUp: drop, onPointerCancel: () => setDragged(undefined) };
  return { dragged: dragged?.hasMoved ? dragged : undefined, begin, handlers };
}

/** On a touch screen, dragging the empty calendar scrolls, and a tap adds an entry. */
function isScroll({ kind }: Pick<Dragged, 'kind'>, { pointerType }: { pointerType: string }): boolean {
  return kind === 'draw' && pointerType === 'touch';
}

function placeIn(grid: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): CalendarPlace {
  const { left, top, width, height } = grid.getBoundingClientRect();
  const day = 1 + Math.floor(((clientX - left) / width) * 7);
  return { day: Math.min(Math.max(1, day), 7), minute: ((clientY - top) / height) * dayMinutes };
}

function draggedTo(dragged: Dragged, pointer: CalendarPlace): Dragged {
  if (dragged.kind === 'move') {
    const latest = dayMinutes - stepMinutes;
    const minute = Math.min(Math.max(0, snapped(pointer.minute - dragged.grabbed)), latest);
    const hasMoved = dragged.hasMoved || minute !== snapped(dragged.minute) || pointer.day !== dragged.day;
    return { ...dragged, day: pointer.day, minute: hasMoved ? minute : dragged.minute, hasMoved };
  }
  const minutes = Math.max(stepMinutes, snapped(pointer.minute - dragged.minute));
  return { ...dragged, minutes, hasMoved: dragged.hasMoved || minutes !== dragged.minutes };
}
