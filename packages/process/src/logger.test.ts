import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { redactedPaths } from './logger.ts';

it('removes secrets from log lines, also inside objects', () => {
  let text = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const log = pino({ redact: { paths: redactedPaths, censor: '******' } }, sink);
  log.info(
    { token: 'hide-1', request: { password: 'hide-2', headers: { authorization: 'hide-3' } }, param: '?secret=hide-4' },
    'x',
  );
  expect(text).not.toContain('hide-');
  expect(text.match(/\*{6}/g)).toHaveLength(4);
});
