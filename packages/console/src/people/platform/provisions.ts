import type { ToldDesign } from '../../app/told.ts'
import type { ToldFlow } from '../../flows/told-flows.ts'

/** An account of the platform is made in many steps at once, with a report. */
export const provisions = ({ form }: ToldDesign, { entity, effect }: ToldFlow, made: string): boolean =>
  form.design === 'platform' && made === 'Account' && effect === 'write' && entity === 'Provisioning'
