// Creates the decoder configuration record from parameter sets that an H.264 or H.265 stream contains.
import { BitReader } from './bit-reader.ts';
import { h264NalType, h264TypeOf } from './h264.ts';
import { parseH264Config, writeH264Config } from './h264-config.ts';
import { h265NalType, h265TypeOf } from './h265.ts';
import { parseH265Config, writeH265Config } from './h265-config.ts';
import { parseH265Sps } from './h265-sps.ts';
import { unescapeNalUnit } from './nal-units.ts';

export type NalCodec = 'h264' | 'h265';

/** Maximum number of stored parameter sets per kind. A malicious stream must not grow the configuration. */
const maxSetsOfKind = 16;
/** A parameter set contains its id within this number of bytes. */
const idBytes = 64;

interface ParameterSetSyntax {
  /** NAL unit types in the order of the record. */
  readonly types: readonly number[];
  readonly typeOf: (unit: Buffer) => number;
  idOf(type: number, unit: Buffer): number;
  write(sets: readonly (readonly Buffer[])[]): Buffer | undefined;
}

const syntaxes: Record<NalCodec, ParameterSetSyntax> = {
  h264: {
    types: [h264NalType.sps, h264NalType.pps],
    typeOf: h264TypeOf,
    idOf: (type, unit) => readUeAt(unit, type === h264NalType.sps ? 4 : 1),
    write: ([sps = [], pps = []]) => (sps[0] && sps[0].length >= 4 ? writeH264Config(sps, pps) : undefined),
  },
  h265: {
    types: [h265NalType.vps, h265NalType.sps, h265NalType.pps],
    typeOf: h265TypeOf,
    idOf: (type, unit) => {
      if (type === h265NalType.vps) return (unit[2] ?? 0) >> 4;
      return type === h265NalType.sps ? (parseH265Sps(unit)?.id ?? 0) : readUeAt(unit, 2);
    },
    write: (sets) => writeH265Config(sets.flat()),
  },
};

export class ParameterSets {
  readonly #syntax: ParameterSetSyntax;
  readonly #sets: readonly Map<number, Buffer>[];
  #config: Buffer | undefined;
  #isStale = false;

  constructor(codec: NalCodec) {
    this.#syntax = syntaxes[codec];
    this.#sets = this.#syntax.types.map(() => new Map());
  }

  /** Replaces the stored sets by the parameter sets of a record. */
  setRecord(record: Buffer, units: readonly Buffer[]): void {
    for (const sets of this.#sets) sets.clear();
    for (const unit of units) this.take(unit);
    this.#config = record;
    this.#isStale = false;
  }

  /** Stores a copy of a parameter set, and returns false for any other unit. Replaces an earlier set with an equal id. */
  take(unit: Buffer): boolean {
    const type = this.#syntax.typeOf(unit);
    const sets = this.#sets[this.#syntax.types.indexOf(type)];
    if (sets === undefined) return false;
    const id = this.#syntax.idOf(type, unit);
    if (sets.get(id)?.equals(unit) === true) return true;
    if (!sets.has(id) && sets.size >= maxSetsOfKind) sets.delete(sets.keys().next().value!);
    sets.set(id, Buffer.from(unit));
    this.#isStale = true;
    return true;
  }

  /**
   * The configuration record with the stored sets; a new object only when a set has changed. Undefined until a record is set, or a valid
   * set of each kind is stored.
   */
  get config(): Buffer | undefined {
    if (!this.#isStale) return this.#config;
    this.#isStale = false;
    if (this.#sets.every((sets) => sets.size > 0)) {
      this.#config = this.#syntax.write(this.#sets.map((sets) => [...sets.values()])) ?? this.#config;
    }
    return this.#config;
  }
}

/** The parameter sets of a record, as views. Undefined for an invalid record. */
export function parameterSetsOf(codec: NalCodec, record: Buffer): readonly Buffer[] | undefined {
  if (codec === 'h265') return parseH265Config(record)?.parameterSets;
  const config = parseH264Config(record);
  return config && [...config.sps, ...config.pps];
}

function readUeAt(unit: Buffer, offset: number): number {
  return new BitReader(unescapeNalUnit(unit.subarray(offset, offset + idBytes))).readUe();
}
