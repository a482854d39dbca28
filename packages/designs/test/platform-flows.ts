import type { ConnectOptions } from '@freehold/table'
import { type Caller, operator } from '../../frame/src/flow/actor.ts'
import type { ChangeLine } from '../../frame/src/flow/flow-host.ts'
import type { OfferedFlows } from '../../frame/src/flow/offered-flows.ts'
import type { Mailing } from '../../frame/src/mail/mailer.ts'
import { decidePlatform, type PlatformAccessQuestion } from '../src/platform/decide.ts'
import { platform } from '../src/platform/design.ts'
import { offeredPlatformFlows, type PlatformFlows, type PlatformFlowTable, platformFlows } from '../src/platform/flows/flows.ts'
import type { PlatformTable } from '../src/platform/platform-table.ts'
import { withDeclaredErrors } from './declared-errors.ts'
import { type Interruption, interruptible } from './interruptible.ts'
import { ownTableOf } from './own-table.ts'

export { type PlatformScene, platformScene, settingOf } from '../src/platform/flows/samples.ts'

/** A table on which the flows of platform are at work, and what they logged. An error that its flow does not declare fails the test that meets it. */
export interface PlatformWork extends Interruption {
  readonly table: PlatformTable
  readonly offered: OfferedFlows<PlatformFlowTable>
  /** An operator's. */
  readonly flows: PlatformFlows
  as(user_id: string): PlatformFlows
  decide(question: PlatformAccessQuestion): Promise<{ readonly allowed: boolean }>
  by(caller: Caller): PlatformFlows
  /** The lines that were logged since the last call. */
  lines(): readonly ChangeLine[]
}

export async function platformWork({ mailing, ...options }: ConnectOptions & { readonly mailing?: Mailing } = {}): Promise<PlatformWork> {
  const logged: ChangeLine[] = []
  const offered = withDeclaredErrors(
    platformFlows,
    (mailing === undefined ? offeredPlatformFlows() : offeredPlatformFlows().mailedBy(mailing)).loggedBy((line) => logged.push(line)),
  )
  const interruption: Interruption = { meanwhile: undefined }
  const table = await ownTableOf(platform, {
    jobHandlers: offered.jobHandlers,
    ...interruptible(options, interruption),
  })
  const by = (caller: Caller) => offered.of(table, caller)
  return Object.assign<Interruption, Omit<PlatformWork, keyof Interruption>>(interruption, {
    table,
    offered,
    flows: by({ actor: { ...operator, name: 'test' } }),
    decide: (question) => decidePlatform(table.runtime).can(question, { consistency: 'strong' }),
    as: (user_id) => by({ actor: { kind: 'user', user_id }, via: 'a key' }),
    by,
    lines: () => logged.splice(0),
  })
}
