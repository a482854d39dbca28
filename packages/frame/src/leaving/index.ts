/** A person leaves: everything about it as a file, and its erasure from all items of a table. */

import type { Entity, Page } from '@freehold/table'
import type { ExportedItem } from '../exchange/export-items.ts'
import type { exportInput } from '../exchange/export-tenant.ts'
import type { Flow } from '../flow/flow.ts'
import type { FlowContext, HostOf } from '../flow/flow-host.ts'
import type { Naming } from '../flow/input/input-attributes.ts'
import type { KeyAttribute, waiting } from '../flow/items/item-flows.ts'
import { type ErasingPerson, erasingPerson } from './erase-person.ts'
import { exportingPerson } from './export-person.ts'

export type { ErasingPerson } from './erase-person.ts'

export interface LeavingFlows<C, E> {
  readonly exportUser: Flow<C, Naming<E, KeyAttribute<E>> & typeof exportInput, Page<ExportedItem>> & { readonly name: 'exportUser' }
  readonly eraseUser: Flow<C, Naming<E, KeyAttribute<E>> & typeof waiting, void> & { readonly name: 'eraseUser' }
}

/**
 * The flows `exportUser` and `eraseUser` of a design with people, and the durable job of the erasure.
 * @param person the entity of people: what hangs on it is the person's, too
 */
export function leaving<C extends FlowContext, E extends Entity>(host: HostOf<C>, person: E, how: ErasingPerson<C> = {}) {
  const { eraseUser, job } = erasingPerson(host, person, how)
  // Each reads its input by the attributes of the entity from which these types are made.
  const flows = { ...exportingPerson(host, person), eraseUser } as unknown as LeavingFlows<C, E>
  return Object.freeze({ flows, job })
}
