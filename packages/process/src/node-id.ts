// The id of this node in a cluster. It is created once per data folder and survives restarts and upgrades. Gateways and control plane start
// simultaneously: the first process creates the id, and all others read it.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefusal, startRefusalOf } from './start-refusal.ts';

const idBytes = 8;
const form = /^[0-9a-f]{16}$/;

export const nodeIdFile = 'node.id';

/** Returns 16 lower-case hexadecimal digits. @throws StartRefusal when the file cannot be created, or contains no id. */
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

/** Maximum number of further attempts to read a file that another process is still writing. */
const rereadings = 20;
const rereadMs = 25;

async function readWritten(path: string, isMade: boolean): Promise<string> {
  for (let reading = 0; ; reading++) {
    const id = (await readFile(path, 'utf8')).trim();
    if (id !== '' || isMade || reading === rereadings) return id;
    await new Promise((resolve) => setTimeout(resolve, rereadMs));
  }
}
