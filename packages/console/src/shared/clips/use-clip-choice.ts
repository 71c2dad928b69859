// State of the clip editor: the clip, and the visible part of the rewind window.
import { useState } from 'react';
import {
  type Choice,
  type End,
  lastPiece,
  lastSeconds,
  movedPiece,
  type Piece,
  type Span,
  viewOf,
  withEnd,
  type Zoom,
} from './clip-view.ts';

interface State extends Choice {
  readonly zoom: Zoom;
  readonly view: Span;
}

export interface ClipChoice {
  readonly piece: Piece;
  readonly zoom: Zoom;
  readonly view: Span;
  setZoom(zoom: Zoom): void;
  /** Called while a handle moves. Does not change the view. */
  moveHandles(seconds: readonly [number, number]): void;
  /** Called when a handle is released. Moves the view to the clip. */
  release(): void;
  setEnd(end: End, atMs: number): void;
  takeLast(seconds: number): void;
}

/** @param window the rewind window. */
export function useClipChoice(window: Span): ClipChoice {
  const [state, setState] = useState<State>(() => {
    const piece = lastPiece(window, lastSeconds[0]);
    return { piece, end: 'from', zoom: 0, view: window };
  });
  const { piece, zoom } = state;
  const view = zoom === 0 ? window : state.view;
  const choose = (more: Partial<State>): void =>
    setState((before) => {
      const next = { ...before, ...more };
      return { ...next, view: viewOf(next.zoom, window, next, before.view) };
    });
  return {
    ...{ piece, zoom, view },
    setZoom: (wanted) => choose({ zoom: wanted }),
    moveHandles: (seconds) =>
      setState((before) => {
        const moved = movedPiece(before.piece, view, seconds);
        return { ...before, piece: moved.piece, end: moved.end ?? before.end };
      }),
    release: () => choose({}),
    setEnd: (end, atMs) => choose({ end, piece: withEnd(piece, end, { atMs, window }) }),
    takeLast: (seconds) => choose({ end: 'from', piece: lastPiece(window, seconds) }),
  };
}
