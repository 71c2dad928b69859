// `/watch/<app>/<stream>`: plays a stream over the best output protocol, waits for streams that are not live, and requests passwords.
import '../player.css';
import './watch.css';
import type { WatchInfo } from '@srs-stack/contract/values/watch-info.ts';
import type { LiveView } from '../live-session.ts';
import type { Playback } from '../playback.ts';
import { element } from '../player-stage.ts';
import { viewerLocale } from '../player-texts.ts';
import { serverRoot } from '../server-root.ts';
import { createStagePlayer, type Engine } from '../stage-player.ts';
import { simplePlayback } from '../start-playback.ts';
import { bestWay } from './best-way.ts';
import { createCaptionsMenu } from './captions-menu.ts';
import { createFrameNotifier, followFrameCommands } from './frame-messages.ts';
import { followPreview, type PreviewedLook } from './look-preview.ts';
import { fetchPageInfo, pollWhileVisible, writtenInfo } from './page-info.ts';
import { applyAccent, applyTheme, createHeading } from './page-look.ts';
import { createPasswordForm } from './password-form.ts';
import { createQualityMenu } from './quality-menu.ts';
import type { RewindBar } from './rewind-bar.ts';
import { listenToKeys } from './shortcuts.ts';
import { createWaitingScreen } from './waiting-screen.ts';
import { requestMode, saveAuthorization, storedAuthorization, unlock } from './watch-access.ts';
import { createActions } from './watch-actions.ts';
import { watchTexts } from './watch-texts.ts';
import { carriedQuery, playlistOf, sourceOf, type Way, watchedStream, ways } from './watched-stream.ts';
import { createWayMenu } from './way-menu.ts';

/** Maximum time for which the first rendering waits for the WebRTC answer, milliseconds. */
const mostHeadStartMs = 250;

/** Without video, for example if autoplay is blocked, the controls appear after this time, milliseconds. */
const mostWithoutControlsMs = 1_500;

const pageUrl = new URL(location.href);
const root = serverRoot();
const locale = viewerLocale(pageUrl.searchParams, navigator.languages);
const t = watchTexts(locale);
const watched = watchedStream(pageUrl.pathname, root);
/** Whether the page is the preview in the console's settings form. */
const isPreview = pageUrl.searchParams.get('preview') === '1';
const isFramed = !isPreview && (window.parent !== window || pageUrl.searchParams.get('embed') === '1');

let info: WatchInfo = writtenInfo(watched, document);
/** Data from the server. In a preview, `info` has the unsaved values instead. */
let received = info;
let preview: PreviewedLook = { look: {}, isWaiting: false };
/** Query that authorizes playback, from the viewer's link or from the password form. */
let authorization = carriedQuery(pageUrl);
let wayNow: Way = ways[0];
let playback: Playback | undefined;
/** Rewound position, seconds before the live edge; 0 means live. */
let behindSeconds = 0;
let isWaiting = false;
/** A password or a link is missing, which only the viewer can provide. */
let isRefused = false;
let passwordForm: HTMLElement | undefined;
let rewindBar: RewindBar | undefined;
let isCheckingWhetherLive = false;
let hasPlayed = false;
let audio = { muted: true, volume: 1 };

const video = (): HTMLVideoElement | null => player.stage.frame.querySelector('video');
const wayMenu = createWayMenu(t, pageUrl.searchParams.get('way'), () => play());
const quality = createQualityMenu(t, () => play());
const captions = createCaptionsMenu(t);
const heading = createHeading(t.live);
const waiting = createWaitingScreen(t, locale);
const notifyFrame = createFrameNotifier();

const engine: Engine = (frame) => {
  const picture = createVideo();
  frame.append(picture);
  captions.follow(picture);
  return async (events) => {
    const onProblem: typeof events.onProblem = (problem) => {
      events.onProblem(problem);
      if (problem.kind === 'not-allowed') onRefused().catch(reportError);
    };
    playback = await wayToPlay(picture)({ ...events, onProblem });
    return playback;
  };
};

// `handlesAccess: false` saves each viewer a request for an operator's authorization. A viewer's link contains its own authorization.
const player = createStagePlayer({ engine, locale, onView, handlesAccess: false });

// Rendering before the WebRTC answer arrives would delay the video.
await window.earlyWhep?.answered(mostHeadStartMs);
applyTheme(info.theme);
document.documentElement.lang = locale === 'zh' ? 'zh-CN' : locale;
document.title ||= info.name;
document.body.classList.add('watch');
document.body.classList.toggle('framed', isFramed);
document.body.append(createPage());
followFrameCommands(video);
listenToKeys({ video, screen: () => player.stage.root.querySelector('.picture'), seek, controls });
if (!authorization.has('watch')) authorization = withAuthorization(storedAuthorization(watched));
if (isPreview) followPreview(onPreview);
begin();

