// The video area of a player page. Text is never parsed as HTML.
import { codecName } from './codec-name.ts';
import type { LiveView } from './live-session.ts';
import { latencyText, type PlayerTexts, problemText } from './player-texts.ts';
import { retryInSeconds, type SessionState } from './session-state.ts';

export interface StageActions {
  onRetry(): void;
  onPlay(): void;
  onUnmute(): void;
}

export interface Stage {
  readonly root: HTMLElement;
  readonly frame: HTMLElement;
  show(view: LiveView): void;
  /** Shows a message in place of the video. */
  showMessage(title: string, advice: string): void;
  /** Shows or hides the button that unmutes the video. */
  showUnmute(visible: boolean): void;
  /** Offers another address of the stream, for browsers that cannot play the current address. */
  offerAlternative(href: string): void;
}

/** Creates an element with plain text, which is never parsed as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  created.className = className;
  created.textContent = text;
  return created;
}

export function createStage(t: PlayerTexts, actions: StageActions): Stage {
  const root = element('section', 'stage');
  const frame = element('div', 'frame');
  const overlay = createOverlay(t, actions);
  const badge = element('span', 'badge latency');
  const unmute = button('unmute', t.unmute, actions.onUnmute);
  const facts = element('dl', 'facts');
  facts.setAttribute('aria-label', t.facts);
  badge.hidden = true;
  unmute.hidden = true;
  const picture = element('div', 'picture');
  picture.append(frame, badge, unmute, overlay.root);
  root.append(picture, facts);

  return {
    root,
    frame,
    show: (view) => {
      root.dataset.state = view.state.name;
      overlay.show(view);
      showLatency(t, badge, view);
      showFacts(t, facts, view);
    },
    showMessage: (title, advice) => {
      root.dataset.state = 'message';
      badge.hidden = true;
      facts.replaceChildren();
      overlay.showText(title, advice, {});
    },
    showUnmute: (visible) => {
      unmute.hidden = !visible;
    },
    offerAlternative: overlay.offerAlternative,
  };
}

function createOverlay(t: PlayerTexts, actions: StageActions) {
  const root = element('div', 'overlay');
  const title = element('strong');
  const advice = element('p');
  const countdown = element('p', 'countdown');
  const retry = button('', t.retryNow, actions.onRetry);
  const play = button('play', t.play, actions.onPlay);
  const alternative = element('a', 'button', t.tryHls);
  const spinner = element('span', 'spinner');
  const message = element('div');
  message.setAttribute('role', 'status');
  message.append(title, advice);
  root.append(spinner, message, countdown, play, retry, alternative);
  alternative.hidden = true;
  let alternativeHref = '';

  const showText = (heading: string, text: string, parts: { busy?: boolean; retry?: boolean; play?: boolean }) => {
    root.hidden = heading === '' && !parts.play;
    // Assigned only when changed, because screen readers announce every assignment.
    if (title.textContent !== heading) title.textContent = heading;
    if (advice.textContent !== text) advice.textContent = text;
    spinner.hidden = !parts.busy;
    alternative.hidden = true;
    retry.hidden = !parts.retry;
    play.hidden = !parts.play;
    countdown.textContent = '';
  };
  return {
    root,
    showText,
    offerAlternative: (href: string) => {
      alternativeHref = href;
      alternative.href = href;
    },
    show: ({ state, nowMs, needsGesture }: LiveView) => {
      const { heading, text } = describe(t, state);
      const calm = state.name === 'connecting' || (state.name === 'playing' && state.stalled);
      const gesture = needsGesture && (state.name === 'playing' || state.name === 'connecting');
      if (gesture) showText('', '', { play: true });
      else showText(heading, text, { busy: calm, retry: state.name === 'waiting' || state.name === 'failed' });
      // After a refusal, no other protocol is offered, because all protocols require authorization.
      const isFormatAtFault = state.name === 'failed' && state.problem.kind !== 'not-allowed';
      alternative.hidden = alternativeHref === '' || !isFormatAtFault;
      if (state.name === 'waiting') countdown.textContent = t.retryIn(retryInSeconds(state, nowMs));
    },
  };
}

/** Duration of a connection attempt, milliseconds, after which the page shows that it waits for the encoder. */
const connectingNoticeMs = 3_000;

function describe(t: PlayerTexts, state: SessionState): { heading: string; text: string } {
  switch (state.name) {
    case 'connecting': {
      const long = performance.now() - state.sinceMs > connectingNoticeMs;
      return { heading: long ? t.waitingForEncoder : t.connecting, text: '' };
    }
    case 'playing':
      return { heading: state.stalled ? t.stalled : '', text: '' };
    case 'waiting':
    case 'failed': {
      const { title, advice } = problemText(t, state.problem);
      return { heading: title, text: advice };
    }
  }
}

function showLatency(t: PlayerTexts, badge: HTMLElement, view: LiveView): void {
  badge.hidden = view.latency === undefined;
  if (view.latency === undefined) return;
  const { text, meaning } = latencyText(t, view.latency);
  badge.textContent = text;
  badge.title = meaning;
  badge.setAttribute('aria-label', `${text}: ${meaning}`);
}

function showFacts(t: PlayerTexts, list: HTMLElement, view: LiveView): void {
  const { facts } = view;
  const hasVideo = view.width > 0;
  const rows: [string, string][] = [
    [t.video, facts.videoCodec ? codecName(facts.videoCodec) : ''],
    [t.size, hasVideo ? `${view.width}×${view.height}` : ''],
    [t.frameRate, hasVideo && view.fps >= 1 ? `${Math.round(view.fps)} fps` : ''],
    [t.audio, facts.audioCodec ? codecName(facts.audioCodec) : ''],
    [t.bitrate, facts.bitrateKbps ? `${Math.round(facts.bitrateKbps)} kbps` : ''],
    [t.roundTrip, facts.rttMs === undefined ? '' : `${formatMs(facts.rttMs)} ms`],
    [t.loss, facts.lossPercent === undefined ? '' : `${facts.lossPercent.toFixed(1)} %`],
    [t.jitterBuffer, facts.jitterBufferMs === undefined ? '' : `${Math.round(facts.jitterBufferMs)} ms`],
  ];
  const shown = view.state.name === 'playing' ? rows.filter(([, value]) => value !== '') : [];
  const key = shown.flat().join('|');
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...shown.map(([name, value]) => factRow(name, value)));
}

/** Shows one decimal below 10 ms, because latency in a local network would round to 0. */
export function formatMs(ms: number): string {
  if (ms < 0.1) return '< 0.1';
  return ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
}

export function factRow(name: string, value: string): HTMLElement {
  const row = element('div');
  row.append(element('dt', '', name), element('dd', '', value));
  return row;
}

function button(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', className, text);
  created.type = 'button';
  created.addEventListener('click', onClick);
  return created;
}
