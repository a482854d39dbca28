import { describeDesign } from '@freehold/table/publish'
import { flowSection } from '../flow/describe-flow.ts'
import type { DesignModule } from './design-module.ts'

/** The page by which a design is reviewed: its table, and its flows with the permissions that they need. */
export function describeModule({ design, flows }: DesignModule): string {
  return describeDesign(design, flowSection(flows?.describe(design) ?? []))
}
