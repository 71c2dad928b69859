// State of the carousel, with handlers for keys and swipes. Wraps at both ends, and never advances automatically.
import { type KeyboardEvent, type TouchEvent, useRef, useState } from 'react';

/** Shortest finger travel that counts as a swipe, CSS pixels. */
const swipeThresholdPx = 40;

export function useCarousel(count: number) {
  const [index, setIndex] = useState(0);
  const touchStart = useRef<number>(undefined);
  const turn = (step: 1 | -1) => setIndex((current) => (current + step + count) % count);
  const handlers = {
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'ArrowLeft') turn(-1);
      if (event.key === 'ArrowRight') turn(1);
    },
    onTouchStart(event: TouchEvent) {
      touchStart.current = event.touches[0]?.clientX;
    },
    onTouchEnd(event: TouchEvent) {
      const travel = (event.changedTouches[0]?.clientX ?? 0) - (touchStart.current ?? 0);
      if (touchStart.current !== undefined && Math.abs(travel) > swipeThresholdPx) turn(travel < 0 ? 1 : -1);
      touchStart.current = undefined;
    },
  };
  return { index, turn, goTo: setIndex, handlers };
}
