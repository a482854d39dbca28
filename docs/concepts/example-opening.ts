import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'

/** The program of the README, on a table that is there. */
export async function opening(endpoint: string, name: string) {
  const table = connect(rebac, { table: name, dynamo: { endpoint } })
  const ada = await table.User.create({ displayName: 'Ada' })
  const { items, cursor } = await table.locationsOfUser({ userId: ada.userId })
  table.close()
  return { ada, items, cursor }
}
