import { accountRows, accountScene, toldByAudit } from '../../../test/account-flow-rows.ts'
import { accountWork } from '../../../test/account-flows.ts'
import { testFlows } from '../../../test/conformance/flow-conformance.ts'
import { accountManagement } from '../design.ts'
import { offeredAccountFlows } from './flows.ts'

testFlows({
  design: accountManagement,
  offered: offeredAccountFlows,
  withoutKey: ['sweep'],
  open: async () => {
    const work = await accountWork()
    const scene = await accountScene(work)
    return { table: work.table, offered: offeredAccountFlows, user: scene.user, rows: accountRows(work, scene), told: toldByAudit }
  },
})
