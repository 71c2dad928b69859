// Styles of a field whose text is an address, a path, a key or code: the mono face, as such values have everywhere.

const mono = { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: 'var(--text-mono-spacing)' };

/** For `styles` of a text field. */
export const monoInput = { input: { ...mono, fontSize: '0.875rem' } };
/** For `styles` of a password field. */
export const monoSecret = { innerInput: { ...mono, fontSize: '0.875rem' } };
