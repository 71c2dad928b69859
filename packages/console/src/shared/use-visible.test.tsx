import { act, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useVisible } from './use-visible.ts';

let reportOnScreen: (isIntersecting: boolean) => void;

class FakeObserver {
  constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
    reportOnScreen = (isIntersecting) => callback([{ isIntersecting }]);
  }
  observe() {}
  disconnect() {}
}

function Probe() {
  const ref = useRef<HTMLDivElement>(null);
  return <div ref={ref}>{useVisible(ref) ? 'seen' : 'unseen'}</div>;
}

function showTab(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', FakeObserver);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('visibility of the card', () => {
  it('follows the tab', () => {
    render(<Probe />);
    expect(screen.getByText('seen')).toBeTruthy();
    showTab('hidden');
    expect(screen.getByText('unseen')).toBeTruthy();
    showTab('visible');
    expect(screen.getByText('seen')).toBeTruthy();
  });

  it('follows scrolling', () => {
    render(<Probe />);
    act(() => reportOnScreen(false));
    expect(screen.getByText('unseen')).toBeTruthy();
    act(() => reportOnScreen(true));
    expect(screen.getByText('seen')).toBeTruthy();
  });
});
