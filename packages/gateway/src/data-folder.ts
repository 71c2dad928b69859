// The folders to which the gateway writes, the ports file, and the file with the id of the media server.

import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { portsFileName } from '@srs-stack/process/data-folder.ts';
import { folderRefusal } from '@srs-stack/process/start-refusal.ts';
import type { GatewayEnv } from './env.ts';

/** File mode of the ports file and the id file, which contain no secrets: readable by all. */
const readableByAll = 0o644;

/** @throws StartRefusal with the variable's name when a folder cannot be created or written. */
export async function prepareFolders(dataDir: string, hlsPath: string): Promise<void> {
  for (const name of ['', 'config', 'run']) await ensureWritable('DATA_DIR', join(dataDir, name));
  await ensureWritable('HLS_PATH', hlsPath);
}

async function ensureWritable(variable: string, folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw folderRefusal(variable, folder, error);
  }
}

type Own = Pick<GatewayEnv, 'dataDir' | 'gateways'>;

const portsFile = ({ dataDir, gateways }: Own): string => join(dataDir, 'run', portsFileName(gateways.index));

export async function writePorts(own: Own, ports: BoundPorts): Promise<void> {
  await writeFileAtomically(portsFile(own), `${JSON.stringify(ports)}\n`, readableByAll);
}

/** Removes the ports file unless another process has replaced it. */
export async function removePorts(own: Own): Promise<void> {
  const text = await readFile(portsFile(own), 'utf8').catch(() => '');
  if (text.startsWith(`{"pid":${process.pid},`)) await rm(portsFile(own), { force: true });
}

/** The id of the media server: `vid-` and 7 characters. A file keeps the id across restarts. */
export async function loadServerId(dataDir: string): Promise<string> {
  const path = join(dataDir, 'config', 'media-server.id');
  const stored = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (/^vid-[a-z0-9]{7}$/.test(stored)) return stored;
  const id = `vid-${randomName(7)}`;
  await writeFileAtomically(path, `${id}\n`, readableByAll);
  return id;
}

/** Returns `length` random lower-case letters and digits. `length` is at most 16. */
export function randomName(length: number): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(36)
    .padStart(24, '0')
    .slice(-length);
}
