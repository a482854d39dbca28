/** AuthZEN over any design: a design's mapping, and the decision point that a transport serves. */
export { type DecisionPoint, type DecisionPointOf, decisionPointOf } from './decision-point.ts'
export type { Answered, Decision } from './evaluate.ts'
export { readFlawed } from './flawed.ts'
export {
  type AuthzenMapping,
  type AuthzenServed,
  attributeOf,
  type Fields,
  type ListAsked,
  type ListItem,
  type Naming,
  type OwnList,
  type Taken,
  textIn,
  types,
} from './mapping.ts'
export { type Action, type Context, type Evaluation, type Named, type SearchKind, semantics } from './request.ts'
export type { Found } from './search.ts'
export { quoted } from './taken.ts'
