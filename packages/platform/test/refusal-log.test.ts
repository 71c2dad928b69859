// Any client can cause refusals without limit, so only some refusals are logged.
import { AppError } from '@srs-stack/contract';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { installErrorMapping } from '../src/http/wire/error-mapping.ts';

it('a flood of refusals is logged in part, with the number of suppressed ones', async () => {
  const logged: object[] = [];
  const ignore = () => {};
  let nowMs = 0;
  const app = fastify();
  installErrorMapping(
    app,
    { debug: ignore, info: (fields) => logged.push(fields), warn: ignore, error: ignore },
    () => nowMs,
  );
  app.get('/', async () => {
    throw new AppError('tokenInvalid');
  });
  for (let i = 0; i < 250; i++) expect((await app.inject('/')).statusCode).toBe(401);
  expect(logged).toHaveLength(200);
  nowMs += 100;
  await app.inject('/');
  expect(logged.at(-1)).toMatchObject({ omitted: 50, name: 'tokenInvalid' });
  await app.close();
});
