import { accountRecords, toldByAudit } from '../../../test/account-flow-rows.ts'
import { accountWork } from '../../../test/account-flows.ts'
import { rowsOf, testFlows } from '../../../test/conformance/flow-conformance.ts'
import { accountManagement } from '../design.ts'
import { offeredAccountFlows } from './flows.ts'
import { accountSamples } from './samples.ts'

testFlows({
  design: accountManagement,
  offered: offeredAccountFlows,
  withoutKey: ['sweep'],
  open: async () => {
    const work = await accountWork()
    const { user = '', samples } = await accountSamples(work)
    return { table: work.table, offered: offeredAccountFlows, user, rows: rowsOf(samples, accountRecords), told: toldByAudit }
  },
})
