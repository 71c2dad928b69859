import { describe, expect, it } from 'vitest';
import { parsePrometheusText } from '../testing/prometheus-parser.ts';
import { toPrometheusText } from './prometheus-text.ts';

const definition = { name: 'srs_stack_x', type: 'gauge', help: 'What it is.' } as const;

describe('text for Prometheus', () => {
  it('has help, type and one line per point', () => {
    const points = [{ value: 1 }, { value: 2.5, labels: { a: 'b', c: 'd' } }];
    expect(toPrometheusText([{ definition, points }])).toBe(
      '# HELP srs_stack_x What it is.\n# TYPE srs_stack_x gauge\nsrs_stack_x 1\nsrs_stack_x{a="b",c="d"} 2.5\n',
    );
  });

  it('omits families without points', () => expect(toPrometheusText([{ definition, points: [] }])).toBe(''));

  it('escapes names chosen by a publisher, and writes every number as Prometheus does', () => {
    const hostile = ['a"b', 'back\\slash', 'line\nbreak', '{}', '直播', '\\n'];
    const points = [
      ...hostile.map((stream, index) => ({ value: index, labels: { stream } })),
      { value: Number.NaN, labels: { stream: 'nan' } },
      { value: Number.POSITIVE_INFINITY, labels: { stream: 'inf' } },
      { value: 1e21, labels: { stream: 'big' } },
    ];
    const help = 'A \\ and a\nbreak.';
    const parsed = parsePrometheusText(toPrometheusText([{ definition: { ...definition, help }, points }]));
    const samples = parsed.get('srs_stack_x')?.samples ?? [];
    expect(samples.map(({ labels }) => labels.stream)).toEqual([...hostile, 'nan', 'inf', 'big']);
    expect(samples.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, Number.NaN, Number.POSITIVE_INFINITY, 1e21]);
  });

  it.each([
    ['a 1', 'the last line does not end with a newline'],
    ['a 1\n', 'sample without a preceding TYPE'],
    ['# TYPE a gauge\na x\n', 'not a number'],
    ['# TYPE a gauge\na{b="c} 1\n', 'label not readable'],
    ['# TYPE a gauge\na{b="c",b="d"} 1\n', 'a label occurs twice'],
    ['# TYPE a gauge\na 1\na 2\n', 'a series occurs twice'],
    ['# TYPE a gauge\na 1\n# TYPE b gauge\na{c="d"} 1\n', 'samples of its family'],
  ])('the parser of the tests refuses %j', (text, reason) => expect(() => parsePrometheusText(text)).toThrow(reason));
});
