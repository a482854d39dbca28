/** The parts that deciders are made of, for a design of your own; `deciderOf` says how. */
export { confirmedPage, stepsMax } from './confirmed-page.ts'
export { type Answers, type DeciderOf, deciderOf } from './decider.ts'
export * from './decision.ts'
export { type DefinitionReader, definitionReader, nodeReader, rangeReader, takeRecords, takeWhole } from './definition-reader.ts'
export { evidence, explained, malformedNames, unusableAmong, unusableEvidence } from './evidence.ts'
export { malformedRecord, policy, unknownReason } from './fault.ts'
export type { Listed } from './list.ts'
export { type Loaded, loadById, loadLookup, loadRange, loadRecord, loadRecords } from './load.ts'
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
  nameOf,
  optional,
  type Problem,
  type Question,
  type Questions,
  type TextReader,
  userField,
} from './question.ts'
export { isUnusable, type LoadResult, malformedAmong, type Records, type Unusable, type Wanted, wanted } from './record.ts'
export { accessFormat, inTime, type SnapshotData } from './snapshot/snapshot-data.ts'
export { type Place, placeBefore, placeOf, type Sources } from './sources.ts'
export { takenDuring } from './taken.ts'
