export {
  type AskOptions,
  type CallOptions,
  type Client,
  type ClientOptions,
  clientOf,
  type EntityOptions,
  type FlowCallOptions,
  type ListOptions,
} from './client.ts'
export { ProblemError } from './problem-error.ts'
export { type Decide, protect, protectExpress, type QuestionOf } from './protect.ts'
export type { Surroundings } from './send.ts'
export type { TypedModule } from './types.ts'
