import type { FailClosedCase } from './fail-closed/case.ts'
import { queryCases } from './fail-closed/query.cases.ts'
import { requestCases } from './fail-closed/request.cases.ts'
import { tokenCases } from './fail-closed/token.cases.ts'

export type { FailClosedCase } from './fail-closed/case.ts'

export const failClosedCases: readonly FailClosedCase[] = [...tokenCases, ...requestCases, ...queryCases]
