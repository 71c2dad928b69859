// Validates a software bill of materials against the schema of its CycloneDX version.
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';

/** Rejects with the first violations of the schema. @param document JSON text with a `specVersion`. */
export async function requireValidBill(document: string): Promise<void> {
  const { specVersion } = JSON.parse(document) as { specVersion?: string };
  const version = Object.values(Spec.Version).find((known) => known === specVersion);
  if (!version) throw new Error(`The bill of materials has an unknown CycloneDX version: ${specVersion}.`);
  const violations = await new Validation.JsonStrictValidator(version).validate(document);
  if (violations === null) return;
  throw new Error(`The bill of materials violates CycloneDX ${version}: ${JSON.stringify(violations).slice(0, 1_000)}`);
}
