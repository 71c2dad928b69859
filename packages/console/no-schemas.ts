// Stands in for zod in the production bundle, where the server's schemas would be a fifth of the login page. The console
// checks answers against the schemas in development and in tests; in production it comes from the same build as the server.
// Schemas may be built from each other's parts. Any attempt to validate with one throws, so that nobody believes a check that
// does not happen.

const validating = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'options']);

const schema: unknown = new Proxy(() => {}, {
  apply: () => schema,
  get: (_target, property) => {
    if (validating.has(String(property))) throw new Error('schemas are not part of the production console');
    return schema;
  },
});

export const z = schema;
