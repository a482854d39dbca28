import { exportInput, exporting, exportTenant } from '@freehold/frame/exchange'
import { naming, waiting } from '@freehold/frame/flow'
import { Account } from '../design.ts'
import { on } from './flow-menus.ts'
import { atAccount, flow, inSystem, itemFlows, operatorsSet } from './platform-host.ts'

const accounts = itemFlows(Account, { scope: (context, { id }) => atAccount(context, { accountId: id }) })

/** The flows of accounts. */
export const accountFlows = {
  createAccount: accounts.create({
    name: 'createAccount',
    summary: 'Creates an account, which is active.',
    given: ['id', 'name'],
    needs: 'operator',
    scope: inSystem,
  }),
  updateAccount: accounts.update({
    name: 'updateAccount',
    summary: 'Changes the name of an account.',
    may: ['name'],
    needs: on('account', 'edit'),
  }),
  suspendAccount: accounts.update({
    name: 'suspendAccount',
    summary: 'Suspends an account: from then on every decision about it and its users denies.',
    ...operatorsSet('suspended'),
  }),
  activateAccount: accounts.update({
    name: 'activateAccount',
    summary: 'Makes a suspended account active again.',
    ...operatorsSet('active'),
  }),
  exportAccount: flow({
    name: 'exportAccount',
    summary:
      'Everything that an account has, a page at a time, in an order in which it can be imported where the enterprises, products, services and roles of no account are that it names.',
    input: { ...naming(Account, 'id'), ...exportInput },
    needs: on('account-export', 'view'),
    ...exporting,
    scope: (context, { id }) => atAccount(context, { accountId: id }),
    run: (context, { id, ...asked }) =>
      exportTenant(context, Account, id, asked, (how) => context.table.notificationsOfAccount({ accountId: id }, how)),
  }),
  deleteAccount: accounts.remove({
    name: 'deleteAccount',
    summary: 'Deletes an account with everything in it, by a durable job. What was notified and what was changed stays recorded.',
    input: waiting,
    needs: 'operator',
    cascades: () => true,
  }),
}
