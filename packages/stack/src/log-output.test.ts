import { expect, it } from 'vitest';
import { createLog } from './log-output.ts';

it('names process and time as both servers do', async () => {
  const lines: string[] = [];
  const log = await createLog('json', 'info', { write: (line) => lines.push(line) });
  log.warn({ program: 'gateway' }, 'server ended');
  const { time, ...rest } = JSON.parse(lines.join(''));
  expect(rest).toEqual({ level: 40, process: 'stack', program: 'gateway', msg: 'server ended' });
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

it('refuses a level that does not exist', async () => {
  await expect(createLog('json', 'loud')).rejects.toThrow('LOG_LEVEL is "loud"');
});
