// Styles of a field for an address, path, key or code: monospaced, as everywhere.

const mono = { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: 'var(--text-mono-spacing)' };

/** For `styles` of a text field. */
export const monoInput = { input: { ...mono, fontSize: '0.875rem' } };
/** For `styles` of a password field. */
export const monoSecret = { innerInput: { ...mono, fontSize: '0.875rem' } };
