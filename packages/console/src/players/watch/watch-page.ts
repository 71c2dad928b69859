// `/watch/<app>/<stream>`: the page for viewers. It finds the best way to play, asks for a password where one is needed, and fills frames of
// other sites.
import '../player.css';
import './watch.css';
import { copyText } from '../../ui/copy-text.ts';
import { followColorScheme } from '../follow-color-scheme.ts';
import { element } from '../player-stage.ts';
import { viewerLocale } from '../player-texts.ts';
import { createStagePlayer, type Engine } from '../stage-player.ts';
import { simplePlayback } from '../start-playback.ts';
import { bestWay } from './best-way.ts';
import { createEmbedDialog, embedCode } from './embed-dialog.ts';
import { createFrameTeller, obeyFrame } from './frame-messages.ts';
import { createPasswordForm } from './password-form.ts';
import { listenToKeys } from './shortcuts.ts';
import { askMode, keepRight, keptRight, unlock } from './watch-access.ts';
import { watchTexts } from './watch-texts.ts';
import { carriedQuery, isWay, sourceOf, type Way, watchedStream, ways } from './watched-stream.ts';

const pageUrl = new URL(location.href);
const locale = viewerLocale(pageUrl.searchParams, navigator.languages);
const t = watchTexts(locale);
const watched = watchedStream(pageUrl.pathname);
const isFramed = window.parent !== window || pageUrl.searchParams.get('embed') === '1';

/** What opens the stream: the viewer's own link, or what the password was exchanged for. */
let right = carriedQuery(pageUrl);
let wayNow: Way = ways[0];
const choice = element('select');
const automatic = element('option', '', t.automatic);
const video = (): HTMLVideoElement | null => player.stage.frame.querySelector('video');

const engine: Engine = (frame) => {
  const picture = element('video');
  Object.assign(picture, { controls: true, muted: true, autoplay: true, playsInline: true });
  frame.append(picture);
  const asked = choice.value;
  const start = bestWay({
    video: picture,
    ways: isWay(asked) ? [asked] : possibleWays(),
    start: (way) => simplePlayback(picture, sourceOf(way, watched, right, pageUrl)),
    onWay: (way) => {
      wayNow = way;
      automatic.textContent = t.wayNow(t.ways[way]);
    },
  });
  return (events) =>
    start({
      ...events,
      onProblem: (problem) => {
        events.onProblem(problem);
        if (problem.kind === 'not-allowed') onRefused().catch(reportError);
      },
    });
};

const tellFrame = createFrameTeller();
const player = createStagePlayer({
  engine,
  locale,
  onView: (view) => {
    document.body.dataset.live = String(view.state.name === 'playing');
    tellFrame(view, wayNow, video()?.muted ?? true);
  },
});

followColorScheme();
document.documentElement.lang = locale === 'zh' ? 'zh-CN' : locale;
document.title ||= watched.stream;
document.body.classList.add('watch');
document.body.classList.toggle('framed', isFramed);
document.body.append(createPage());
obeyFrame(video);
listenToKeys(video);
// Plays what is open at once: to ask first would cost a round trip that only locked streams need.
if (!right.has('watch')) right = withRight(keptRight(watched));
play();

function play(): void {
  player.open(sourceOf('flv', watched, right, pageUrl).url);
}

function withRight(query: string): URLSearchParams {
  const more = carriedQuery(pageUrl);
  for (const [name, value] of new URLSearchParams(query)) more.set(name, value);
  return more;
}

/** What this browser may be able to play, the quickest first. */
function possibleWays(): Way[] {
  return ways.filter((way) => way !== 'webrtc' || typeof RTCPeerConnection !== 'undefined');
}

async function onRefused(): Promise<void> {
  const mode = await askMode(watched);
  if (mode === 'open') return;
  player.close();
  if (mode === 'password') return askPassword();
  player.stage.showMessage(...t.refused[mode]);
}

function askPassword(): void {
  keepRight(watched, '');
  const form = createPasswordForm(t, async (password) => {
    const unlocked = await unlock(watched, password);
    if (unlocked.ok) {
      keepRight(watched, unlocked.query);
      right = withRight(unlocked.query);
      form.root.remove();
      play();
    }
    return unlocked;
  });
  player.stage.showMessage('', '');
  player.stage.frame.after(form.root);
  form.focus();
}

function createPage(): HTMLElement {
  const main = element('main');
  const bar = element('div', 'bar');
  const name = element('div', 'name');
  const title = element('h1', '', document.title || watched.stream);
  const sign = element('span', 'sign', t.live);
  const actions = element('div', 'actions');
  const notice = element('output');
  const dialog = createEmbedDialog(t, embedCode(pageUrl, document.title || watched.stream));
  name.append(title, sign);
  actions.append(
    notice,
    createWayChoice(),
    button(t.details, () => document.body.classList.toggle('with-details')),
    button(t.share, () => {
      copyText(shareLink()).then(
        () => notice.replaceChildren(t.shared),
        () => notice.replaceChildren(t.copyFailed),
      );
    }),
    button(t.embed, () => dialog.showModal()),
  );
  bar.append(name, actions);
  main.append(player.stage.root, bar, dialog);
  return main;
}

function createWayChoice(): HTMLElement {
  const label = element('label', 'way', t.way);
  automatic.value = '';
  choice.append(automatic);
  for (const way of ways) {
    const option = element('option', '', t.ways[way]);
    option.value = way;
    choice.append(option);
  }
  const asked = pageUrl.searchParams.get('way');
  choice.value = isWay(asked) ? asked : '';
  choice.addEventListener('change', play);
  label.append(choice);
  return label;
}

/** Without a right of the viewer's own: whoever gets the link brings theirs. */
function shareLink(): string {
  return new URL(pageUrl.pathname, pageUrl).href;
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', '', text);
  created.type = 'button';
  created.addEventListener('click', onClick);
  return created;
}
