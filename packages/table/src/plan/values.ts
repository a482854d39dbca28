/** Attributes by name. */
export type Values = Record<string, unknown>
