// Text of a failed test: name, error, place in the checkout, and the command that runs only this test.
import { fileURLToPath } from 'node:url';
import type { SerializedError } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';
import type { Tier } from './run-report.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** Maximum length of a message, characters. A longer text, such as an HTML page, is truncated. */
const maxMessageLength = 4_000;
const maxFrames = 5;

interface FailureError {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  readonly diff?: string;
}

export function describeFailure(tier: Tier, failed: TestCase | TestModule): string {
  const module = failed.type === 'test' ? failed.module : failed;
  const name = failed.type === 'test' ? ` > ${failed.fullName}` : '';
  const errors: readonly FailureError[] = failed.type === 'test' ? (failed.result().errors ?? []) : errorsOf(failed);
  return [
    `✗ ${module.relativeModuleId}${name}`,
    ...errors.map(describeError),
    `  again: ${commandFor(tier, module, failed.type === 'test' ? failed.fullName : undefined)}`,
  ].join('\n');
}

function errorsOf(module: TestModule): readonly SerializedError[] {
  return [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
}

/** The shell command that repeats a single test or file. */
export function commandFor(
  tier: Tier,
  { project, relativeModuleId }: { project: { name: string }; relativeModuleId: string },
  title?: string,
): string {
  const only = title === undefined ? '' : ` -t ${quoted(escapePattern(title.replaceAll(' > ', ' ')))}`;
  const environment = tier === 'rest' ? 'TEST_TIER=rest ' : '';
  return `${environment}npx vitest run --project ${project.name} ${relativeModuleId}${only}`;
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function describeError({ name, message, stack = '', diff }: FailureError): string {
  const text = message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)} ...` : message;
  const frames = stack
    .split('\n')
    .filter((line) => line.includes(checkout) && !line.includes('node_modules'))
    .slice(0, maxFrames);
  return [`  ${name ? `${name}: ` : ''}${text}`, ...(diff ? [diff] : []), ...frames.map((line) => `  ${line.trim()}`)]
    .join('\n')
    .replaceAll(checkout, '');
}
