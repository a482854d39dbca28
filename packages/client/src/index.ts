export { type BrowserSession, browserSessionOf } from './browser-session.ts'
export type { ServiceOptions } from './caller.ts'
export {
  type AccessOptions,
  type AskOptions,
  type CallOptions,
  type Client,
  type ClientOptions,
  clientOf,
  type EntityOptions,
  type FlowCallOptions,
  type Left,
  type ListOptions,
  type PatternOptions,
  type PermittedCall,
} from './client.ts'
export { ProblemError } from './problem-error.ts'
export {
  type Decide,
  type Denial,
  type KnownUser,
  type Protection,
  protect,
  protectExpress,
  protectRoute,
  type SignedIn,
} from './protect.ts'
export {
  type Answered,
  changeOf,
  type Expected,
  expectedRows,
  type SavedAsk,
  type SavedQuestion,
  type SavedQuestions,
  savedQuestionsOf,
} from './saved-question.ts'
export type { Surroundings } from './send.ts'
export { type ListedDesign, type ServiceClient, type StoredQuestion, serviceOf } from './service-client.ts'
export type { TypedModule } from './types.ts'
