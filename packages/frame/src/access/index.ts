/** Who may do what where, declared by a design's own entities; `accessOf` says what follows from it. */
export { type Access, type AccessDecider, type AccessDeclaration, accessOf } from './access-of.ts'
export type { AccessFinding } from './findings.ts'
export type { AccessHost } from './host.ts'
export type { AccessOutline, GrantOutline } from './outline.ts'
export * from './scopes/index.ts'
export { through, type Way } from './way.ts'
