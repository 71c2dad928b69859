// Finds and replaces the publish secret in the address of a target. Pure.
import type { PushTarget } from '@srs-stack/contract';

/** Address of a push target: server and key. */
export type PushAddress = Pick<PushTarget, 'server' | 'secret'>;

interface Spelling {
  /** Groups: 1 is the parameter name with `=` or `%3d`, 2 the value. */
  readonly parameter: RegExp;
  readonly write: (secret: string) => string;
}

/** The parameter `secret` of a query (`?secret=`) or an SRT stream id (`,secret=`). A stream id may be percent-encoded. */
const spellings: readonly Spelling[] = [
  { parameter: /(?<=^|[?&,])(secret=)([^&,#]*)/g, write: encodeURIComponent },
  {
    parameter: /(?<=%3f|%26|%2c)(secret%3d)((?:(?!%26|%2c)[^&,#])*)/gi,
    write: (secret) => encodeURIComponent(encodeURIComponent(secret)),
  },
];

/** Where the address contains the secret: as the whole value of a parameter, inside the stream name, or nowhere. */
export function secretPlace(
  { server, secret: key }: PushAddress,
  publishSecret: string,
): 'parameter' | 'name' | undefined {
  if (publishSecret === '') return undefined;
  if (isInParameter(server, publishSecret) || isInParameter(key, publishSecret)) return 'parameter';
  return key.split('?', 1)[0]?.includes(publishSecret) ? 'name' : undefined;
}

/** Replaces the old secret in every parameter, and changes nothing else. */
export function withPublishSecret({ server, secret: key }: PushAddress, old: string, next: string): PushAddress {
  const replaced = (text: string) =>
    spellings.reduce(
      (left, { parameter, write }) =>
        left.replace(parameter, (whole, name: string, value: string) =>
          isSame(value, old) ? `${name}${write(next)}` : whole,
        ),
      text,
    );
  return { server: replaced(server), secret: replaced(key) };
}

function isInParameter(text: string, publishSecret: string): boolean {
  return spellings.some(({ parameter }) =>
    [...text.matchAll(parameter)].some(([, , value = '']) => isSame(value, publishSecret)),
  );
}

/** Whether a value is the secret: raw, or percent-encoded once or twice. */
function isSame(value: string, secret: string): boolean {
  const once = decoded(value);
  return [value, once, decoded(once)].includes(secret);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
