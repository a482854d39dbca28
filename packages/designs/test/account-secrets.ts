/** The hash of a password as a library for passwords writes it. `word` tells one from another. */
export const hashOf = (word: string) =>
  `$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$${Buffer.from(word.padEnd(24, '.')).toString('base64url')}`

/** The encrypted secret of a second factor. `word` tells one from another. */
export const sealed = (word: string) => `kms:${Buffer.from(word.padEnd(40, '.')).toString('base64url')}`
