import type { Revert } from './revert.ts'

const sendActions = 'packages/table/src/run/send-actions.ts'
const tokenMemory = 'packages/table/src/run/token-memory.ts'

/** Creations that are repeated, and what forgets their tokens: point 2 of issue 10. */
export const tokenReverts: readonly Revert[] = [
  {
    name: 'a creation is repeated whether or not its token is known',
    patches: [{ file: sendActions, text: 'isExcluded ? undefined : mayRepeat', reverted: 'undefined' }],
    shownBy: [
      'a creation is done, the engine is started again, and another removes the item',
      'a creation is done, the engine is started again before anything was acknowledged, and another removes the item',
    ],
  },
  {
    name: 'a connection that was refused says nothing of a restart',
    patches: [
      { file: tokenMemory, text: 'if (wasUnreached) throw errorOf(', reverted: 'if (false) throw errorOf(' },
      { file: tokenMemory, text: 'return !wasUnreached', reverted: 'return true' },
    ],
    shownBy: ['a creation is done, the engine is started again before anything was acknowledged, and another removes the item'],
  },
  {
    name: 'a token that was acknowledged later tells of a restart before it',
    patches: [
      { file: sendActions, text: 'keepsTokens(runtime, known, since)', reverted: 'keepsTokens(runtime, tokenBefore(runtime), since)' },
      // The question after the repeat would show the restart, too.
      { file: sendActions, text: 'keepsTokens(runtime, known, lost)', reverted: 'keepsTokens(runtime, tokenBefore(runtime), lost)' },
    ],
    shownBy: ['a creation is done, the engine is started again, and then something is acknowledged'],
  },
  {
    name: 'the engine is not asked again after a repeat',
    patches: [{ file: sendActions, text: 'lost !== undefined && !(await', reverted: 'false && !(await' }],
    shownBy: ['a creation is done, and the engine is started again between the question for its token and its repeat'],
  },
  {
    name: 'each question after a restart is another',
    patches: [{ file: tokenMemory, text: "SK: { S: 'TOKEN' }", reverted: 'get SK() { return { S: String(Math.random()) } }' }],
    shownBy: ['two creations are done, the engine is started again, and another removes both items'],
  },
  {
    name: 'what is there is not looked for where the token is not known',
    patches: [{ file: sendActions, text: 'if (isStopped && (await', reverted: 'if (false && (await' }],
    shownBy: ['a creation is done, the engine is started again, and nobody else writes'],
  },
  {
    name: 'a read that fails after a lost answer is told as certain',
    patches: [
      { file: sendActions, text: 'isThere(runtime, actions, writeId).catch(() => false)', reverted: 'isThere(runtime, actions, writeId)' },
    ],
    shownBy: ['a creation is done, the engine is started again, and nothing can be read'],
  },
  {
    name: 'a token is asked for however old it is',
    patches: [{ file: tokenMemory, text: 'monotonic_ms() - known.sent_ms > remembered_ms', reverted: 'false' }],
    shownBy: ['a token is forgotten as it is old, and then a creation is lost'],
  },
]
