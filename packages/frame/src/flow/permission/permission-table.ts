import { FreeholdError } from '@freehold/table'
import type { Flow, NeededPermission, Needs } from '../flow.ts'
import type { FlowHost } from '../flow-host.ts'

/** The permission that a calling user needs for a flow: the one that the deployer named, or else the flow's own. */
export function neededFor({ needs: named = {} }: Pick<FlowHost, 'needs'>, flow: string, needs: Needs): Needs {
  return typeof needs === 'object' && Object.hasOwn(named, flow) ? (named[flow] ?? needs) : needs
}

/** The permissions that calling users need, by flow, as the flows declare them. */
export function permissionsOf<F extends Readonly<Record<string, Pick<Flow<never>, 'needs'>>>, P>(
  flows: F,
  told: (needs: NeededPermission) => P,
): Readonly<Partial<Record<keyof F & string, P>>> {
  const declared = Object.entries(flows).flatMap(([name, { needs }]) => (typeof needs === 'object' ? [[name, told(needs)] as const] : []))
  // Each name is one of the flows'.
  return Object.freeze(Object.fromEntries(declared)) as Readonly<Partial<Record<keyof F & string, P>>>
}

/**
 * The permissions that a deployer names, by flow, as they are kept. Throws `InvalidInput` for a flow that needs none, and for what cannot be a permission.
 * @param defaults the permissions of the flows that need one
 * @param what the permission of a flow, in a word: `page`
 * @param read the permission as it is kept, or what is wrong with it
 */
export function permissionsNamed<P>(
  defaults: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
  what: string,
  read: (permission: unknown) => { readonly value: P } | { readonly problem: string },
): Readonly<Record<string, P>> {
  const named = Object.entries(own).map(([flow, given]) => {
    const taken = Object.hasOwn(defaults, flow)
      ? read(given)
      : { problem: `is no flow that needs ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}` }
    if ('value' in taken) return [flow, taken.value] as const
    throw new FreeholdError('InvalidInput', `The ${what} of ${flow} ${taken.problem}.`, {
      issues: [{ path: [flow], message: taken.problem }],
    })
  })
  return Object.freeze(Object.fromEntries(named))
}

/** The permissions that calling users need, by flow, with a deployer's own in some places. Throws as `permissionsNamed` does. */
export function permissionTable<F extends string, P>(
  defaults: Readonly<Record<F, P>>,
  own: Partial<Readonly<Record<F, P>>>,
  what: string,
  read: (permission: unknown) => { readonly value: P } | { readonly problem: string },
): Readonly<Record<F, P>> {
  return Object.freeze({ ...defaults, ...permissionsNamed(defaults, own, what, read) })
}
