export * as rebacEntities from './rebac/design.ts'
export { rebac } from './rebac/design.ts'
