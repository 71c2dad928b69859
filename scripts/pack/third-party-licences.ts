// Collects the licences of packages in the bundles and the built console. Every copy of these packages must include their licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  /** True for a workspace of this checkout. */
  readonly link?: boolean;
  /** True for packages that are needed only to build and test. */
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** True for an optional peer dependency that only a development dependency installs. */
  readonly devOptional?: boolean;
}

const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** A text with name, version and licence of every package that the product needs at run time. */
export function thirdPartyLicences(checkout: string): string {
  const lock = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const parts = Object.entries(lock.packages)
    .filter(([path, locked]) => path.includes('node_modules/') && isInside(locked))
    .map(([path, locked]) => describe(join(checkout, path), path.split('node_modules/').at(-1)!, locked));
  return [...new Set(parts)].sort().join(`\n${'-'.repeat(80)}\n\n`);
}

function isInside({ link, dev, optional, devOptional }: LockedPackage): boolean {
  return !(link || dev || optional || devOptional);
}

function describe(folder: string, name: string, { version, license }: LockedPackage): string {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => licenceFile.test(file)) : [];
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version} (${license ?? 'licence not named'})`, ...texts].join('\n\n')}\n`;
}
