// `/players/guest.html#<invitation>`: page on which a guest of a live room publishes from the browser.
import '../player.css';
import '../webrtc/whip.css';
import './guest.css';
import type { InvitationFacts } from '@srs-stack/contract/values/live-rooms.ts';
import { followColorScheme } from '../follow-color-scheme.ts';
import { element } from '../player-stage.ts';
import { viewerLocale } from '../player-texts.ts';
import { type Capture, CaptureFailed, capture, listDevices } from '../webrtc/capture.ts';
import { createPublishSession, idleView, type PublishSession, type PublishView } from '../webrtc/publish-session.ts';
import { createWhipControls } from '../webrtc/whip-controls.ts';
import { createWhipView } from '../webrtc/whip-view.ts';
import { guestSentence } from './guest-sentence.ts';
import { guestTexts } from './guest-texts.ts';
import { invitationOfLink, publishAddress, requestInvitation } from './invitation.ts';
import { createMuteBar } from './mute-bar.ts';

/** Poll interval while the server is unavailable or the room has not started, milliseconds. */
const retryMs = 5_000;

const locale = viewerLocale(new URL(location.href).searchParams, navigator.languages);
const t = guestTexts(locale);
const invitation = invitationOfLink(location.hash);
let facts: InvitationFacts | undefined;
let captured: Capture | undefined;
/** Counts capture attempts; the page shows only the result of the last attempt. */
let attempt = 0;
let session: PublishSession | undefined;
let shown: PublishView = idleView;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

const view = createWhipView(t.publisher, '', {
  onStart: () => void goLive(),
  onStop: () => session?.stop(),
  onPreview: () => void recapture(),
});
const controls = createWhipControls(t.publisher, {
  onChoice: () => void (captured && recapture()),
  onBitrate: () => session?.limitBitrate(controls.kbps()),
});
const muteBar = createMuteBar(t, () => showSentence());
const sentence = element('output', 'guest-now', t.now.checking);

followColorScheme();
document.documentElement.lang = locale === 'zh' ? 'zh-CN' : locale;
document.title = t.titleless;
document.body.classList.add('publisher', 'guest');
document.body.append(view.root);
const lead = element('div', 'guest-lead');
lead.append(element('p', '', t.lead), sentence);
view.root.querySelector('.publisher-head')?.after(lead);
view.root.querySelector('.preview')?.after(muteBar.root);
view.panel.append(controls.root);
view.setBusy(true);
muteBar.follow(undefined);
// Handles another invitation link pasted into this tab.
window.addEventListener('hashchange', () => location.reload());
navigator.mediaDevices?.addEventListener('devicechange', () => void showDevices());
void showDevices();
if (invitation === undefined) stay(...t.state.incomplete);
else if (!window.isSecureContext) stay(...t.publisher.capture.insecure, secureLink());
else void look(invitation);

/** Polls the room of the invitation until the room opens or the invitation is invalid. */
async function look(value: string): Promise<void> {
  clearTimeout(retryTimer);
  const response = await requestInvitation(value);
  facts = response ?? facts;
  if (response) showRoom(response);
  const state = response?.state ?? 'away';
  if (state === 'expired' || state === 'closed') {
    session?.stop();
    stay(...t.state[state]);
    return;
  }
  if (state === 'open') {
    if (isStaying()) view.showMessage('', '');
    delete view.root.dataset.stays;
    view.setBusy(false);
    view.showPublish(shown);
  } else {
    const [title, advice] = t.state[state];
    stay(title, t.begins(advice, timeOf(response?.startsAt ?? null)));
    view.setBusy(true, true);
    retryTimer = setTimeout(() => void look(value), retryMs);
  }
  showSentence();
}

function showRoom({ title }: InvitationFacts): void {
  if (title === '') return;
  document.title = title;
  const heading = view.root.querySelector('h1');
  if (heading) heading.textContent = title;
}

function stay(title: string, advice: string, link?: { href: string; text: string }): void {
  view.root.dataset.stays = 'true';
  view.showMessage(title, advice, link);
  view.setBusy(true);
  showSentence();
}

function isStaying(): boolean {
  return view.root.dataset.stays === 'true';
}

async function goLive(): Promise<void> {
  if (facts === undefined || invitation === undefined) return;
  if (captured === undefined && !(await recapture())) return;
  session ??= createPublishSession(publishAddress(facts, invitation), onPublishView);
  session.limitBitrate(controls.kbps());
  if (captured) session.start(captured.stream);
}

function onPublishView(next: PublishView): void {
  const hasFailed = next.state.name === 'failed' && shown.state.name !== 'failed';
  shown = next;
  view.showPublish(next);
  showSentence();
  // Only the server knows whether an invalid invitation caused the failure.
  if (hasFailed && invitation !== undefined) void look(invitation);
}

function showSentence(): void {
  const text = t.now[isStaying() ? 'failed' : guestSentence(shown.state.name, muteBar.sent())];
  if (sentence.textContent !== text) sentence.textContent = text;
}

/** Captures the selected devices and replaces the published tracks. Returns false on failure. */
async function recapture(): Promise<boolean> {
  const mine = ++attempt;
  const choice = controls.choice();
  if (!isStaying()) view.showMessage('', '');
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
    muteBar.follow(next.stream);
    view.showStream(next.stream, choice.picture === 'camera');
    if (['connecting', 'live', 'waiting'].includes(shown.state.name)) session?.replace(next.stream);
    void showDevices();
    return true;
  } catch (error) {
    if (mine === attempt) onCaptureFailed(error);
    return false;
  }
}

function release(): void {
  captured?.stop();
  captured = undefined;
}

function onCaptureFailed(error: unknown): void {
  const kind = error instanceof CaptureFailed ? error.kind : 'other';
  if (kind !== 'cancelled' || captured === undefined) endCapture();
  view.showMessage(...t.publisher.capture[kind]);
}

function onDeviceGone(): void {
  release();
  endCapture();
  view.showMessage(...t.publisher.ended);
}

function endCapture(): void {
  session?.stop();
  view.showStream(undefined, false);
  muteBar.follow(undefined);
}

async function showDevices(): Promise<void> {
  const { cameras, microphones } = await listDevices();
  controls.showDevices(cameras, microphones);
}

function timeOf(startsAt: string | null): string {
  if (startsAt === null) return '';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(startsAt));
}

/** The page cannot know the server's HTTPS port. For the default HTTP port, the link has the default HTTPS port. */
function secureLink(): { href: string; text: string } {
  const secure = new URL(location.href);
  secure.protocol = 'https:';
  if (secure.port === '2022') secure.port = '2443';
  return { href: secure.href, text: t.publisher.openSecure };
}
