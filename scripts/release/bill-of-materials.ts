// Generates the software bill of materials as CycloneDX JSON with npm. It lists every package that is bundled or installed with the
// product, with version, licence and integrity.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
}

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  /** True for an optional peer dependency that only a development dependency installs. */
  readonly devOptional?: boolean;
}

interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Load tools are a workspace of the checkout, but not part of the product. */
const notInProduct = ['bench'];
/** Returns the document as text. Requires an installed checkout (`npm ci`). If npm fails, throws an error with npm's message. */
export function billOfMaterials(checkout: string): string {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const output = execFileSync('npm', args, { cwd: checkout, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  const bill = JSON.parse(output) as BillOfMaterials;
  const product = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Record<
    'name' | 'version',
    string
  >;
  const inside = packagesInside(checkout);
  const left = bill.components.filter(
    ({ name, version }) => notInProduct.includes(name) || !inside.has(`${name}@${version}`),
  );
  const refs = new Set(left.map((component) => component['bom-ref']));
  const document = {
    ...bill,
    // npm takes the name of the checkout's folder instead of the package name.
    metadata: {
      ...bill.metadata,
      component: { ...bill.metadata.component, name: product.name, version: product.version },
    },
    components: bill.components.filter((component) => !refs.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => !refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => !refs.has(each)) })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * `name@version` of every package that the product needs at run time. npm's option `--omit=dev` omits too much: every package that some
 * package lists as a development dependency, such as React and Fastify.
 */
function packagesInside(checkout: string): Set<string> {
  const lock = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const inside = Object.entries(lock.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
  return new Set(inside.map(([path, { version }]) => `${nameOf(path)}@${version}`));
}

/** npm names a workspace by its folder. */
const nameOf = (path: string) =>
  path.includes('node_modules/') ? path.split('node_modules/').at(-1)! : path.split('/').at(-1)!;