function begin(): void {
  showInfo(info);
  // Tries to play without requesting the stream state first, which saves a round trip.
  if (mayPlay()) play();
  else wait();
  pollWhileVisible(
    () => (isWaiting ? 'waiting' : 'playing'),
    async () => {
      const update = await fetchPageInfo(watched, authorization);
      if (update) learn(update);
    },
  );
}

function learn(update: WatchInfo): void {
  take(update);
  showInfo(info);
  if (isWaiting && !isRefused && mayPlay()) play();
}

function take(update: WatchInfo): void {
  received = update;
  info = isPreview ? { ...update, ...preview.look, ...(preview.isWaiting && { live: false }) } : update;
}

/** A preview plays only a stream that is known to be live. */
function mayPlay(): boolean {
  return isPreview ? info.live === true : info.live !== false;
}

function onPreview(typed: PreviewedLook): void {
  preview = typed;
  learn(received);
  if (!isWaiting && !mayPlay()) wait();
}

function showInfo(update: WatchInfo): void {
  applyAccent(update.accent);
  heading.show(update);
  heading.showViewers(viewersText(update));
  wayMenu.offer(update.ways.length > 0 ? update.ways : ways);
  if (update.master) quality.offer(playlistOf(update.master, authorization, root).url);
  else quality.hide();
  offerRewind(update).catch(reportError);
  if (isWaiting) waiting.show(update);
}

/** The server counts a new viewer with a delay. After playback has started, the page therefore shows at least one viewer. */
function viewersText({ live, viewers }: WatchInfo): string {
  if (!live || viewers === null) return '';
  const count = hasPlayed ? Math.max(1, viewers) : viewers;
  return count > 0 ? t.watching(count) : '';
}

function play(): void {
  setWaiting(false);
  isRefused = false;
  passwordForm?.remove();
  waiting.hide();
  player.open(sourceOf('flv', watched, authorization, root).url);
}

/** Sets the state of the page. While waiting, the style sheet hides the menus and the details. */
function setWaiting(now: boolean): void {
  isWaiting = now;
  document.body.dataset.waiting = String(now);
}

function wait(): void {
  player.close();
  setWaiting(true);
  player.stage.showMessage('', '');
  player.stage.root.dataset.state = 'waiting';
  document.body.dataset.live = 'false';
  waiting.show(info);
  notifyFrame('waiting', wayNow, true);
}

function wayToPlay(picture: HTMLVideoElement) {
  const { master, rewind } = info;
  const height = quality.chosen();
  if (behindSeconds > 0 && rewind)
    return simplePlayback(picture, { ...playlistOf(rewind.playlist, authorization, root), behindSeconds });
  if (height !== undefined && master)
    return simplePlayback(picture, { ...playlistOf(master, authorization, root), height });
  return bestWay({
    video: picture,
    ways: wayMenu.chosen() ?? possibleWays(),
    start: (way) => simplePlayback(picture, way === 'hls' ? hlsSource() : sourceOf(way, watched, authorization, root)),
    onWay: (way) => {
      wayNow = way;
      wayMenu.showNow(way);
    },
  });
}

/** For streams with renditions, uses the multivariant HLS playlist, which adapts to the bandwidth. */
function hlsSource() {
  const { master } = info;
  return master ? playlistOf(master, authorization, root) : sourceOf('hls', watched, authorization, root);
}

/** Output protocols that this browser may support, in order of preference. For streams with renditions, HTTP-FLV is last. */
function possibleWays(): Way[] {
  const offered = info.ways.length > 0 ? info.ways : ways.filter((way) => way !== 'llhls');
  const able = offered.filter((way) => way !== 'webrtc' || typeof RTCPeerConnection !== 'undefined');
  return info.master ? able.toSorted((a, b) => Number(a === 'flv') - Number(b === 'flv')) : [...able];
}

function onView(view: LiveView): void {
  const { name } = view.state;
  const isFirst = name === 'playing' && !hasPlayed;
  hasPlayed = name === 'playing' || (hasPlayed && name !== 'waiting');
  // Updates the viewer count, which now includes this viewer.
  if (isFirst) {
    heading.showViewers(viewersText(info));
    fetchPageInfo(watched, authorization).then((update) => update && learn(update), reportError);
  }
  document.body.dataset.live = String(name === 'playing' && behindSeconds === 0);
  notifyFrame(name, wayNow, video()?.muted ?? true);
  const range = playback?.range?.();
  const element = video();
  if (behindSeconds > 0 && range && element) rewindBar?.show(Math.max(1, range.end - element.currentTime));
  if (name === 'waiting' && view.state.problem.kind === 'not-live') checkWhetherLive().catch(reportError);
}

