// Mutates valid inputs: bits, lengths, truncation, repetition, parts of other inputs.
import type { Random } from './random.ts';

/** Largest input, bytes: long enough to reach every state of a parser, short enough for thousands per second. */
const maxInputBytes = 16 * 1024;
const lengths = [0, 1, 2, 3, 4, 7, 8, 15, 16, 127, 128, 187, 188, 189, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000];
const wide = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0xffffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
const texts = [
  '-1',
  '0',
  '1e309',
  'NaN',
  '99999999999999999999',
  '%00',
  '%',
  '%2e%2e/',
  '../',
  '\r\n',
  '\0',
  '[::1]',
  '💥',
  '流',
];

/** @param seeds valid inputs, of which parts are copied. */
export function mutate(input: Buffer, seeds: readonly Buffer[], random: Random): Buffer {
  let bytes: Buffer = Buffer.from(input);
  for (let rounds = 1 + random.below(random.once(4) ? 16 : 4); rounds > 0; rounds--)
    bytes = random.pick(operations)(bytes, random, seeds);
  return bytes.length > maxInputBytes ? bytes.subarray(0, maxInputBytes) : bytes;
}

type Operation = (bytes: Buffer, random: Random, seeds: readonly Buffer[]) => Buffer;

const at = (bytes: Buffer, random: Random) => random.below(bytes.length + 1);

function replace(bytes: Buffer, from: number, to: number, put: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(Math.max(from, to))]);
}

const operations: readonly Operation[] = [
  function flipBit(bytes, random) {
    const place = random.below(bytes.length);
    if (bytes.length > 0) bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8));
    return bytes;
  },
  function setByte(bytes, random) {
    if (bytes.length > 0) bytes[random.below(bytes.length)] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256)]);
    return bytes;
  },
  function setWide(bytes, random) {
    const size = random.pick([2, 3, 4]);
    if (bytes.length >= size)
      bytes.writeUIntBE(random.pick(wide) % 256 ** size, random.below(bytes.length - size + 1), size);
    return bytes;
  },
  function cut(bytes, random) {
    return Buffer.from(bytes.subarray(0, at(bytes, random)));
  },
  function remove(bytes, random) {
    const from = at(bytes, random);
    return replace(bytes, from, from + random.pick(lengths), Buffer.alloc(0));
  },
  function insert(bytes, random) {
    const from = at(bytes, random);
    return replace(bytes, from, from, random.bytes(random.below(16)));
  },
  function fill(bytes, random) {
    const from = at(bytes, random);
    const length = Math.min(random.pick(lengths), bytes.length - from);
    return replace(bytes, from, from + length, Buffer.alloc(length, random.pick([0, 0xff, 0x20])));
  },
  function repeat(bytes, random) {
    const from = at(bytes, random);
    const piece = bytes.subarray(from, from + random.pick(lengths));
    return replace(bytes, from, from, piece);
  },
  function splice(bytes, random, seeds) {
    const other = random.pick(seeds);
    const start = at(other, random);
    const from = at(bytes, random);
    const piece = other.subarray(start, start + random.pick(lengths));
    return replace(bytes, from, random.once(2) ? from + piece.length : from, piece);
  },
  function swap(bytes, random) {
    const middle = at(bytes, random);
    return Buffer.concat([bytes.subarray(middle), bytes.subarray(0, middle)]);
  },
  function insertText(bytes, random) {
    const from = at(bytes, random);
    return replace(bytes, from, from + random.below(4), Buffer.from(random.pick(texts)));
  },
];
