// Generates values for a schema of the contract: valid values, and values with few errors, which pass most of the validation.
import type { Endpoint } from '../packages/contract/src/endpoint.ts';
import type { Random } from './random.ts';

/** Addresses here are loopback, except the link-local address of a cloud metadata service. */
const texts = [
  ...[
    '',
    'live',
    'livestream',
    '__proto__',
    'constructor',
    '流'.repeat(80),
    'a'.repeat(129),
    '../../etc/passwd',
    '%00',
  ],
  ...[
    'live/conf.m3u8',
    '\u0000',
    '\ud800',
    'on',
    '0',
    '-1',
    '1e300',
    '2030-01-31T20:00:00+08:00',
    '127.0.0.1',
    '[::1]',
  ],
  ...[
    'rtmp://127.0.0.1:1/live/x',
    'http://127.0.0.1:1/x.flv',
    'srt://127.0.0.1:1?streamid=x',
    'http://169.254.169.254/',
  ],
  ...['upload/a.mp4', '/data/upload', 'update', 'wx', 'forward-1', 'custom-a', 'hls', 'record', 'forward', 'transcode'],
];
const numbers = [0, 1, -1, 2, 60, 0.5, 1e300, -0, 2 ** 31, 2 ** 53, 1_000, 65_535];
const anything: readonly unknown[] = [null, true, [], {}, [[]], { __proto__: null, a: 1 }, 7, 'x', [null], -1e9];

type Schema = Endpoint['request'];

/** Percentage of values that have another type than the schema. */
const wrongPercent = 4;

export function valueFor(schema: Schema, random: Random): unknown {
  if (random.below(100) < wrongPercent) return random.pick(anything);
  const { def } = schema._zod as unknown as { def: Definition };
  return (byType[def.type] ?? anyValue)(def, random);
}

interface Definition {
  readonly type: string;
  readonly shape: Record<string, Schema>;
  readonly element: Schema;
  readonly innerType: Schema;
  readonly valueType: Schema;
  readonly in: Schema;
  readonly options: readonly Schema[];
  readonly items: readonly Schema[];
  readonly values: readonly unknown[];
  readonly entries: Record<string, unknown>;
}

type Make = (def: Definition, random: Random) => unknown;

const inner: Make = ({ innerType }, random) => valueFor(innerType, random);
const maybe: Make = (def, random) => (random.once(4) ? undefined : inner(def, random));
const anyValue: Make = (_def, random) => random.pick([...anything, ...texts]);

const byType: Readonly<Record<string, Make>> = {
  string: (_def, random) => (random.once(40) ? 'x'.repeat(random.below(5_000)) : random.pick(texts)),
  number: (_def, random) => random.pick(numbers),
  boolean: (_def, random) => random.once(2),
  null: () => null,
  literal: ({ values }, random) => random.pick(values),
  enum: ({ entries }, random) => random.pick(Object.values(entries)),
  object: ({ shape }, random) =>
    Object.fromEntries(
      Object.entries(shape)
        .filter(() => !random.once(12))
        .map(([name, each]) => [name, valueFor(each, random)]),
    ),
  record: ({ valueType }, random) => ({ [random.pick(texts)]: valueFor(valueType, random) }),
  array: ({ element }, random) => Array.from({ length: random.below(4) }, () => valueFor(element, random)),
  tuple: ({ items }, random) => items.map((each) => valueFor(each, random)),
  union: ({ options }, random) => valueFor(random.pick(options), random),
  pipe: (def, random) => valueFor(def.in, random),
  ...{ optional: maybe, default: maybe, prefault: maybe, nullable: maybe, catch: inner, nonoptional: inner },
  readonly: inner,
};
