export * from './decision/decision.ts'
export { offers } from './offers.ts'
export * as rebacEntities from './rebac/design.ts'
export { rebac } from './rebac/design.ts'
