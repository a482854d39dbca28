/** The engine of flows, for a design of your own: a host, its flows and durable jobs, and what they are written with. */
export {
  anyJson,
  anyJsonOrNone,
  itemAttributes,
  itemOf,
  nothing,
  pageOf,
  pageOfValues,
  type Returns,
  shownIn,
  shownOf,
  valuesOf,
} from '../decision/returns.ts'
export { type Actor, actorText, type Caller, cleanText, operator } from './actor.ts'
export { actorNamedBy } from './actor-named.ts'
export { answerBytesMax, keptWithin } from './bounded-answer.ts'
export { type ByFlows, checkByFlows } from './by-flows.ts'
export { createOnce } from './calls/create-once.ts'
export { isReplayed, type Replayable, type Replayed } from './calls/replayed.ts'
export { describeInput, type FlowDescription, type InputDescription } from './describe-flow.ts'
export { byJob, type DurableJob, tenantOfWork, type WrittenJob } from './durable-job.ts'
export { countedEdge } from './edges/counted-edges.ts'
export { changeEdges, createContent, requireDone } from './edges/edge-content.ts'
export { type EdgeChange, type EdgeKind, edgesAtOnce, edgesOf, type OpenChange } from './edges/edges.ts'
export { replaceEdges } from './edges/replace-edges.ts'
export type { Flow, FlowDeclaration, FlowFunctions, Flows, Foreseen, NeededPermission, Needs } from './flow.ts'
export { costColumns, costRows, type FlowCost, type FlowSample, type FlowSamples, flowCosts, sampleOf } from './flow-costs.ts'
export { changeErrors, commonErrors, createErrors, type FlowError, readErrors, type Verb } from './flow-errors.ts'
export {
  type ActingUser,
  type ChangeEntry,
  type ChangeLine,
  type ChangeLog,
  deciderFor,
  denied,
  type FlowContext,
  type FlowHost,
  type FlowOptions,
  type FlowTable,
  type HostTenants,
  type RecordEntry,
  type RecordForm,
  type Within,
} from './flow-host.ts'
export { flowsFor, type ListFlow } from './flows-for.ts'
export { foresee, onceFor } from './foreseen.ts'
export type { Identities, UserAt } from './identities/people-finder.ts'
export { shownPerson } from './identities/shown-person.ts'
export { type SigningParts, unlinking } from './identities/sign-in.ts'
export { type SignInAnswer, signingIn } from './identities/sign-in-flow.ts'
export { askedVersion } from './input/asked-version.ts'
export { changing, given, type InputOf, naming } from './input/input-attributes.ts'
export { checkChosenId } from './items/chosen-id.ts'
export { collected } from './items/collected.ts'
export { guardTaken } from './items/guard-taken.ts'
export {
  type CreateInput,
  type ItemFlows,
  type ItemOptions,
  type KeyAttribute,
  type RemoveInput,
  type UpdateInput,
  waiting,
} from './items/item-flows.ts'
export { checkNamedVersion, liveItem, newItem, requireLive, returnedItem, stateConflict } from './items/live-item.ts'
export { placeSole, stepsWithout } from './items/sole-items.ts'
export {
  type Alongside,
  type CreatingItem,
  changeAsRead,
  changeItem,
  createItem,
  ensureItem,
  idOfItem,
  removeItem,
  setItem,
  touched,
} from './items/write-item.ts'
export { type JoinedList, joinedPage } from './joined-page.ts'
export { type OfferedFlows, offerFlows } from './offered-flows.ts'
export { pageAsked, paging } from './paging.ts'
export { type BasisOf, evidenceBasis } from './permission/evidence-basis.ts'
export { BasisChanged, type BasisItem, basisMin } from './permission/permission-basis.ts'
export { permissionsNamed, permissionsOf, permissionTable } from './permission/permission-table.ts'
export { permit, permittedAgain, undecided } from './permission/permitted.ts'
export type { Permitted, PlannedCall } from './permission/permitted-calls.ts'
export { changeRecorder, present } from './records/change-records.ts'
export { notHeld } from './records/denials.ts'
export { changedView, recorded, recordedChanges, type View } from './records/recorded-changes.ts'
export { entryOf, noteOf, recordAlone, recordSteps, writeRecorded, writeUnrecorded } from './records/recorded-write.ts'
export { retryOnConflict } from './retry-on-conflict.ts'
export { type WrittenFlow, withPending } from './written-flow.ts'
