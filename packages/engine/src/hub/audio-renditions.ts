// The audio of one stream in the codecs of its readers: the publisher's audio, and conversions. A conversion starts when a reader needs its
// codec and serves all readers of that codec. It ends some time after the last reader has left. Time is a parameter.

import type { AudioPacket } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { type AudioCodec, type AudioTrack, isSameTrack } from '@srs-stack/media/track.ts';
import type { AudioBridge, AudioConversion, ConversionState } from './audio-bridge.ts';
import type { StreamReader } from './stream-reader.ts';

/** A conversion continues for this time without readers, milliseconds, for viewers that reload the page. */
const idleStopMs = 5_000;

/** Every output except MP3 over HTTP accepts one of these codecs. */
const commonCodecs: readonly AudioCodec[] = ['aac', 'opus'];

export interface Rendition {
  readonly source: AudioTrack;
  readonly conversion: AudioConversion;
  /** Media time at the start of the conversion, milliseconds. */
  startedAtMs: number;
  hasOutput: boolean;
  isNeeded: boolean;
  /** Time since which the conversion is without readers, monotonic milliseconds. */
  idleSinceMs: number | undefined;
}

/** State of one conversion, for statistics. */
export interface RenditionSnapshot {
  readonly from: AudioCodec;
  readonly to: AudioCodec;
  readonly state: ConversionState;
}

type AudioChoice = Pick<StreamReader, 'acceptsAudio'>;

export class AudioRenditions {
  readonly #running = new Map<AudioCodec, Rendition>();
  #source: AudioTrack | undefined;
  readonly #key: StreamKey;
  readonly #bridge: AudioBridge;
  readonly #onPacket: (packet: AudioPacket) => void;

  constructor(key: StreamKey, bridge: AudioBridge, onPacket: (packet: AudioPacket) => void) {
    this.#key = key;
    this.#bridge = bridge;
    this.#onPacket = onPacket;
  }

  /** Codec of the audio for this reader; undefined if the reader gets no audio. */
  codecFor({ acceptsAudio }: AudioChoice): AudioCodec | undefined {
    const codec = this.#source?.codec;
    if (codec === undefined || !acceptsAudio || acceptsAudio.includes(codec)) return codec;
    return this.#bridge.targetOf(codec, acceptsAudio);
  }

  isConvertible(codec: AudioCodec): boolean {
    return this.#bridge.targetOf(codec, commonCodecs) !== undefined;
  }

  /** The conversion for this reader; undefined if the reader gets the publisher's audio or no audio. */
  renditionFor(reader: AudioChoice): Rendition | undefined {
    const codec = this.codecFor(reader);
    return codec === undefined ? undefined : this.#running.get(codec);
  }

  /** Sets the current audio track of the publisher. Another codec configuration ends the conversions; `serve` starts them again. */
  setSource(source: AudioTrack | undefined): void {
    this.#source = source;
    for (const [target, rendition] of this.#running) {
      if (!source || !isSameTrack(rendition.source, source)) this.#end(target, rendition);
    }
  }

  /** Call when the source changes, because the new media starts at time 0. */
  restartTime(): void {
    for (const rendition of this.#running.values()) rendition.startedAtMs = 0;
  }

  /** Starts the conversions that the readers need. Call after a change of the readers or of the publisher's audio. */
  serve(readers: readonly AudioChoice[], mediaMs: number): void {
    const needed = new Set(readers.map((reader) => this.codecFor(reader)));
    for (const [target, rendition] of this.#running) {
      rendition.isNeeded = needed.has(target);
      if (rendition.isNeeded) rendition.idleSinceMs = undefined;
    }
    for (const target of needed) {
      if (target !== undefined && target !== this.#source?.codec && !this.#running.has(target))
        this.#start(target, mediaMs);
    }
  }

  push(packet: AudioPacket): void {
    for (const { conversion } of this.#running.values()) conversion.push(packet);
  }

  tick(now: number): void {
    for (const [target, rendition] of this.#running) {
      if (rendition.isNeeded) continue;
      rendition.idleSinceMs ??= now;
      if (now - rendition.idleSinceMs >= idleStopMs) this.#end(target, rendition);
    }
  }

  snapshot(): RenditionSnapshot[] {
    return [...this.#running].map(([to, { source, conversion }]) => ({
      from: source.codec,
      to,
      state: conversion.state,
    }));
  }

  #start(target: AudioCodec, mediaMs: number): void {
    const source = this.#source!;
    const onPacket = (packet: AudioPacket): void => {
      rendition.hasOutput = true;
      this.#onPacket(packet);
    };
    const conversion = this.#bridge.convert({ stream: this.#key, source, target, onPacket });
    const rendition: Rendition = {
      source,
      conversion,
      startedAtMs: mediaMs,
      hasOutput: false,
      isNeeded: true,
      idleSinceMs: undefined,
    };
    this.#running.set(target, rendition);
  }

  #end(target: AudioCodec, { conversion }: Rendition): void {
    this.#running.delete(target);
    conversion.close();
  }
}
