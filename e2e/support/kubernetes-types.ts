// Validates Kubernetes manifests with the package kubernetes-models. OpenAPI schemas of Kubernetes check the values.
// TypeScript types check the property names: the schemas allow unknown names, which a cluster drops or refuses.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into manifests of every kind
  readonly spec?: any;
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** One error message per problem; empty if all manifests are valid. */
export async function problemsOf(manifests: readonly Manifest[]): Promise<string[]> {
  const values = await Promise.all(manifests.map(problemsOfValues));
  return [...values.flat(), ...(await problemsOfNames(manifests))];
}

/** Module with the types of a manifest, such as `kubernetes-models/apps/v1/Deployment`. */
const moduleOf = ({ apiVersion, kind }: Manifest) => `kubernetes-models/${apiVersion}/${kind}`;

async function problemsOfValues(manifest: Manifest): Promise<string[]> {
  const { [manifest.kind]: Model } = (await import(moduleOf(manifest))) as Record<
    string,
    new (
      data: object,
    ) => { validate(): void }
  >;
  try {
    if (!Model) return [`there is no ${manifest.apiVersion} ${manifest.kind}`];
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`];
  }
}

/** Runs the TypeScript compiler, which reports properties that a type does not have. */
async function problemsOfNames(manifests: readonly Manifest[]): Promise<string[]> {
  // The folder is inside the checkout, where the compiler finds the types in node_modules.
  const parent = join(checkout, 'artifacts');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'manifests-'));
  try {
    const text = manifests.map((manifest, index) => {
      const type = `import('${moduleOf(manifest)}').I${manifest.kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest, null, 1)};\n`;
    });
    writeFileSync(join(folder, 'manifests.ts'), text.join('\n'));
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--types',
      'node',
      '--ignoreConfig',
    ];
    const tsc = join(checkout, 'node_modules/.bin/tsc');
    await promisify(execFile)(tsc, [...options, join(folder, 'manifests.ts')], { cwd: checkout });
    return [];
  } catch (error) {
    return (error as { stdout?: string }).stdout?.trim().split('\n') ?? [String(error)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
