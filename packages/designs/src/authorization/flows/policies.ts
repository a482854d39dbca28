import {
  askedVersion,
  changeErrors,
  changeItem,
  guardTaken,
  itemOf,
  liveItem,
  naming,
  nothing,
  readErrors,
  removeItem,
} from '@freehold/frame/flow'
import { text } from '@freehold/table'
import { Policy, PolicyById } from '../design.ts'
import { flow, inSystem, itemFlows, listFlow } from './authorization-host.ts'
import { atKeyOf, checkId, policyOf } from './by-id.ts'

const policies = itemFlows(Policy, { scope: inSystem })
const named = { ...naming(Policy, 'policyId'), version: askedVersion }

/** The flows of what the table knows of policies: for operators, since policies decide in every tenant. */
export const policyFlows = {
  registerPolicy: policies.create({
    name: 'registerPolicy',
    summary: 'Records a policy of the policy store by its id there, under a name of its own.',
    given: ['policyId', 'name'],
    needs: 'operator',
    scope: inSystem,
    refusal: guardTaken(Policy, PolicyById, 'A policy of this id is recorded already.'),
  }),
  renamePolicy: flow({
    name: 'renamePolicy',
    summary: 'Gives a recorded policy another name. Its id stays.',
    input: { ...named, ...naming(Policy, 'name') },
    needs: 'operator',
    effect: 'write',
    returns: itemOf(Policy),
    errors: [...changeErrors, 'AlreadyExists'],
    scope: inSystem,
    run: (context, { policyId, name, version }) =>
      atKeyOf(
        context,
        () => policyOf(context, policyId),
        (key) => changeItem(context, Policy, key, { name }, { version, check: (before) => checkId(Policy, policyId, before.policyId) }),
      ),
  }),
  removePolicy: flow({
    name: 'removePolicy',
    summary: 'Removes the record of a policy. The policy store is not asked.',
    input: named,
    needs: 'operator',
    effect: 'write',
    returns: nothing,
    writes: { remove: Policy },
    errors: changeErrors,
    scope: inSystem,
    run: (context, { policyId, version }) =>
      atKeyOf(
        context,
        () => policyOf(context, policyId),
        (key) => removeItem(context, Policy, key, { version, check: (before) => checkId(Policy, policyId, before.policyId) }),
      ),
  }),
  policiesByPrefix: listFlow(Policy, {
    name: 'policiesByPrefix',
    summary: 'The recorded policies whose names begin so, in the order of their names: a page at a time.',
    input: { prefix: text({ lookAlikes: 'refused' }) },
    needs: 'operator',
    errors: ['InvalidCursor'],
    scope: inSystem,
    read: ({ table }, { prefix }, how) => table.policiesByNamePrefix({ prefix }, how),
  }),
  policyById: flow({
    name: 'policyById',
    summary: 'A recorded policy, by its id in the policy store.',
    input: naming(Policy, 'policyId'),
    needs: 'operator',
    effect: 'read',
    returns: itemOf(Policy),
    errors: readErrors,
    scope: inSystem,
    run: (context, { policyId }) =>
      atKeyOf(
        context,
        () => policyOf(context, policyId),
        (key) => liveItem(context, Policy, key),
      ),
  }),
}
