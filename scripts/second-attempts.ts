// Names the tests that passed only at their second attempt: a retry must hide no weakness, only spare a run of all tests.
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export default class SecondAttempts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((each) => [...each.children.allTests()]);
    const lines = tests.filter((test) => test.diagnostic()?.flaky).map(describeTest);
    if (lines.length > 0) console.log(`Passed only at the second attempt:\n${lines.join('\n')}`);
  }
}

function describeTest(test: TestCase): string {
  return `  ${test.module.relativeModuleId} > ${test.fullName}`;
}