/**
 * Called when no publisher is found. If the server confirms that the stream is not live, the page polls the server instead of the stream.
 */
async function checkWhetherLive(): Promise<void> {
  if (isCheckingWhetherLive) return;
  isCheckingWhetherLive = true;
  const update = await fetchPageInfo(watched, authorization);
  isCheckingWhetherLive = false;
  if (!update) return;
  take(update);
  if (!mayPlay()) wait();
  showInfo(info);
}

/** Creates a video element with the previous volume. The controls appear with the first frame. */
function createVideo(): HTMLVideoElement {
  const before = audio;
  const picture = element('video');
  Object.assign(picture, { autoplay: true, playsInline: true, ...before });
  const showControls = (): void => {
    picture.controls = true;
  };
  picture.addEventListener('loadeddata', showControls, { once: true });
  setTimeout(showControls, mostWithoutControlsMs);
  picture.addEventListener('volumechange', () => {
    audio = { muted: picture.muted, volume: picture.volume };
  });
  return picture;
}

async function offerRewind({ rewind, rewindSeconds }: WatchInfo): Promise<void> {
  if (!rewind) {
    rewindBar?.root.remove();
    return;
  }
  const { RewindBar: Bar, nowSeconds } = await import('./rewind-bar.ts');
  // A recently started stream has less media than the maximum length of the window.
  const heldSeconds = Math.min(rewindSeconds ?? rewind.windowSeconds, rewind.windowSeconds);
  if (heldSeconds <= nowSeconds && behindSeconds === 0) {
    rewindBar?.root.remove();
    return;
  }
  rewindBar ??= new Bar({ t, locale, onSeek: goBack, query: () => authorization });
  rewindBar.offer(rewind, heldSeconds);
  if (!rewindBar.root.isConnected) player.stage.root.after(rewindBar.root);
}

/** Seeks to a distance from the live edge, seconds. Positions outside the current playback need the playlist of the rewind window. */
function goBack(seconds: number): void {
  const range = playback?.range?.();
  const element = video();
  const isRewound = behindSeconds > 0 && seconds > 0;
  behindSeconds = seconds;
  if (isRewound && range && element) {
    element.currentTime = Math.max(range.start, range.end - seconds);
    element.play().catch(() => {});
  } else play();
}

function seek(seconds: number): boolean {
  if (!rewindBar?.root.isConnected) return false;
  rewindBar.step(seconds);
  return true;
}

function withAuthorization(query: string): URLSearchParams {
  const more = carriedQuery(pageUrl);
  for (const [name, value] of new URLSearchParams(query)) more.set(name, value);
  return more;
}

async function onRefused(): Promise<void> {
  const mode = await requestMode(watched);
  if (mode === 'open') return;
  isRefused = true;
  player.close();
  if (mode === 'password') return showPasswordForm();
  player.stage.showMessage(...t.refused[mode]);
}

function showPasswordForm(): void {
  saveAuthorization(watched, '');
  const form = createPasswordForm(t, async (password) => {
    const unlocked = await unlock(watched, password);
    if (unlocked.ok) {
      saveAuthorization(watched, unlocked.query);
      authorization = withAuthorization(unlocked.query);
      play();
      fetchPageInfo(watched, authorization).then((update) => update && learn(update), reportError);
    }
    return unlocked;
  });
  player.stage.showMessage('', '');
  // Removes an earlier form, which exists if a change of the protocol caused a second refusal.
  passwordForm?.remove();
  passwordForm = form.root;
  player.stage.frame.after(form.root);
  form.focus();
}

function createPage(): HTMLElement {
  const main = element('main');
  const bar = element('div', 'bar');
  const { root: actions, dialog } = createActions(t, pageUrl, () => info.name);
  actions.prepend(wayMenu.root, quality.root, captions.root);
  bar.append(heading.root, actions);
  player.stage.frame.after(waiting.root);
  main.append(player.stage.root, bar, dialog);
  return main;
}

/** Controls in visual order, for keyboards and TV remotes. */
function controls(): HTMLElement[] {
  const found = document.querySelectorAll<HTMLElement>(
    '.picture button, .rewind :is(input, button), .bar :is(button, select)',
  );
  return [...found].filter((each) => each.checkVisibility() && !(each as HTMLButtonElement).disabled);
}
