// Short messages that disappear automatically. The toast library is loaded for the first message. If loading fails, the message is shown
// without the library.
import { toastMs } from '@srs-stack/contract/constants.ts';
import type { ComponentType } from 'react';

export interface Toast {
  message: string;
  title?: string;
  tone?: 'good' | 'bad' | 'plain';
  /** Display time, milliseconds; false keeps the message until dismissed. */
  lastsMs?: number | false;
}

type ToastLibrary = typeof import('@mantine/notifications');

/** The library's list component once loaded, and messages shown without the library. */
export interface ToastHostState {
  Notifications: ComponentType<import('@mantine/notifications').NotificationsProps> | undefined;
  plain: readonly (Toast & { id: number })[];
}

const colorOfTone = { good: 'signal', bad: 'broken', plain: 'gray' } as const;
/** Maximum number of simultaneous messages. */
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

/** Shows a message. Never rejects. @param load imports the toast library. */
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
