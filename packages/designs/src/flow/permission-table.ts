import { FreeholdError } from '@freehold/table'

/**
 * The permissions that calling users need, by flow, with a deployer's own in some places. Throws `InvalidInput` for a flow that needs none, and for what
 * cannot be a permission.
 * @param what the permission of a flow, in a word: `page`
 * @param read the permission as it is kept, or what is wrong with it
 */
export function permissionTable<F extends string, P>(
  defaults: Readonly<Record<F, P>>,
  own: Partial<Readonly<Record<F, P>>>,
  what: string,
  read: (permission: unknown) => { readonly value: P } | { readonly problem: string },
): Readonly<Record<F, P>> {
  const named = Object.entries(own).map(([flow, given]) => {
    const taken = Object.hasOwn(defaults, flow)
      ? read(given)
      : { problem: `is no flow that needs ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}` }
    if ('value' in taken) return [flow, taken.value]
    throw new FreeholdError('InvalidInput', `The ${what} of ${flow} ${taken.problem}.`, {
      issues: [{ path: [flow], message: taken.problem }],
    })
  })
  return Object.freeze({ ...defaults, ...Object.fromEntries(named) })
}
