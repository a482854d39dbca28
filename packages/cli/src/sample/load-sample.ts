import { type ConnectedTable, isFreeholdError, type Page, type Step } from '@freehold/table'

/**
 * Loads a sample into an empty table, in one transaction, so that an interrupted start leaves all of it or nothing.
 * @param lists the first items of what the table lists; it is empty if these are
 * @returns true if it was loaded
 */
export async function loadSample(
  table: Pick<ConnectedTable, 'transact'>,
  lists: readonly Promise<Page<unknown>>[],
  steps: () => readonly Step[],
): Promise<boolean> {
  const isEmpty = (await Promise.all(lists)).every(({ items, cursor }) => items.length === 0 && cursor === undefined)
  if (!isEmpty) return false
  try {
    await table.transact(Object.fromEntries(steps().map((step, index) => [`step ${index + 1}`, step])))
    return true
  } catch (error) {
    // Another process has loaded it at the same moment, so its ids or addresses are taken.
    if (isFreeholdError(error, 'TransactionFailed')) return false
    throw error
  }
}
