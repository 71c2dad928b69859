// Messages between an embedded player and its parent page (docs/how-to/use-the-watch-page.md). Messages contain no secrets, because any
// site can embed the page.
import type { LiveView } from '../live-session.ts';
import type { Way } from './watched-stream.ts';

const orders = ['play', 'pause', 'mute', 'unmute'] as const;
type Order = (typeof orders)[number];

function orderOf(data: unknown): Order | undefined {
  const requested = typeof data === 'object' && data !== null ? (data as { srsStack?: unknown }).srsStack : undefined;
  return orders.find((order) => order === requested);
}

/** Executes commands of the parent page. @param video returns the current video element, if any. */
export function followFrameCommands(video: () => HTMLVideoElement | null): void {
  window.addEventListener('message', ({ data, source }) => {
    const order = source === window.parent ? orderOf(data) : undefined;
    const element = video();
    if (!order || !element) return;
    if (order === 'play') element.play().catch(() => {});
    else if (order === 'pause') element.pause();
    else element.muted = order === 'mute';
  });
}

/** Notifies the parent page of a new state, output protocol or mute setting. */
export function createFrameNotifier(): (state: LiveView['state']['name'], way: Way, muted: boolean) => void {
  let sent = '';
  return (state, way, muted) => {
    if (window.parent === window) return;
    const message = { srsStack: 'state', state, way, muted };
    const text = JSON.stringify(message);
    if (text === sent) return;
    sent = text;
    window.parent.postMessage(message, '*');
  };
}
