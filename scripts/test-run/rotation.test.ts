import { expect, test } from 'vitest';
import { dealt, parts, placesOf, turnOf } from './rotation.ts';

const files = [90, 80, 70, 60, 50, 50, 40, 30, 20, 10].map((seconds, index) => ({
  path: `e2e/${'abcdefghij'[index]}.test.ts`,
  seconds,
}));
const none = new Set<string>();

test('distributes files over parts of equal duration', () => {
  const partOf = dealt(files);
  const loads = Array.from({ length: parts }, (_, part) =>
    files.reduce((sum, { path, seconds }) => sum + (partOf.get(path) === part ? seconds : 0), 0),
  );
  expect(loads).toEqual([100, 100, 100, 100, 100]);
});

test('a new file does not move longer ones to other parts', () => {
  const before = dealt(files);
  const after = dealt([...files, { path: 'e2e/new.test.ts', seconds: 45 }]);
  for (const { path } of files.filter(({ seconds }) => seconds > 45)) expect(after.get(path)).toBe(before.get(path));
});

test('each of five turns starts with another part and continues with the next; after five, each was first', () => {
  const partOf = dealt(files);
  const begun = new Set<string>();
  for (const turn of [7, 8, 9, 10, 11]) {
    const placeOf = placesOf(files, turn, none);
    const order = files.map(({ path }) => path).sort((a, b) => placeOf(a) - placeOf(b));
    const [first] = order;
    expect(partOf.get(first!)).toBe(turn % parts);
    for (const path of order) expect(placeOf(path)).toBe(1 + ((partOf.get(path)! - turn + 2 * parts + 5) % parts));
    for (const path of order.filter((path) => placeOf(path) === 1)) begun.add(path);
  }
  expect(begun.size).toBe(files.length);
});

test('recently changed tests come first, as long as most of the time remains for the turn', () => {
  const long = { path: 'e2e/long.test.ts', seconds: 600 };
  const placeOf = placesOf([...files, long], 1, new Set(['e2e/j.test.ts', 'e2e/i.test.ts', long.path, 'README.md']));
  const first = [...files, long].map(({ path }) => path).filter((path) => placeOf(path) === 0);
  expect(first).toEqual(['e2e/i.test.ts', 'e2e/j.test.ts']);
});

test('a file that fits only at the beginning of a run also starts in the previous turn', () => {
  const long = { path: 'e2e/long.test.ts', seconds: 600 };
  const all = [...files, long];
  const own = dealt(all).get(long.path)!;
  expect([own - 2, own - 1, own].map((turn) => placesOf(all, turn + parts, none)(long.path))).toEqual([3, 1, 1]);
});

test('the turn advances by hours with commits, however many commits', () => {
  const at = (time: string) => Date.parse(`2026-11-26T${time}Z`) / 1_000;
  const morning = [at('08:10:00'), at('08:10:00'), at('08:50:00'), at('09:05:00')];
  expect(turnOf(morning)).toBe(2);
  expect(turnOf([...morning, at('21:00:00'), at('21:00:01')])).toBe(3);
});
