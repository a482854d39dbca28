import type { ToldDesign, Values } from '../../app/told.ts'

/** A locked setting counts for every place below it; without one that of the innermost place does. */
export const isInherited = ({ form }: ToldDesign, of: string): boolean => form.design === 'account-management' && of === 'Setting'
export const isLocked = (row: Values): boolean => row.is_overridable === false
