import { sampleOf } from '../../frame/src/flow/flow-costs.ts'
import * as own from '../src/platform/design.ts'
import { type PlatformScene, type PlatformWork, platformSamples } from '../src/platform/flows/samples.ts'
import type { PlatformTable } from '../src/platform/platform-table.ts'
import { rowsOf } from './conformance/flow-conformance.ts'
import type { FlowRow } from './conformance/flow-scene.ts'
import { toldBy } from './conformance/told-by-change.ts'
import { putItems } from './documents/written.ts'

// The licence counts the seat, which the record names.
const counted = { unsaid: [own.License] }
const notified = [own.NotificationAudit, own.NotificationIntent]
// The record tells that a mail is to be sent; its audit tells what became of it.
const delivered = { recordedAs: own.NotificationIntent, unsaid: notified }

/** What more the records of a flow tell than its items. */
const platformRecords: Readonly<Record<string, Partial<FlowRow>>> = {
  assignSeat: counted,
  releaseSeat: counted,
  sendCredentials: delivered,
  resendNotification: delivered,
  sweep: { unsaid: notified },
  provisionAccount: { unsaid: [...notified, own.Provisioning] },
  replaceMenuPermissions: {
    recordedAs: own.Role,
    told: () => ({ more: { granted: ['view users, edit users', 'nothing in roles'], withdrawn: ['view own'] } }),
  },
}

/** A group as the document has it, which is of no account. */
const givenAccount = ({ table }: Pick<ConnectedPlatform, 'table'>, { name, ours: accountId }: PlatformScene) =>
  sampleOf('setGroupAccount', own.Group, async () => {
    const id = `none-${name}`
    await putItems(table.runtime.table, [{ PK: `GROUP#${id}`, SK: 'METADATA', GSI1PK: 'ENTITY#GROUP', GSI1SK: `GROUP#${id}` }])
    return { id, accountId }
  })

type ConnectedPlatform = PlatformWork & { readonly table: PlatformTable }

/** One row for each flow that writes, and more. */
export const platformRows = (work: ConnectedPlatform, scene: PlatformScene): readonly FlowRow[] =>
  rowsOf([...platformSamples(work, scene).samples, givenAccount(work, scene)], platformRecords)

/** A record of a change, in the words of all designs. */
export const toldByPlatform = toldBy(own.Change, 'accountId')
