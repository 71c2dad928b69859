// The cluster id of this data folder, created once and unchanged by restarts and upgrades. Gateways and control plane start simultaneously
// and need the same id, so the first one creates it and all read it.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefusal, startRefusalOf } from './start-refusal.ts';

const idBytes = 8;
const form = /^[0-9a-f]{16}$/;

/** Name of the file in `config/` of the data folder. */
export const nodeIdFile = 'node.id';

/** 16 lower-case hexadecimal digits. @throws StartRefusal when the file cannot be created, or contains no id. */
export async function loadNodeId(dataDir: string): Promise<string> {
  const path = join(dataDir, 'config', nodeIdFile);
  try {
    await mkdir(join(dataDir, 'config'), { recursive: true });
    const isMade = await writeFile(path, `${randomBytes(idBytes).toString('hex')}\n`, { mode: 0o644, flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    const id = await readWritten(path, isMade);
    if (form.test(id)) return id;
  } catch (error) {
    throw startRefusalOf(`Cannot start: ${path} cannot be read or written`, error);
  }
  throw new StartRefusal(`Cannot start: ${path} does not contain a node id. Remove it to create a new one.`);
}

/** Number of attempts to read a file that another process is writing, and the pause between them, milliseconds. */
const rereadings = 20;
const rereadMs = 25;

async function readWritten(path: string, isMade: boolean): Promise<string> {
  for (let reading = 0; ; reading++) {
    const id = (await readFile(path, 'utf8')).trim();
    if (id !== '' || isMade || reading === rereadings) return id;
    await new Promise((resolve) => setTimeout(resolve, rereadMs));
  }
}
