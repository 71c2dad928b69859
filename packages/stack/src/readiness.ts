// Tells when the product answers: the gateway has written its bound ports and a call through it reaches the platform.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { Environment } from './environment.ts';

/** Pause between two looks, milliseconds: start-up takes a few hundred. */
const lookEveryMs = 40;
/** One probe may take this long before the next, milliseconds. */
const probeTimeoutMs = 2_000;

export function portsFilePath(dataDir: string): string {
  return join(dataDir, 'run', 'ports.json');
}

/** Reads the ports file; undefined while it is not there. */
async function readBoundPorts(dataDir: string): Promise<BoundPorts | undefined> {
  try {
    return JSON.parse(await readFile(portsFilePath(dataDir), 'utf8')) as BoundPorts;
  } catch {
    return undefined;
  }
}

/** Resolves with the ports once the first call is answered; rejects when `signal` aborts. */
export async function waitUntilReady(
  { DATA_DIR: dataDir = '', PLATFORM_LISTEN: platformListen = '' }: Environment,
  signal: AbortSignal,
): Promise<BoundPorts> {
  for (;;) {
    const ports = await readBoundPorts(dataDir);
    // While its socket is not there the platform cannot answer, and the gateway would log every attempt.
    const mayAnswer = !platformListen.includes('/') || existsSync(platformListen);
    if (ports && mayAnswer && (await answers(ports, signal))) return ports;
    await delay(lookEveryMs, undefined, { signal });
  }
}

async function answers(ports: BoundPorts, signal: AbortSignal): Promise<boolean> {
  try {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
    const response = await fetch(`http://127.0.0.1:${ports.http}/terraform/v1/host/versions`, { signal: timeout });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
