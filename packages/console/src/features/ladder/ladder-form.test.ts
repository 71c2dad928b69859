import { ladderConfig } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { problemOf, toConfig, toFields } from './ladder-form.ts';

const config = ladderConfig.parse({ enabled: true, steps: [{ height: 540, fps: 30, kbps: 1_500 }] });

test('saved renditions are enabled beside the presets, and are saved unchanged', () => {
  const fields = toFields(config);
  expect(fields.steps.map(({ height, isOn }) => [height, isOn])).toEqual([
    [1_080, false],
    [720, false],
    [540, true],
    [480, false],
    [360, false],
  ]);
  expect(toConfig(fields)).toEqual(config);
});

test.each([
  [{ steps: [] }, 'nothing'],
  [{ steps: [{ height: 360, fps: 0, kbps: 5, isOn: true }] }, 'kbps'],
  [{ audioKbps: 500 }, 'audioKbps'],
  [{ idleSeconds: 1 }, 'idleSeconds'],
  [{ maxRunning: 0 }, 'maxRunning'],
  [{ streams: ['live'] }, 'streams'],
  [{ streams: ['live/*'] }, undefined],
])('%o violates the rule %s', (change, problem) => {
  expect(problemOf({ ...toFields(config), ...change })).toBe(problem);
});
