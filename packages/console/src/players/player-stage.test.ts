import { describe, expect, it, vi } from 'vitest';
import type { LiveView } from './live-session.ts';
import { createStage, type StageActions } from './player-stage.ts';
import { playerTexts } from './player-texts.ts';

const t = playerTexts('en');

function createTestStage() {
  const actions: StageActions = { onRetry: vi.fn(), onPlay: vi.fn(), onUnmute: vi.fn() };
  return { actions, stage: createStage(t, actions) };
}

function viewOf(change: Partial<LiveView>): LiveView {
  return {
    state: { name: 'playing', lastProgressMs: 0, stalled: false },
    facts: {},
    latency: undefined,
    width: 0,
    height: 0,
    fps: 0,
    nowMs: 0,
    needsGesture: false,
    ...change,
  };
}

function visibleText(root: Element): string {
  const copy = root.cloneNode(true) as Element;
  for (const hidden of copy.querySelectorAll('[hidden]')) hidden.remove();
  return copy.textContent ?? '';
}

describe('stage of a player', () => {
  it('covers a playing video only with its badge', () => {
    const { stage } = createTestStage();
    stage.show(viewOf({ latency: { kind: 'buffer', seconds: 0.8 } }));
    expect(visibleText(stage.root)).toBe('Buffer 0.8 s');
    expect(stage.root.querySelector('.badge')?.getAttribute('aria-label')).toContain('received but not displayed');
  });

  it('lists codec, size, frame rate and bitrate of the video', () => {
    const { stage } = createTestStage();
    const facts = { videoCodec: 'avc1.64001f', audioCodec: 'mp4a.40.2', bitrateKbps: 2012.4 };
    stage.show(viewOf({ facts, width: 1280, height: 720, fps: 29.98 }));
    const values = [...stage.root.querySelectorAll('dd')].map((value) => value.textContent);
    expect(values).toEqual(['H.264 High', '1280×720', '30 fps', 'AAC-LC', '2012 kbps']);
  });

  it('counts down to the next attempt, which the viewer can start immediately', () => {
    const { stage, actions } = createTestStage();
    const state = { name: 'waiting', problem: { kind: 'not-live' }, attempt: 2, retryAtMs: 3_000 } as const;
    stage.show(viewOf({ state }));
    expect(visibleText(stage.root)).toContain('Not live yet');
    expect(visibleText(stage.root)).toContain('Next try in 3 s');
    [...stage.root.querySelectorAll('button')].find((button) => button.textContent === t.retryNow)?.click();
    expect(actions.onRetry).toHaveBeenCalledOnce();
  });

  it('names the codec that cannot be played and offers HLS only when there is one', () => {
    const { stage } = createTestStage();
    const state = { name: 'failed', problem: { kind: 'codec', codec: 'hvc1.1.6' } } as const;
    stage.show(viewOf({ state }));
    expect(visibleText(stage.root)).toContain('cannot play the codec: HEVC');
    expect(visibleText(stage.root)).not.toContain(t.tryHls);
    stage.offerAlternative('/tools/player.html?url=/live/s.m3u8');
    stage.show(viewOf({ state }));
    expect(visibleText(stage.root)).toContain(t.tryHls);
  });

  it('shows hostile text as text', () => {
    const { stage } = createTestStage();
    const hostile = '<img src=x onerror=alert(1)>';
    stage.show(viewOf({ state: { name: 'failed', problem: { kind: 'codec', codec: hostile } } }));
    stage.showMessage(hostile, hostile);
    stage.show(viewOf({ facts: { videoCodec: hostile } }));
    expect(stage.root.querySelector('img')).toBeNull();
    expect(stage.root.querySelector('dd')?.textContent).toBe(hostile);
  });
});
