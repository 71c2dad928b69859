// Short messages that disappear by themselves. The toast library loads with the first message, not with the page; if it
// fails to load (the server was upgraded meanwhile), the message is shown without it.
import { toastMs } from '@srs-stack/contract/constants.ts';
import type { ComponentType } from 'react';

export interface Toast {
  message: string;
  title?: string;
  tone?: 'good' | 'bad' | 'plain';
  /** Time until it disappears, milliseconds; false: it stays until dismissed. */
  lastsMs?: number | false;
}

type ToastLibrary = typeof import('@mantine/notifications');

/** Contents of the host: the library's own list once it is loaded, and messages that were shown without it. */
export interface ToastHostState {
  Notifications: ComponentType<import('@mantine/notifications').NotificationsProps> | undefined;
  plain: readonly (Toast & { id: number })[];
}

const colorOfTone = { good: 'signal', bad: 'broken', plain: 'gray' } as const;
/** The library's maximum of simultaneous messages. */
export const maxToasts = 3;

let state: ToastHostState = { Notifications: undefined, plain: [] };
let nextId = 1;
const listeners = new Set<() => void>();

export const toastHost = {
  state: (): ToastHostState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  dismiss(id: number): void {
    setState({ plain: state.plain.filter((toast) => toast.id !== id) });
  },
};

/** Never rejects: if the library fails to load, the message is shown without it. `load` imports the library. */
export async function showToast(toast: Toast, load: () => Promise<ToastLibrary> = fetchLibrary): Promise<void> {
  try {
    const library = await load();
    if (state.Notifications === undefined) setState({ Notifications: library.Notifications });
    showWith(library, toast);
  } catch {
    showPlainly(toast);
  }
}

const fetchLibrary = () => import('@mantine/notifications');

function showWith({ notifications }: ToastLibrary, { message, title, tone = 'good', lastsMs = toastMs }: Toast): void {
  notifications.show({
    message,
    title: title ?? null,
    color: colorOfTone[tone],
    autoClose: lastsMs,
    role: tone === 'bad' ? 'alert' : 'status',
  });
}

function showPlainly(toast: Toast): void {
  const id = nextId++;
  const { lastsMs = toastMs } = toast;
  setState({ plain: [...state.plain, { ...toast, id }].slice(-maxToasts) });
  if (lastsMs !== false) setTimeout(() => toastHost.dismiss(id), lastsMs);
}

function setState(change: Partial<ToastHostState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}
