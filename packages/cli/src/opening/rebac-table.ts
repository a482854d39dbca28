import { type RebacTable, rebac } from '@freehold/designs'
import { connect } from '@freehold/table'
import type { Opened } from './open-table.ts'

/** An opened table of rebac with its own types, over the same connection. */
export function rebacTable({ runtime }: Opened): RebacTable {
  const { sender, table, secret, now } = runtime
  return connect(rebac, { sender, table, secret, now })
}
