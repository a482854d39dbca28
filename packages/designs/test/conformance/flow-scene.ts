import type { AnyDesign, ConnectedTable, Entity } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import type { FlowSample } from '../../../frame/src/flow/flow-costs.ts'
import type { ChangeLine } from '../../../frame/src/flow/flow-host.ts'
import type { OfferedFlows } from '../../../frame/src/flow/offered-flows.ts'

export type Values = Readonly<Record<string, unknown>>

/** A record of a change, in the words of all designs. */
export interface ToldChange {
  readonly flow: unknown
  /** The id of a user, or the kind and name of another actor: `operator clerk`. */
  readonly actor: unknown
  /** The id of the key that passed a user's call on. */
  readonly via: unknown
  readonly status: unknown
  /** The tenant, or the scope, to which the record belongs. */
  readonly scope: unknown
  readonly entity: unknown
  /** Undefined for an item that its key alone names. */
  readonly id: unknown
  readonly changes: Readonly<Record<string, unknown>>
  /** What else the record tells. */
  readonly more: Values
}

/** One call of a flow that writes, and what more its records tell than its items. */
export interface FlowRow extends FlowSample {
  /** Other flows that record a part of the work in their own names: revocations that follow a change. */
  readonly also?: readonly string[]
  /** More that a record of the entity tells. */
  told?(input: Values): Partial<ToldChange>
  /** For a flow that gives an item another key: the changes that its records tell. They are compared with these, and not with the items. */
  readonly renames?: (input: Values) => Readonly<Record<string, unknown>>
  /** The entity whose record tells the change, where it is another than that of the items: the record names each of these in its words. */
  readonly recordedAs?: Entity
  /** Entities of items that come along unsaid. */
  readonly unsaid?: readonly Entity[]
}

/** The scene of a design's flows: who calls them, and how their records are read. */
export interface FlowScene {
  readonly design: AnyDesign
  readonly offered: Pick<OfferedFlows, 'describe'>
  /** The flows that take no notice of an idempotency key: those that return a page. */
  readonly withoutKey: readonly string[]
  open(): Promise<OpenFlowScene>
}

export interface OpenFlowScene {
  readonly table: ConnectedTable
  /** The same flows, with a log if the design has one. */
  readonly offered: Pick<OfferedFlows, 'permitted' | 'run'>
  /** The id of a user who may call each flow that a user may call at all. */
  readonly user: string
  /** One row for each flow that writes. */
  readonly rows: readonly FlowRow[]
  /** A record as it lies in the table; undefined for any other item. */
  told(item: Stored): ToldChange | undefined
  /** The lines that were logged since the last call. Left out by a design without a log. */
  lines?(): readonly ChangeLine[]
}
