import { describe, expect, it } from 'vitest';
import { GuessLine } from './guess-line.ts';
import { maxWaitingGuesses } from './watch-limits.ts';

/** A queue in which the test decides when a guess is checked. */
function openLine() {
  const line = new GuessLine();
  const judged: string[] = [];
  const refused: string[] = [];
  let finish = (): void => undefined;
  const guess = (group: string, suspicion = 0): Promise<void> =>
    line
      .inTurn({ group, suspicion }, () => {
        judged.push(group);
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      })
      .catch((error: Error) => void refused.push(`${group}: ${error.message}`));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const judgeAll = async () => {
    while (!line.isIdle) {
      finish();
      await settle();
    }
  };
  return { line, judged, refused, guess, settle, judgeAll };
}

describe('a queue of guesses', () => {
  it('checks one at a time, first attempts before those with failures, and equal ones in order', async () => {
    const { judged, refused, guess, judgeAll } = openLine();
    const all = [guess('now'), guess('hundredth', 100), guess('third', 3), guess('first'), guess('second first')];
    expect(judged).toEqual(['now']);
    await judgeAll();
    await Promise.all(all);
    expect(judged).toEqual(['now', 'first', 'second first', 'third', 'hundredth']);
    expect(refused).toEqual([]);
  });

  it('that is filled by one address gives its last place to another address', async () => {
    const { judged, refused, guess, settle, judgeAll } = openLine();
    const all = Array.from({ length: maxWaitingGuesses + 1 }, () => guess('crowd'));
    all.push(guess('viewer'));
    await settle();
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(/^crowd: /);
    await judgeAll();
    await Promise.all(all);
    expect(judged.slice(0, 3)).toEqual(['crowd', 'crowd', 'viewer']);
  });

  it('that is filled with first attempts refuses addresses with failures', async () => {
    const { refused, guess, settle, judgeAll } = openLine();
    const all = Array.from({ length: maxWaitingGuesses + 1 }, (_, index) => guess(`viewer ${index}`));
    all.push(guess('guesser', 5));
    await settle();
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(/^guesser: /);
    await judgeAll();
    await Promise.all(all);
  });

  it('continues after a check that threw', async () => {
    const { line, judged, guess, judgeAll } = openLine();
    const failing = line.inTurn({ group: 'a', suspicion: 0 }, async () => {
      throw new Error('no memory');
    });
    const next = guess('b');
    await expect(failing).rejects.toThrow('no memory');
    await judgeAll();
    await next;
    expect([judged, line.isIdle]).toEqual([['b'], true]);
  });
});
