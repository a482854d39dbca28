import type { Attribute, Making } from './attribute.ts'

// Makers of ids that no item has had before.

export const newUuid = (making: Making): string => making.uuid()
export const newUlid = (making: Making): string => making.ulid()

/** True for an attribute whose default is a new id. */
export const isNewId = ({ make }: Attribute): boolean => make === newUuid || make === newUlid
