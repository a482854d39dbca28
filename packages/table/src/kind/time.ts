import { z } from 'zod'
import { type Kind, Mismatch, textKind } from './kind.ts'

/** Milliseconds of a day in UTC, where all days have the same length. */
export const day_ms = 86_400_000

const instantInput = z.iso.datetime({ offset: true })
const dayInput = z.iso.date()
const instantForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/
const dayForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

const noInstant = "is not an instant such as '2026-01-31T09:30:00.000Z' (ISO 8601 with an offset)"
const noBound = `${noInstant} or a day such as '2026-01-31'`

/** An instant in UTC, with milliseconds and `Z`. Other offsets are converted; anything else is refused (spec rule 5). */
const normaliseInstant = (value: string): string => utc(value.trim(), noInstant)

function utc(text: string, otherwise: string): string {
  const instant = instantInput.safeParse(text).success ? new Date(text) : undefined
  const iso = instant === undefined || Number.isNaN(instant.getTime()) ? '' : instant.toISOString()
  if (!instantForm.test(iso)) throw new Mismatch(otherwise)
  return iso
}

function normaliseDay(value: string): string {
  const text = value.trim()
  if (!dayInput.safeParse(text).success) throw new Mismatch("is not a day such as '2026-01-31'")
  return text
}

/** A range of instants may end with a day. The whole day belongs to it (spec rule 6). */
function instantBound(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  return dayInput.safeParse(text).success ? text : utc(text, noBound)
}

export const instantKind: Kind<string> = textKind(
  'instant',
  normaliseInstant,
  { pattern: instantForm, bytesMax: 24 },
  { bound: instantBound, format: 'date-time', spelled: { stored: instantForm } },
)
export const dayKind: Kind<string> = textKind(
  'day',
  normaliseDay,
  { pattern: dayForm, bytesMax: 10 },
  {
    format: 'date',
    spelled: { stored: dayForm },
  },
)
