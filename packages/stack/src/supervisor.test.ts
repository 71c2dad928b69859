import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { Environment } from './environment.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

const main = fileURLToPath(new URL('testing/fake-server.mjs', import.meta.url));
const superviseFakeServer = fileURLToPath(new URL('testing/supervise-fake-server.ts', import.meta.url));

interface Line {
  pid?: number;
  run?: string;
  stopped?: number;
}

let supervisor: Supervisor | undefined;
afterEach(() => supervisor?.stop('SIGKILL'));

/** Starts the supervisor of a fake server. `line()` resolves with the server's next line of output. */
function superviseFake(environment: (run: number) => Environment, clock = () => 0, niceness = 0) {
  const lines: Line[] = [];
  const waiting: ((line: Line) => void)[] = [];
  const refusals: number[] = [];
  const delays: number[] = [];
  const refused = Promise.withResolvers<number>();
  let run = 0;
  const take = (text: string) => {
    const line = JSON.parse(text) as Line;
    const waiter = waiting.shift();
    if (waiter) waiter(line);
    else lines.push(line);
  };
  supervisor = createSupervisor({
    programs: [{ name: 'fake', main, niceness }],
    environment: () => ({ RUN: String(run), ...environment(run++) }),
    consumeOutput: (output: Readable) => void createInterface(output).on('line', take),
    stopTimeoutMs: 500,
    clock,
    onRestart: (_program, _how, delayMs) => delays.push(delayMs),
    onRefused: (_program, code) => {
      refusals.push(code);
      refused.resolve(code);
    },
  });
  const line = () => {
    const ready = lines.shift();
    return ready ? Promise.resolve(ready) : new Promise<Line>((resolve) => waiting.push(resolve));
  };
  return { supervisor, line, delays, refusals, refused: refused.promise };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('restarts a killed server, with a freshly read environment', async () => {
  const { supervisor, line } = superviseFake(() => ({}));
  supervisor.start();
  const first = await line();
  process.kill(first.pid!, 'SIGKILL');
  const second = await line();
  expect(second.pid).not.toBe(first.pid);
  expect([first.run, second.run]).toEqual(['0', '1']);
});

test('a restarted program has its lower priority again', async () => {
  const { supervisor, line } = superviseFake(() => ({}), undefined, 3);
  supervisor.start();
  const first = await line();
  expect(getPriority(first.pid!)).toBe(3);
  process.kill(first.pid!, 'SIGKILL');
  const second = await line();
  expect(getPriority(second.pid!)).toBe(3);
});

test('a program gets a higher priority, if this user may set it, and starts in any case', async () => {
  // `nice` prints the nice value that it could set.
  const possible = Number(
    execFileSync('nice', ['-n', '-5', 'nice'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const { supervisor, line } = superviseFake(() => ({}), undefined, possible < getPriority() ? possible : -5);
  supervisor.start();
  const { pid } = await line();
  expect(getPriority(pid!)).toBe(possible);
});

test('a server that had been serving is restarted immediately; one that was not ready waits', async () => {
  let now = 0;
  const looked = Promise.withResolvers<void>();
  const { supervisor, line, delays } = superviseFake(
    (run) => (run === 1 ? { EXIT_CODE: '3' } : { READY: 'yes' }),
    () => {
      looked.resolve();
      return now;
    },
  );
  supervisor.start();
  supervisor.markReady();
  const { pid } = await line();
  await looked.promise; // the supervisor has received the readiness message
  now = 2_000;
  process.kill(pid!, 'SIGKILL');
  expect((await line()).run).toBe('1');
  expect((await line()).run).toBe('2');
  expect(delays).toEqual([0, expect.any(Number)]);
  expect(delays[1]).toBeGreaterThanOrEqual(80);
});

test('reports exit code 1 before readiness as a refusal and does not restart', async () => {
  const { supervisor, refused, refusals } = superviseFake(() => ({ EXIT_CODE: '1' }));
  supervisor.start();
  expect(await refused).toBe(1);
  await supervisor.stop();
  expect(refusals).toEqual([1]);
});

test('restarts a server that exits with the same code once the product was ready', async () => {
  const { supervisor, line, refusals } = superviseFake((run): Environment => (run === 1 ? { EXIT_CODE: '1' } : {}));
  supervisor.start();
  supervisor.markReady();
  process.kill((await line()).pid!, 'SIGKILL');
  await line();
  expect((await line()).run).toBe('2');
  expect(refusals).toEqual([]);
});

test('stops servers gracefully and only once', async () => {
  const { supervisor, line } = superviseFake(() => ({}));
  supervisor.start();
  const { pid } = await line();
  const goodbye = line();
  await Promise.all([supervisor.stop(), supervisor.stop()]);
  expect(await goodbye).toEqual({ stopped: pid });
  expect(isAlive(pid!)).toBe(false);
});

test('kills a server that ignores the request to stop', async () => {
  const { supervisor, line } = superviseFake(() => ({ IGNORE_SIGTERM: 'yes' }));
  supervisor.start();
  const { pid } = await line();
  await supervisor.stop();
  expect(isAlive(pid!)).toBe(false);
});

test('a server stops when its supervisor is killed', async () => {
  const parent = spawn(process.execPath, [superviseFakeServer], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = createInterface(parent.stdout);
  const [started] = await once(output, 'line');
  const { pid } = JSON.parse(started) as Line;
  parent.kill('SIGKILL');
  const [stopped] = await once(output, 'line');
  expect(JSON.parse(stopped)).toEqual({ stopped: pid });
  // The pipe closes only when the server has ended.
  await once(output, 'close');
});
