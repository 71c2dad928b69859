import { expect, test } from 'vitest';
import { textTypes } from './text-types.ts';

test('a namespace is the folder of the texts; sorted by name', () => {
  const types = textTypes(['shared/push-target/locales/zh.json', 'features/settings/beian/locales/zh.json']);
  expect(types).toContain(
    "interface Texts {\n  beian: typeof import('../features/settings/beian/locales/zh.json');\n" +
      "  'push-target': typeof import('../shared/push-target/locales/zh.json');\n}",
  );
});

test('refuses two folders of the same name', () => {
  expect(() => textTypes(['features/settings/locales/zh.json', 'app/settings/locales/zh.json'])).toThrow(
    'would share the namespace settings',
  );
});
