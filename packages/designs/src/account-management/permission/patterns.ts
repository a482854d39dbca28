import { patternsOf } from '@freehold/frame/decision'
import { permissionParts } from './permission.ts'

/** A role embeds no more, and one call gives or takes no more: more are linked (spec: the linked form is required above that), in several calls. */
export const permissionsMax = 1000

export const {
  among,
  covering: coveringTexts,
  covers,
  distinct: distinctPatterns,
  overlaps,
  storedIn: permissionIn,
  textOf: permissionText,
  wordsOf: permissionWords,
  written: partsWritten,
} = patternsOf(permissionParts)
