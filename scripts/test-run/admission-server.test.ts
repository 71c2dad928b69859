import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type AdmissionServer, openAdmission } from './admission-server.ts';

let server: AdmissionServer | undefined;
afterEach(() => server?.close());

it('admits files without a known duration immediately, the others by the queue', async () => {
  const admitted: string[] = [];
  server = await openAdmission((path) => {
    admitted.push(path);
    return !path.includes('long');
  });
  expect(await ask(server, 'alone /a checkout/e2e/long.test.ts')).toBe('no time');
  expect(await ask(server, 'alone /a checkout/e2e/short.test.ts')).toBe('begin');
  expect(admitted).toEqual(['/a checkout/e2e/long.test.ts', '/a checkout/e2e/short.test.ts']);
});

async function ask({ path }: AdmissionServer, line: string): Promise<string> {
  const socket = connect(path);
  socket.write(line);
  const [response] = await once(socket, 'data');
  socket.destroy();
  return String(response);
}
