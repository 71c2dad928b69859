// `/players/whip.html`: publishes camera, microphone or screen from the browser.
import '../player.css';
import './whip.css';
import { copyText } from '../../ui/copy-text.ts';
import { followColorScheme } from '../follow-color-scheme.ts';
import { element } from '../player-stage.ts';
import { viewerLocale } from '../player-texts.ts';
import { type Capture, CaptureFailed, capture, listDevices } from './capture.ts';
import { createPublishSession, idleView, type PublishSession } from './publish-session.ts';
import { parseRtcQuery, streamOfRtcAddress } from './rtc-address.ts';
import { watchLink } from './watch-link.ts';
import { createWhipControls } from './whip-controls.ts';
import { whipTexts } from './whip-texts.ts';
import { createWhipView } from './whip-view.ts';

const pageUrl = new URL(location.href);
const query = pageUrl.searchParams;
const locale = viewerLocale(query, navigator.languages);
const t = whipTexts(locale);
const address = parseRtcQuery(query, pageUrl, 'whip');

let captured: Capture | undefined;
/** Counts capture attempts; the page shows only the result of the last attempt. */
let attempt = 0;
let session: PublishSession | undefined;
let isRunning = false;

const view = createWhipView(t, address.ok ? streamOfRtcAddress(address.url) : '', {
  onStart: () => void goLive(),
  onStop: () => session?.stop(),
  onPreview: () => void recapture(),
});
const controls = createWhipControls(t, {
  onChoice: () => void (captured && recapture()),
  onBitrate: () => session?.limitBitrate(controls.kbps()),
});

followColorScheme();
document.documentElement.lang = locale === 'zh' ? 'zh-CN' : locale;
document.title = t.title;
document.body.classList.add('publisher');
document.body.append(view.root);
view.panel.append(controls.root);
if (address.ok) begin(address.url);
else refuse(...t.addressProblem[address.problem]);

function begin(url: string): void {
  session = createPublishSession(url, (publishView) => {
    isRunning = ['connecting', 'live', 'waiting'].includes(publishView.state.name);
    view.showPublish(publishView);
  });
  session.limitBitrate(controls.kbps());
  view.showPublish(idleView);
  view.root.append(createWatchBar(url));
  navigator.mediaDevices?.addEventListener('devicechange', () => void showDevices());
  void showDevices();
  if (!window.isSecureContext) refuse(...t.capture.insecure, { href: secureHref(), text: t.openSecure });
  else if (query.get('autostart') === 'true') void goLive();
}

async function goLive(): Promise<void> {
  if (captured === undefined && !(await recapture())) return;
  if (captured) session?.start(captured.stream);
}

/** Captures the selected devices and replaces the published tracks. Returns false on failure. */
async function recapture(): Promise<boolean> {
  const mine = ++attempt;
  const choice = controls.choice();
  view.showMessage('', '');
  view.setBusy(true);
  // Releases the devices first, because many cameras cannot be opened twice.
  if (choice.picture !== 'screen') release();
  try {
    const next = await capture(choice, onDeviceGone);
    if (mine !== attempt) {
      next.stop();
      return false;
    }
    release();
    captured = next;
    view.showStream(next.stream, choice.picture === 'camera');
    if (isRunning) session?.replace(next.stream);
    void showDevices();
    return true;
  } catch (error) {
    if (mine === attempt) onCaptureFailed(error);
    return false;
  } finally {
    if (mine === attempt) view.setBusy(false);
  }
}

function release(): void {
  captured?.stop();
  captured = undefined;
}

function onCaptureFailed(error: unknown): void {
  const kind = error instanceof CaptureFailed ? error.kind : 'other';
  const keepsSending = kind === 'cancelled' && captured !== undefined;
  if (!keepsSending) {
    session?.stop();
    view.showStream(undefined, false);
  }
  view.showMessage(...t.capture[kind]);
}

function onDeviceGone(): void {
  release();
  session?.stop();
  view.showStream(undefined, false);
  view.showMessage(...t.ended);
}

function refuse(title: string, advice: string, link?: { href: string; text: string }): void {
  view.showMessage(title, advice, link);
  view.setBusy(true);
}

async function showDevices(): Promise<void> {
  const { cameras, microphones } = await listDevices();
  controls.showDevices(cameras, microphones);
}

/** The page cannot know the server's HTTPS port. For the default HTTP port, the address has the default HTTPS port. */
function secureHref(): string {
  const secure = new URL(pageUrl);
  secure.protocol = 'https:';
  if (secure.port === '2022') secure.port = '2443';
  for (const name of ['port', 'api', 'schema']) secure.searchParams.delete(name);
  return secure.href;
}

function createWatchBar(url: string): HTMLElement {
  const link = watchLink(url, pageUrl);
  const bar = element('footer', 'watch');
  const open = element('a', 'button', t.watch);
  Object.assign(open, { href: link, target: '_blank', rel: 'noopener' });
  const copy = element('button', '', t.copyWatch);
  copy.type = 'button';
  const notice = element('output');
  copy.addEventListener('click', () => {
    copyText(link).then(
      () => notice.replaceChildren(t.copied),
      () => notice.replaceChildren(`${t.copyFailed}${link}`),
    );
  });
  bar.append(open, copy, notice);
  return bar;
}
