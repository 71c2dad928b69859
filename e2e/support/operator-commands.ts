// Runs `npm run drain` and `npm run health` as an operator does on the machine of the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export function runDrain(dataDir: string, ...args: string[]): Promise<Ended> {
  return runCommand('drain', dataDir, args);
}

export function runHealth(dataDir: string): Promise<Ended> {
  return runCommand('health', dataDir, []);
}

async function runCommand(name: string, dataDir: string, args: string[]): Promise<Ended> {
  const entry = fileURLToPath(new URL(`../../packages/stack/src/${name}.ts`, import.meta.url));
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const [code] = await once(child, 'close');
  return { code, output };
}
