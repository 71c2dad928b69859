// `npm run release -- <version>`: checks the checkout, sets the version everywhere, moves the changelog entries, builds the artifacts,
// commits and tags. Pushes nothing; the last printed lines explain how to push.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeArtifacts } from './release-artifacts.ts';
import { makeRelease } from './release-steps.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const version = process.argv[2] ?? '';
const date = new Date().toISOString().slice(0, 10);

// The signal also ends the program of the current step. The release process then restores the checkout.
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
  });
}

try {
  const paths = await makeRelease(
    { checkout, version, date },
    {
      check: () => execFileSync('npm', ['run', 'check'], { cwd: checkout, stdio: 'inherit' }),
      makeArtifacts,
      isInterrupted: () => isInterrupted,
    },
  );
  console.log(`\n${paths.join('\n')}`);
  console.log(`\nReleased ${version} locally. Publish it:\n\n  git push origin HEAD:main v${version}\n`);
  console.log('The workflow "release" then publishes package, image and notes. To undo it before the push:');
  console.log(`\n  git tag -d v${version} && git reset --hard HEAD~1`);
} catch (error) {
  console.error(`\nCannot release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
