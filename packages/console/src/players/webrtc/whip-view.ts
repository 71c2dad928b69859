// The publisher page: preview, state, audio level, statistics, messages. Text is never parsed as HTML.
import { codecName } from '../codec-name.ts';
import { element, factRow, formatMs } from '../player-stage.ts';
import { createLevelMeter } from './level-meter.ts';
import type { PublishView } from './publish-session.ts';
import type { WhipTexts } from './whip-texts.ts';

export interface WhipView {
  readonly root: HTMLElement;
  /** Container of the fields above the buttons. */
  readonly panel: HTMLElement;
  showStream(stream: MediaStream | undefined, mayMirror: boolean): void;
  showPublish(view: PublishView): void;
  /** An empty title hides the message. */
  showMessage(title: string, advice: string, link?: { href: string; text: string }): void;
  setBusy(busy: boolean, keepsPreview?: boolean): void;
}

export interface WhipViewActions {
  onStart(): void;
  onStop(): void;
  onPreview(): void;
}

export function createWhipView(t: WhipTexts, name: string, actions: WhipViewActions): WhipView {
  const head = createHead(t, name);
  const preview = createPreview(t);
  const metrics = element('dl', 'figures');
  metrics.setAttribute('aria-label', t.figures);
  const stage = element('section', 'preview-pane');
  stage.append(preview.root, metrics);
  const message = createMessage();
  const start = actionButton('primary', t.start, actions.onStart);
  const stop = actionButton('stop', t.stop, actions.onStop);
  const show = actionButton('', t.preview, actions.onPreview);
  stop.hidden = true;
  const buttons = element('div', 'buttons');
  buttons.append(start, stop, show);
  const panel = element('div', 'choices-place');
  const side = element('section', 'controls');
  side.append(panel, message.root, buttons);
  const main = element('main', 'publisher-main');
  main.append(stage, side);
  const root = element('div', 'publisher-page');
  root.append(head.root, main);
  return {
    root,
    panel,
    showStream: (stream, mayMirror) => {
      preview.show(stream, mayMirror);
      show.hidden = stream !== undefined;
    },
    showPublish: (view) => {
      const { state } = view;
      const isRunning = state.name === 'connecting' || state.name === 'live' || state.name === 'waiting';
      root.dataset.state = state.name;
      start.hidden = isRunning;
      stop.hidden = !isRunning;
      head.show(view);
      showRtcMetrics(t, metrics, view);
      if (state.name === 'waiting' || state.name === 'failed') {
        const [title, advice] = t.problem[state.problem.kind];
        message.show(title, advice, undefined, state.problem.detail);
      } else if (state.name === 'live') message.show('', '');
    },
    showMessage: message.show,
    setBusy: (busy, keepsPreview = false) => {
      start.disabled = busy;
      show.disabled = busy && !keepsPreview;
    },
  };
}

function createHead(t: WhipTexts, name: string) {
  const root = element('header', 'publisher-head');
  const title = element('h1', '', t.title);
  const stream = element('code', '', name);
  stream.title = t.stream;
  const badge = element('span', 'state');
  badge.setAttribute('role', 'status');
  root.append(title, stream, badge);
  return {
    root,
    show: ({ state, nowMs }: PublishView) => {
      const seconds = state.name === 'waiting' ? Math.max(1, Math.ceil((state.retryAtMs - nowMs) / 1000)) : 0;
      const text = seconds > 0 ? `${t.state.waiting} · ${t.retryIn(seconds)}` : t.state[state.name];
      if (badge.textContent !== text) badge.textContent = text;
    },
  };
}

function createPreview(t: WhipTexts) {
  const root = element('div', 'preview');
  const picture = element('div', 'picture');
  const video = element('video');
  Object.assign(video, { muted: true, autoplay: true, playsInline: true });
  const empty = element('div', 'empty');
  const title = element('strong');
  const advice = element('p');
  empty.append(title, advice);
  const mirror = element('input');
  mirror.type = 'checkbox';
  mirror.checked = true;
  const mirrorLabel = element('label', 'mirror');
  mirrorLabel.append(mirror, t.mirror);
  picture.append(video, empty);
  const meter = createLevelMeter(t.level);
  const strip = element('div', 'strip');
  strip.append(meter.root, mirrorLabel);
  root.append(picture, strip);
  let mirrored = false;
  const applyMirror = (): void => {
    video.style.transform = mirrored && mirror.checked ? 'scaleX(-1)' : '';
  };
  mirror.addEventListener('change', applyMirror);
  const show = (stream: MediaStream | undefined, mayMirror: boolean): void => {
    const hasVideo = (stream?.getVideoTracks().length ?? 0) > 0;
    video.srcObject = hasVideo ? (stream ?? null) : null;
    empty.hidden = hasVideo;
    [title.textContent, advice.textContent] = stream ? t.soundOnly : t.previewEmpty;
    mirrored = mayMirror;
    mirrorLabel.hidden = !hasVideo || !mayMirror;
    applyMirror();
    meter.follow(stream);
  };
  show(undefined, false);
  return { root, show };
}

function createMessage() {
  const root = element('div', 'message');
  root.setAttribute('role', 'alert');
  const heading = element('strong');
  const text = element('p');
  const anchor = element('a');
  root.append(heading, text, anchor);
  root.hidden = true;
  return {
    root,
    show: (title: string, advice: string, link?: { href: string; text: string }, detail = '') => {
      root.hidden = title === '';
      // Assigned only when changed, because screen readers announce every assignment.
      if (heading.textContent !== title) heading.textContent = title;
      if (text.textContent !== advice) text.textContent = advice;
      root.title = detail;
      anchor.hidden = link === undefined;
      if (link) Object.assign(anchor, { href: link.href, textContent: link.text });
    },
  };
}

function showRtcMetrics(t: WhipTexts, list: HTMLElement, { state, metrics, nowMs }: PublishView): void {
  if (state.name !== 'live') {
    list.replaceChildren();
    return;
  }
  const { fps, width, height, rttMs, lossPercent, bitrateKbps, videoCodec, audioCodec, limitation } = metrics ?? {};
  const size = width && height ? ` ${width}×${height}` : '';
  const rows: [string, string][] = [
    [t.duration, formatDuration(nowMs - state.sinceMs)],
    [t.sent, bitrateKbps === undefined ? '' : `${Math.round(bitrateKbps)} kbps`],
    [t.video, videoCodec ? `${codecName(videoCodec)}${size}` : ''],
    [t.frameRate, fps === undefined ? '' : `${Math.round(fps)} fps`],
    [t.audio, audioCodec ? codecName(audioCodec) : ''],
    [t.roundTrip, rttMs === undefined ? '' : `${formatMs(rttMs)} ms`],
    [t.loss, lossPercent === undefined ? '' : `${lossPercent.toFixed(1)} %`],
    [t.limitation, limitation && limitation !== 'none' ? (t.limitedBy[limitation] ?? limitation) : ''],
  ];
  list.replaceChildren(...rows.filter(([, value]) => value !== '').map(([name, value]) => factRow(name, value)));
}

function formatDuration(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}

function actionButton(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', className, text);
  created.type = 'button';
  created.addEventListener('click', onClick);
  return created;
}
