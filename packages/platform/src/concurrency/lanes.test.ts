import { expect, test } from 'vitest';
import { Lanes } from './lanes.ts';

test('steps with the same key run one after the other, those with different keys in parallel, and a failed step does not block others', async () => {
  const lanes = new Lanes();
  const ended: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lanes.run('a', async () => {
    await gate.promise;
    ended.push('a1');
    throw new Error('a1 failed');
  });
  const second = lanes.run('a', async () => void ended.push('a2'));
  await lanes.run('b', async () => void ended.push('b1'));
  const idle = lanes.idle().then(() => ended.push('idle'));
  expect(ended).toEqual(['b1']);
  gate.resolve();
  await expect(first).rejects.toThrow('a1 failed');
  await Promise.all([second, idle]);
  expect(ended).toEqual(['b1', 'a1', 'a2', 'idle']);
});
