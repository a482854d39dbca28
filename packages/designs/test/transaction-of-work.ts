/** True for a transaction that does some of the work: the record of a durable job alone is none. */
export function isOfWork(operation: string, input: unknown): boolean {
  if (operation !== 'TransactWriteItems') return false
  const { TransactItems: actions } = input as { readonly TransactItems: readonly unknown[] }
  return actions.some((action) => !JSON.stringify(action).includes('FREEHOLD_JOBS'))
}
