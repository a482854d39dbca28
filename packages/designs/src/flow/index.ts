/** The engine of flows, for a design of your own: a host, its flows and durable jobs, and what they are written with. */

export { anyJson, itemOf, nothing, pageOf, pageOfValues, type Returns, shownOf, valuesOf } from '../returns.ts'
export { type Actor, type Caller, operator } from './actor.ts'
export { answerBytesMax, keptWithin } from './bounded-answer.ts'
export { createOnce } from './calls/create-once.ts'
export { isReplayed, type Replayable, type Replayed } from './calls/replayed.ts'
export type { DurableJob, WrittenJob } from './durable-job.ts'
export { type EdgeChange, edgesAtOnce, edgesOf } from './edges/edges.ts'
export { replaceEdges } from './edges/replace-edges.ts'
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
export { changing, given, naming } from './input/input-attributes.ts'
export { checkChosenId } from './items/chosen-id.ts'
export { type ItemFlows, waiting } from './items/item-flows.ts'
export { checkNamedVersion, liveItem, newItem, requireLive, returnedItem, stateConflict } from './items/live-item.ts'
export { changeItem, createItem, ensureItem, removeItem } from './items/write-item.ts'
export { type OfferedFlows, offerFlows } from './offered-flows.ts'
export type { BasisItem } from './permission/permission-basis.ts'
export { permissionTable } from './permission/permission-table.ts'
export { permit } from './permission/permitted.ts'
export { changeAttributes, changeContent } from './records/change-attributes.ts'
export { changeRecorder } from './records/change-records.ts'
export { recordedChanges } from './records/recorded-changes.ts'
export { recordAlone, writeRecorded, writeUnrecorded } from './records/recorded-write.ts'
export { retryOnConflict } from './retry-on-conflict.ts'
export type { WrittenFlow } from './written-flow.ts'
