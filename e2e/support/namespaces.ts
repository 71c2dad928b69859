// Network namespaces of the kernel, one per node, on a separate bridge. Each node then has its own network, like a separate machine.
// Needs root and `ip` (iproute2). Everything is removed after the test.
import { execFileSync, spawnSync } from 'node:child_process';

const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
const isFree = (name: string): boolean => spawnSync('ip', ['link', 'show', name]).status !== 0;

/** The reason why network namespaces cannot be created on this machine; undefined when they can. */
export function missingNamespaces(): string | undefined {
  if (process.getuid?.() !== 0) return 'not root';
  const probe = `srsprobe${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', probe]).status !== 0) return 'no network namespaces';
  ip('netns', 'del', probe);
  return undefined;
}

export interface Namespaces {
  /** Address of the test machine, as seen from the namespaces. */
  readonly host: string;
  addressOf(index: number): string;
  command(index: number, program: string, ...args: string[]): [string, ...string[]];
  /** Disconnects a namespace from the test machine and all other namespaces, or reconnects it. Neither end of a connection is notified. */
  setCut(index: number, isCut: boolean): void;
  remove(): void;
}

export function makeNamespaces(count: number): Namespaces {
  const number = Array.from({ length: 100 }, (_, index) => index + 100).find((each) => isFree(`srsbr${each}`));
  if (number === undefined) throw new Error('no free name for a bridge');
  const bridge = `srsbr${number}`;
  const nameOf = (index: number) => `srsns${number}n${index}`;
  const linkOf = (index: number) => `srs${number}v${index}`;
  const addressOf = (index: number) => `10.213.${number}.${index + 10}`;
  const host = `10.213.${number}.1`;
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('addr', 'add', `${host}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  for (let index = 0; index < count; index++) {
    const [name, link] = [nameOf(index), linkOf(index)];
    ip('netns', 'add', name);
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', link, 'master', bridge, 'up');
    ip('-n', name, 'addr', 'add', `${addressOf(index)}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }
  return {
    host,
    addressOf,
    command: (index, program, ...args) => ['ip', 'netns', 'exec', nameOf(index), program, ...args],
    setCut: (index, isCut) => ip('link', 'set', linkOf(index), isCut ? 'down' : 'up'),
    remove: () => {
      for (let index = 0; index < count; index++) spawnSync('ip', ['netns', 'del', nameOf(index)]);
      spawnSync('ip', ['link', 'del', bridge]);
    },
  };
}
