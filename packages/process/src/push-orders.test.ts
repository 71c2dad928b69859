import { describe, expect, it } from 'vitest';
import { parsePushOrders, writePushOrders } from './push-orders.ts';

const order = {
  id: 'forward:wx',
  vhost: 'v',
  app: 'live',
  stream: 's',
  server: 'rtmp://host/a',
  key: 'k?a="b"\u2028直播',
};

it('reads what was written', () => {
  expect(parsePushOrders(writePushOrders([order]))).toEqual([order]);
});

it.each(['', '{}', '{"pushes":{}}', '{"pushes":[null]}', '{"pushes":[{"id":1}]}'])('throws for %s', (text) => {
  expect(() => parsePushOrders(text)).toThrow();
});

describe('the delay of a push order', () => {
  it.each([0, 20])('of %d s is read as it was written, so that a restart finds the same order', (delaySeconds) => {
    const order = { id: 'a#1', vhost: 'v', app: 'live', stream: 's', server: 'rtmp://h/live', key: 'k', delaySeconds };
    expect(parsePushOrders(writePushOrders([order]))).toEqual([order]);
  });
});
