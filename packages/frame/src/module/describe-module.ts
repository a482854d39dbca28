import { describeDesign } from '@freehold/table/publish'
import { flowSection } from '../flow/describe-flow.ts'
import { costSection, type FlowCost } from '../flow/flow-costs.ts'
import type { DesignModule } from './design-module.ts'

/** The page by which a design is reviewed: its table, and its flows with the permissions that they need. `costs`: of `moduleCosts`. */
export function describeModule({ design, flows }: DesignModule, costs: readonly FlowCost[] = []): string {
  return describeDesign(design, [...flowSection(flows?.describe(design) ?? []), ...costSection(costs)])
}
