// These rules have no types; `lint-prose.ts` passes them to textlint's kernel unchanged.
declare module 'textlint-rule-en-max-word-count';
declare module 'textlint-rule-terminology';
