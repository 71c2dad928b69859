// Reporter of the test runner. Prints a line with the remaining time for each long or failed file, and finally the failures. Each failure
// has the command that repeats it. The output of tests goes into a file.
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SerializedError, UserConsoleLog } from 'vitest';
import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSpecification, Vitest } from 'vitest/node';
import { describeError, describeFailure } from './failure-text.ts';
import { knownTimes } from './known-times.ts';
import { createRemainingTime, type RemainingTime } from './remaining-time.ts';
import {
  artifactsFolder,
  type FailedFile,
  type FileTime,
  type RunName,
  type Tier,
  untilVariable,
  writeReport,
} from './run-report.ts';
import { specificationName, specificationPath } from './specification-name.ts';
import { noTimeMessage } from './time-left.ts';

/** A passed file with at least this duration is printed, seconds. */
const longFileSeconds = 5;
/** Maximum time without output before a progress line, milliseconds. */
const quietMs = 15_000;
/** Error message for tests that did not run because the run ended. */
const abortedPattern = /aborted/;

export default class RunReporter implements Reporter {
  readonly #tier: Tier = process.env.TEST_TIER === 'rest' ? 'rest' : 'quick';
  readonly #run: RunName = process.env.TEST_AGAIN === 'on' ? `${this.#tier}-again` : this.#tier;
  readonly #startedAt = performance.now();
  readonly #times: FileTime[] = [];
  #remaining: RemainingTime = createRemainingTime([]);
  #planned = 0;
  #deadline: NodeJS.Timeout | undefined;
  #passed = 0;
  #lastLineAt = performance.now();

  onInit(vitest: Vitest): void {
    const untilMs = Number(process.env[untilVariable]);
    if (untilMs > 0)
      this.#deadline = setTimeout(() => void vitest.cancelCurrentRun('keyboard-input'), untilMs - Date.now());
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const secondsOf = knownTimes();
    const plan = specifications.map((specification) => {
      const name = specificationName(specification);
      const workers = Number(specification.project.config.maxWorkers) || 1;
      return { name, seconds: secondsOf(name), workers };
    });
    this.#planned = plan.length;
    this.#remaining = createRemainingTime(plan);
    console.log(`${plan.length} files of tests, about ${minutes(this.#remaining.estimate(0))}`);
  }

  onTestModuleEnd(module: TestModule): void {
    const name = specificationName(module);
    this.#remaining.done(name);
    if (hadNoTime(module)) return;
    // The wait for processors is part of a set-up file, so this duration excludes set-up files.
    const { collectDuration, duration } = module.diagnostic();
    const seconds = (collectDuration + duration) / 1_000;
    this.#times.push({ file: name, seconds });
    const tests = [...module.children.allTests()];
    this.#passed += tests.filter((test) => test.result().state === 'passed').length;
    if (module.state() === 'failed' || seconds >= longFileSeconds)
      this.#sayProgress(`${module.state() === 'failed' ? '✗' : '✓'} ${name} (${seconds.toFixed(1)} s)`);
    else if (performance.now() - this.#lastLineAt > quietMs) this.#sayProgress(`${this.#passed} tests passed`);
  }

  #sayProgress(what: string): void {
    const elapsed = (performance.now() - this.#startedAt) / 1_000;
    const place = `${String(this.#times.length).padStart(4)}/${this.#planned}`;
    const clock = `${minutes(elapsed)}, ${minutes(this.#remaining.estimate(elapsed))} left`;
    console.log(`${place}  ${clock}  ${what}`);
    this.#lastLineAt = performance.now();
  }

  onUserConsoleLog({ content, taskId, type }: UserConsoleLog): void {
    const file = join(artifactsFolder, `${this.#tier}-output.log`);
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `[${type}${taskId ? ` ${taskId}` : ''}] ${content}`);
  }

  onTestRunEnd(all: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    clearTimeout(this.#deadline);
    const modules = all.filter((module) => !hadNoTime(module));
    const cut = reason === 'interrupted' ? modules.filter(isNotFinished) : [];
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    // Modules that could not be loaded, and suites whose set-up failed without a failed test.
    const broken = modules.filter(isBroken);
    const failedTests = inState('failed');
    for (const test of failedTests) console.log(`\n${describeFailure(this.#tier, test)}`);
    for (const module of broken) console.log(`\n${describeFailure(this.#tier, module)}`);
    for (const error of errors) console.log(`\n✗ outside all tests\n${describeError(error)}`);
    const flaky = tests.filter((test) => test.diagnostic()?.flaky);
    for (const test of flaky) console.log(`\n${describeFailure(this.#tier, test)}`);
    const secondAttempts = flaky.map(titleOf);
    if (secondAttempts.length > 0)
      console.log(`\nPASSED ONLY AT THE SECOND ATTEMPT, a fault to fix:\n${secondAttempts.join('\n')}`);
    writeReport(this.#run, {
      passed: inState('passed').length,
      failed: failedTests.length + broken.length,
      skipped: inState('skipped').length,
      files: this.#times,
      secondAttempts,
      notFinished: [...all.filter(hadNoTime), ...cut].map(specificationPath),
      failedFiles: modules.filter((module) => module.state() === 'failed').map(failedFile),
      errorsOutside: errors.length,
    });
  }
}

/** Whether the file was not started because it could not have finished in time (`wait-for-admission.ts`). */
function hadNoTime(module: TestModule): boolean {
  return module.errors().some(({ message }) => message === noTimeMessage);
}

function isNotFinished(module: TestModule): boolean {
  const isEnded = (test: TestCase): boolean => {
    const result = test.result();
    return result.state === 'pending' || (result.state === 'skipped' && abortedPattern.test(result.note ?? ''));
  };
  return ['pending', 'queued'].includes(module.state()) || [...module.children.allTests()].some(isEnded);
}

function isBroken(module: TestModule): boolean {
  return module.errors().length > 0 || hasFailedSuite(module);
}

function failedFile(module: TestModule): FailedFile {
  const inState = (state: string) =>
    [...module.children.allTests()].filter((test) => test.result().state === state).length;
  const failed = inState('failed') + (isBroken(module) ? 1 : 0);
  const counts = { passed: inState('passed'), failed, skipped: inState('skipped') };
  return { project: module.project.name, path: specificationPath(module), counts };
}

function hasFailedSuite(module: TestModule): boolean {
  return [...module.children.allSuites()].some((suite) => suite.errors().length > 0);
}

function titleOf(test: TestCase): string {
  return `  ${test.module.relativeModuleId} > ${test.fullName}`;
}

function minutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
