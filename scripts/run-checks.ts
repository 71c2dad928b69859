// `npm run check`: runs all checks of `checks.ts`. The exit code is not 0 if a check fails.
import { checks, describeResult, runChecks } from './checks.ts';

const results = await runChecks(checks, (result) => console.log(describeResult(result)));
const failed = results.filter((result) => !result.passed);
console.log(
  failed.length === 0 ? `All ${results.length} checks passed` : `${failed.length} of ${results.length} checks failed`,
);
process.exit(failed.length === 0 ? 0 : 1);
