/** The engine of flows, for a design of your own: a host, its flows and durable jobs, and what they are written with. */

export { anyJson, itemOf, nothing, pageOf, pageOfValues, type Returns, shownOf, valuesOf } from '../returns.ts'
export { type Actor, type Caller, operator } from './actor.ts'
export { answerBytesMax, keptWithin } from './bounded-answer.ts'
export { changeAttributes, changeContent, changeRecorder } from './change-records.ts'
export { checkChosenId } from './chosen-id.ts'
export { createOnce } from './create-once.ts'
export type { DurableJob, WrittenJob } from './durable-job.ts'
export { type EdgeChange, edgesAtOnce, edgesOf } from './edges.ts'
export type { Flow, FlowDeclaration, FlowFunctions, Flows, NeededPermission, Needs } from './flow.ts'
export { changeErrors, commonErrors, createErrors, type FlowError, readErrors } from './flow-errors.ts'
export {
  type ActingUser,
  type ChangeEntry,
  type ChangeLine,
  type ChangeLog,
  denied,
  type FlowContext,
  type FlowHost,
  type FlowOptions,
  type FlowTable,
  type HostTenants,
  type RecordEntry,
  type Within,
} from './flow-host.ts'
export { flowsFor } from './flows-for.ts'
export { changing, given, naming } from './input-attributes.ts'
export { type ItemFlows, waiting } from './item-flows.ts'
export { checkNamedVersion, liveItem, newItem, requireLive, returnedItem, stateConflict } from './live-item.ts'
export { type OfferedFlows, offerFlows } from './offered-flows.ts'
export type { BasisItem } from './permission-basis.ts'
export { permissionTable } from './permission-table.ts'
export { permit } from './permitted.ts'
export { recordedChanges } from './recorded-changes.ts'
export { recordAlone, writeRecorded, writeUnrecorded } from './recorded-write.ts'
export { replaceEdges } from './replace-edges.ts'
export { isReplayed, type Replayable, type Replayed } from './replayed.ts'
export { retryOnConflict } from './retry-on-conflict.ts'
export { changeItem, createItem, ensureItem, removeItem } from './write-item.ts'
export type { WrittenFlow } from './written-flow.ts'
