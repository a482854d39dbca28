import type { Revert } from './revert.ts'

const run = 'packages/table/src/run'

const sendActions = `${run}/send-actions.ts`
const believed = 'sent.failed.some(({ existing }) => existing?.[writeIdName] === writeId)'
/** Whether the item holds all that the action has written. */
const looksAlike = (values: string) =>
  `sent.failed.some(({ action, existing }) => existing?.[writeIdName] === writeId || (sent.isUncertain && ${values}))`
const holdsAll = (written: string) =>
  `existing !== undefined && Object.entries(${written}).every(([name, value]) => JSON.stringify(existing[name]) === JSON.stringify(value))`

/** The judgement of a lost answer, and the refusal then: points 1 and 2 of issue 10. */
export const writeReverts: readonly Revert[] = [
  {
    name: 'a creation is believed since what is there looks alike',
    patches: [{ file: sendActions, text: believed, reverted: looksAlike(`action.kind === 'put' && ${holdsAll('action.item')}`) }],
    shownBy: ['a creation, of what is there and looks alike, is lost'],
  },
  {
    name: 'an update is believed since what is there looks alike',
    patches: [{ file: sendActions, text: believed, reverted: looksAlike(`action.kind === 'update' && ${holdsAll('action.set')}`) }],
    shownBy: ['two count together, and one request is lost'],
  },
  {
    name: 'a removal is believed since nothing is there',
    patches: [{ file: sendActions, text: believed, reverted: looksAlike(`action.kind === 'delete' && existing === undefined`) }],
    shownBy: ['a removal is lost while another removes the item'],
  },
  {
    name: 'a stamp is not believed',
    patches: [{ file: sendActions, text: ` || ${believed}`, reverted: '' }],
    shownBy: ['answers are lost, and nobody else writes', 'a flow has written, the engine is started again, and another does the same'],
  },
  {
    name: 'a creation of one item goes without a token',
    patches: [
      {
        file: sendActions,
        text: "(only.kind === 'put' || only.kind === 'update') && excludes(runtime, only)",
        reverted: "(only.kind === 'put' || only.kind === 'update')",
      },
    ],
    shownBy: ['the answer to a creation is lost, and another removes the item', 'a creation comes after its repeat, and after a removal'],
  },
  {
    name: 'a removal of one item goes without a token',
    patches: [
      {
        file: sendActions,
        text: "(only.kind === 'put' || only.kind === 'update') && excludes(runtime, only)",
        reverted: "(only.kind === 'delete' || excludes(runtime, only))",
      },
      {
        file: sendActions,
        text: "    action.kind === 'put'\n",
        reverted:
          "    action.kind === 'delete'\n      ? await trySend(runtime, 'DeleteItem', { ...common, Key: toItem(action.key) })\n      : action.kind === 'put'\n",
      },
    ],
    shownBy: ['answers are lost, and nobody else writes'],
  },
  {
    name: 'a condition names the version alone',
    patches: [
      {
        file: 'packages/table/src/plan/condition.ts',
        text: "case 'unchanged': {",
        reverted: "case 'unchanged': {\n      if (true) return renderVersion(condition.version, expression)",
      },
    ],
    shownBy: [
      'an update is lost, and the item is made anew',
      'the answer to an update is lost, and the item is made anew',
      'an update comes after its repeat, and after the item was made anew',
    ],
  },
  {
    name: 'a refusal after a lost answer is certain',
    patches: [{ file: `${run}/write.ts`, text: 'isUncertain ? uncertainly(verdict) : verdict', reverted: 'verdict' }],
    shownBy: [
      'the answer to an update of a named version is lost, and another changes the item',
      'the answer to a transaction of named versions is lost with its token, and another changes its items',
    ],
  },
  {
    name: 'an update is planned again after a lost answer',
    patches: [{ file: `${run}/write.ts`, text: 'if (isUncertain) throw errorOf(', reverted: 'if (false) throw errorOf(' }],
    shownBy: [
      'the answer to an update is lost, and another changes the item',
      'the answer to an update is lost, and another program makes the item unreadable',
    ],
  },
  {
    name: 'a transaction that failed is certain, though one of its steps is not',
    patches: [
      { file: `${run}/write.ts`, text: 'if (!isUncertain) return new FreeholdError(', reverted: 'if (true) return new FreeholdError(' },
    ],
    shownBy: ['the answer to a transaction of named versions is lost with its token, and another changes its items'],
  },
  {
    name: 'the last answer alone says whether a write is uncertain',
    patches: [
      {
        file: 'packages/table/src/dynamo/retry.ts',
        text: 'throw errorOf(failure, isUncertain, options.table)',
        reverted: 'throw errorOf(failure, false, options.table)',
      },
    ],
    shownBy: ['the answer to an update is lost, and its repeats are throttled to the end'],
  },
  {
    name: 'a fault halfway through many creations is that of all',
    patches: [
      {
        file: `${run}/create-many.ts`,
        text: 'if (!outcomes.some(isWritten)) throw error\n      return',
        reverted: 'throw error\n      return',
      },
    ],
    shownBy: ['of many creations at once, some are done one by one before a fault'],
  },
  {
    name: 'a transaction that is cancelled after a lost answer is certain',
    patches: [{ file: sendActions, text: "'invalid', reason, uncertain: isUncertain", reverted: "'invalid', reason" }],
    shownBy: ['the answer to a transaction is lost, and its repeat is cancelled for a reason that is no condition'],
  },
  {
    name: "how often a caller's own client has sent a request is not asked",
    patches: [
      { file: 'packages/table/src/dynamo/retry.ts', text: "kind === 'lost' || attemptsOf(cause) > 1", reverted: "kind === 'lost'" },
    ],
    shownBy: ["a caller's own client sends an update again, and another changes the item before"],
  },
  {
    name: 'what is restored has the stamps that it had',
    patches: [{ file: `${run}/restore.ts`, text: '{ ...item, [writeIdName]: writeId }', reverted: '{ ...item }' }],
    shownBy: ['an update comes late, after its item was restored from a backup'],
  },
  {
    name: 'what a creation copies is looked at once it is written',
    patches: [
      {
        file: 'packages/table/src/plan/create.ts',
        text: 'copiesOf(entity).length > 0) viewItem(entity, item)',
        reverted: 'false) viewItem(entity, item)',
      },
    ],
    shownBy: ['a creation copies what another program has written, and what does not fit'],
  },
  {
    name: 'a fault of one transaction of many creations is that of all',
    patches: [{ file: `${run}/create-many.ts`, text: 'fault !== undefined && !outcomes.some(isWritten)', reverted: 'fault !== undefined' }],
    shownBy: ['of many creations in several transactions, one is done and the others meet throttling'],
  },
  {
    name: 'a restore of which a part is there is certain',
    patches: [{ file: `${run}/restore.ts`, text: 'throw isBegun ? partly(error) : error', reverted: 'throw error' }],
    shownBy: ['a part of a backup is restored, and the rest meets throttling'],
  },
  {
    name: 'a read that was lost is uncertain',
    patches: [{ file: 'packages/table/src/dynamo/retry.ts', text: 'isUncertain = !reads.has(operation)', reverted: 'isUncertain = true' }],
    shownBy: ['a read is lost, and its repeats are throttled to the end'],
  },
]
