// Converts the H.264 or H.265 video of a publisher to the hub's format: NAL units with 4-byte lengths, and a configuration record. Without
// a sequence header, the parameter sets in the frames provide the record.
import { joinLengthPrefixed, splitAnnexB, splitLengthPrefixed } from '../../codecs/nal-units.ts';
import { type NalCodec, ParameterSets, parameterSetsOf } from '../../codecs/parameter-sets.ts';
import { ProtocolError } from '../../protocol-error.ts';
import { NalFraming, startCodeSize } from './nal-framing.ts';
import { lengthSizeOf, withFourByteLengthSize } from './nal-length.ts';

export class NalVideo {
  readonly #codec: NalCodec;
  readonly #framing = new NalFraming();
  readonly #sets: ParameterSets;
  /** Whether a sequence header has provided parameter sets. Frames with length prefixes are then not searched for parameter sets. */
  #hasRecord = false;

  constructor(codec: NalCodec) {
    this.#codec = codec;
    this.#sets = new ParameterSets(codec);
  }

  /**
   * Returns the configuration record; undefined until parameter sets arrive. Returns an invalid first record unchecked. Throws
   * `ProtocolError` for an invalid record after a valid one.
   */
  readConfig(data: Buffer): Buffer | undefined {
    const units = parameterSetsOf(this.#codec, data);
    if (units === undefined && startCodeSize(data) > 0) {
      for (const unit of splitAnnexB(data)) this.#sets.take(unit);
      return this.#sets.config;
    }
    if (units === undefined && this.#hasRecord) throw new ProtocolError('flv', 'unreadable video configuration');
    this.#framing.lengthSize = lengthSizeOf(this.#codec, data);
    if (units?.length === 0) return undefined;
    const record = withFourByteLengthSize(this.#codec, data);
    this.#hasRecord = units !== undefined;
    this.#sets.setRecord(record, units ?? []);
    return record;
  }

  /** Returns the frame with 4-byte lengths, and the configuration record if the frame may have changed the record. */
  readFrame(data: Buffer): { payload: Buffer; config: Buffer | undefined } {
    const { lengthSize } = this.#framing;
    const hasStartCodes = this.#framing.hasStartCodes(data);
    if (!hasStartCodes && this.#hasRecord && lengthSize === 4) return { payload: data, config: undefined };
    const units = hasStartCodes ? splitAnnexB(data) : splitLengthPrefixed(data, lengthSize);
    if (hasStartCodes || !this.#hasRecord) for (const unit of units) this.#sets.take(unit);
    const payload = hasStartCodes || lengthSize !== 4 ? joinLengthPrefixed(units) : data;
    return { payload, config: this.#sets.config };
  }
}
