/** The parts that deciders are made of, for a design of your own; `deciderOf` says how. */
export { type Reads, readsOf, type Stretch } from '../access/reads.ts'
export { patternsOf } from '../access/scopes/patterns.ts'
export { chainFrom, ownLinks, type RoleChain, roleDepthMax } from '../access/scopes/role-tree.ts'
export { roleText } from '../access/scopes/roles.ts'
export { isWithin } from '../access/scopes/scope-nodes.ts'
export { confirmedPage, type ListedIds, stepsMax } from './confirmed-page.ts'
export { type Answers, type DeciderOf, deciderOf } from './decider.ts'
export {
  type AnswerPage,
  type AskedName,
  type Asking,
  type Can,
  type Consistency,
  type Decider,
  type DeciderFor,
  type DeciderOptions,
  type DeciderTypes,
  type DeclaredQuestion,
  type DeclaredQuestions,
  type Evidence,
  type Expanding,
  type Listing,
  type QuestionName,
  questionNames,
  type Reason,
  type SnapshotDeciderFor,
  type Taken,
  type Taking,
  type Why,
} from './decision.ts'
export {
  byIds,
  type DefinitionReader,
  definitionReader,
  recordReader,
  takeRecords,
  takeWhole,
} from './definition-reader.ts'
export { type DefinitionMemory, definitionMemory } from './definitions.ts'
export { evidence, explained, malformedNames, unusableAmong, unusableEvidence } from './evidence.ts'
export { type Answered, type AskedAbout, causeOfFault, isUnanswered, malformedRecord, policy, unknownReason } from './fault.ts'
export type { Listed } from './list.ts'
export {
  type Loaded,
  loadById,
  loadLookup,
  loadRange,
  loadRecord,
  loadRecords,
  lookupByIndex,
  readCollection,
  readItems,
  readRange,
} from './load.ts'
export { type IdsOf, type Lookup, type Lookups, type Name, nameLookup, type Resolved, resolveNames } from './lookup.ts'
export { type Candidate, type Candidates, type ListedRange, mergedRanges } from './merged-ranges.ts'
export {
  type Asked,
  anyOf,
  decision,
  explanation,
  field,
  type HowTaken,
  isProblem,
  lastsMax_ms,
  nameOf,
  optional,
  type Problem,
  type Question,
  type Questions,
  type TextReader,
  textField,
  userField,
  userTold,
} from './question.ts'
export { type RecentlyUsed, recentlyUsed } from './recently-used.ts'
export {
  isForeign,
  isUnusable,
  type LoadResult,
  malformedAmong,
  parseRecord,
  parseRecords,
  type Records,
  type Unusable,
  type Wanted,
  wanted,
} from './record.ts'
export { nameMemory, type Place, placeBefore, placeOf, type Sources } from './sources.ts'
export { takenDuring } from './taken.ts'
export { withoutAbsent } from './without-absent.ts'
