// Waits until a draining server has no connected clients, or a timeout has passed, and reports progress. The server call, clock and pauses
// are parameters.
import type { DrainState } from '@srs-stack/contract';

/** Default of `--wait`, seconds. Most viewers of a short clip have left by then. */
export const defaultWaitSeconds = 300;
/** Maximum of `--wait`, seconds: a day. For a longer wait, run the command again; the server keeps draining. */
export const maxWaitSeconds = 86_400;
/** Polling interval, milliseconds. Each poll queries the media servers for their streams. */
const lookEveryMs = 1_000;

export interface DrainOptions {
  readonly undo: boolean;
  readonly waitSeconds: number;
}

/** Parses `--undo`, or `--wait <seconds>`; 0 does not wait. @throws Error with a message for any other argument. */
export function readDrainOptions(args: readonly string[]): DrainOptions {
  let options: DrainOptions = { undo: false, waitSeconds: defaultWaitSeconds };
  for (let at = 0; at < args.length; at++) {
    const [name, value = args[at + 1]] = (args[at] ?? '').split('=', 2);
    if (name === '--undo') options = { ...options, undo: true };
    else if (name === '--wait') {
      const waitSeconds = Number(value);
      if (!/^\d+$/.test(value ?? '') || waitSeconds > maxWaitSeconds)
        throw new Error(`--wait requires a whole number of seconds, at most ${maxWaitSeconds}`);
      options = { ...options, waitSeconds };
      if (!args[at]?.includes('=')) at += 1;
    } else throw new Error(`unknown option "${args[at]}": use --wait <seconds> or --undo`);
  }
  return options;
}

export interface DrainWatch {
  readonly look: () => Promise<DrainState>;
  readonly say: (line: string) => void;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** Resolves with true if all clients have disconnected. @param first response of the server when draining started. */
export async function waitUntilDrained(first: DrainState, waitSeconds: number, watch: DrainWatch): Promise<boolean> {
  const { look, say, nowMs, pause } = watch;
  const untilMs = nowMs() + waitSeconds * 1_000;
  let state = first;
  let lastLine = '';
  for (;;) {
    if (state.connected && state.connected.publishers + state.connected.viewers === 0) {
      say('No clients are connected: the server can be stopped.');
      return true;
    }
    const leftMs = untilMs - nowMs();
    if (leftMs <= 0) {
      say(`${connectedText(state)} after ${waitSeconds} s: stopping the server disconnects them.`);
      return false;
    }
    const line = connectedText(state);
    if (line !== lastLine) say(`${line}, ${Math.ceil(leftMs / 1_000)} s left.`);
    lastLine = line;
    await pause(Math.min(lookEveryMs, leftMs));
    state = await look();
  }
}

/** Message about the tasks that end with the server. */
export function tasksText({ tasksRunning }: DrainState): string {
  return tasksRunning === 0
    ? 'No task runs on this server.'
    : `${amount(tasksRunning, 'task')} of this server ${tasksRunning === 1 ? 'runs' : 'run'} until it is stopped.`;
}

function connectedText({ connected }: DrainState): string {
  if (!connected) return 'The media server does not respond';
  const { publishers, viewers } = connected;
  return `${amount(publishers, 'publisher')} and ${amount(viewers, 'viewer')} connected`;
}

function amount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
